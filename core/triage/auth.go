package triage

// authRules: the other side wants to know who is calling.
var authRules = []Rule{
	{
		Code: "MCP6001", Category: AuthFailed, Severity: Error, Specificity: 81,
		Title:       "The server refuses the credentials (HTTP {status|401})",
		Literals:    []string{"401", "403"},
		Pattern:     `(?:^\s*(?P<status1>401|403)\s*$|(?:HTTP(?:/[\d.]+)?(?: status)?(?: code)?(?: error!?)?:?|status(?:[ _]?code)?{q}:?|error(?: code)?:?|returned|response:?|code:?|got|state: Error|Received) ?{q}?(?P<status2>401|403)\b(?:[)\s:,"'.}\]]|$)[^\n]{0,60}|\b(?P<status3>401|403) (?:Unauthorized|Forbidden|Client Error|status|error|\(Unauthorized|\(Forbidden)[^\n]{0,60}|\((?P<status9>401|403)\)|npm (?:ERR!|error) code E(?P<status4>401|403)|\b(?P<status5>401|403):? \{|(?P<status6>401|403) from (?:GET|POST)|\b(?P<status7>401|403) on\b|(?:a|an|with|by|HTTP) (?P<status8>401|403)(?:$|[\s.,;)]))`,
		Explanation: "The request reached the service, and it was refused: no key was sent, or one that is wrong, expired or not allowed to do this.",
		Remedy:      "Check the key in the entry's \"env\" or \"headers\" (\"Authorization\": \"Bearer …\"), without quotes or spaces too many; make a new one if in doubt.",
		Example:     "Error POSTing to endpoint (HTTP 401): Unauthorized",
	},
	{
		Code: "MCP6002", Category: AuthFailed, Severity: Error, Specificity: 78,
		Title:       "The key or token was rejected",
		Literals:    []string{"bad credentials", "invalid api key", "invalid api_key", "incorrect api key", "invalid token", "invalid_token", "invalid or missing", "invalid_api_key", "authentication failed", "authentication_error", "invalid credentials", "invalid access token", "invalid_auth", "not_authed", "wrongpass", "noauth", "access denied for user", "access denied, invalid", "password authentication", "token is not valid", "token expired", "token has expired", "expired token", "invalid personal access token", "resource not accessible by", "signaturedoesnotmatch", "security token", "api key is invalid", "apikey", "unauthenticated", "api key not valid", "invalid authentication", "authenticationerror", "invalid key", "invalid username or password", "login failed", "auth failed", "autherror", "authorization failed", "invalid signature", "invalid bearer", "jwt", "token invalid", "expiredtoken", "accessdenied", "wrong token", "token_expired", "token is expired", "\"status\": 401", "\"status\":401"},
		Pattern:     `(?:Bad credentials|(?:invalid|incorrect|wrong|expired|bad) (?:or (?:missing|expired|invalid) )?(?:api[ _-]?(?:key|token)|(?:personal )?(?:access |auth |bearer )?token|credentials?|authentication(?: token| credentials)?|username or password|signature|key)\b[^\n]{0,60}|invalid_(?:token|api_key|auth)\b|authentication[ _](?:failed|error)[^\n]{0,60}|AuthenticationError[^\n]{0,80}|not_authed|WRONGPASS|NOAUTH|access denied for user|access denied, invalid[^\n]{0,20}|password authentication failed[^\n]{0,60}|token (?:is )?(?:not valid|invalid|expired|has expired)|token (?:has|is) (?:expired|been revoked)|token_expired|status\\?": ?401|resource not accessible by[^\n]{0,40}|SignatureDoesNotMatch|security token[^\n]{0,60}(?:invalid|expired)|api[ _]?key (?:is )?(?:not valid|invalid)[^\n]{0,40}|UNAUTHENTICATED|login failed[^\n]{0,40}|auth(?:orization|entication)? failed|jwt (?:expired|malformed)|ExpiredToken\w*|AccessDenied\w*)`,
		Explanation: "A key was sent, and the service does not accept it.",
		Remedy:      "Make a new key at the service, with the rights that the server's documentation lists, and put it into the entry.",
		Example:     `{"message":"Bad credentials"}`,
	},
	{
		Code: "MCP6004", Category: AuthFailed, Severity: Error, Specificity: 92,
		Title:       "The login has run out",
		Literals:    []string{"reauthenticate", "re-authenticate", "loginrefreshrequired", "sso session", "log in again", "login again", "sign in again"},
		Pattern:     `(?:please )?re-?authenticate[^\n]{0,60}|LoginRefreshRequired|SSO session[^\n]{0,60}(?:expired|invalid)|(?:log|sign) ?in again[^\n]{0,40}`,
		Unless:      `WARP`,
		Explanation: "The service or its command-line tool wants a fresh login.",
		Remedy:      "Log in again with the tool that the message names, then reconnect the server.",
		Example:     "Please reauthenticate using 'cloud login'.",
	},
	{
		Code: "MCP6003", Category: AuthFailed, Severity: Error, Specificity: 60,
		Title:       "The server wants you to sign in",
		Literals:    []string{"unauthorized", "authentication required", "forbidden", "not logged in", "please log in", "login required", "authorization required", "authorization header", "authentication is required", "not authenticated", "needs authentication", "requires authentication", "please login", "please sign in", "unauthorised", "www-authenticate", "no access token", "must be authenticated", "authenticate first", "not authorized", "未授权", "认证失败", "access token required", "missing bearer"},
		Pattern:     `(?:\bunauthori[sz]ed\b[^\n]{0,40}|authentication (?:is )?required|\bforbidden\b[^\n]{0,40}|not logged in[^\n]{0,40}|please (?:log ?in|sign in)|login required|authori[sz]ation (?:header )?(?:is )?(?:required|missing|not found|invalid)[^\n]{0,30}|missing (?:or invalid )?(?:authorization|bearer)[^\n]{0,40}|not authenticated|(?:needs|requires|must be|needs to be) authenticat\w+|No access token (?:was )?provided|authenticate first|not authori[sz]ed[^\n]{0,40}|未授权|认证失败|access token required)`,
		Explanation: "The service answers only to callers it knows, and this one sent nothing that it accepts.",
		Remedy:      "Sign in from the client (its MCP page or its login command), or put a token into \"headers\".",
		Example:     "Server returned: Unauthorized",
	},
}
