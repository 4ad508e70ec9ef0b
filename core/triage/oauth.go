package triage

// oauthRules: the sign-in flow itself fails.
var oauthRules = []Rule{
	{
		Code: "MCP6101", Category: OAuthFailed, Severity: Error, Specificity: 92,
		Title:       "The authorization server does not let clients register themselves",
		Literals:    []string{"client registration", "dynamic registration", "register client", "registration_endpoint", "registration failed", "registration endpoint", "incompatible auth server", "client_id is required", "no client info", "client information is required"},
		Pattern:     `(?:dynamic (?:client )?registration[^\n]{0,100}|(?:failed|unable|cannot|could not) (?:to )?register (?:the )?(?:oauth )?client[^\n]{0,60}|client registration (?:failed|is not|not)[^\n]{0,60}|registration_?\s?endpoint[^\n]{0,60}(?:missing|not|fail\w*)[^\n]{0,40}|incompatible auth server[^\n]{0,80}|client information is required[^\n]{0,60}|no client info(?:rmation)?(?: found)?)`,
		Explanation: "The client wanted to register itself, as the protocol suggests, and the server offers no such thing or refused it.",
		Remedy:      "Create an OAuth application at the service by hand and give its client id to the client, or use a token in \"headers\".",
		Example:     "Incompatible auth server: does not support dynamic client registration",
	},
	{
		Code: "MCP6102", Category: OAuthFailed, Severity: Error, Specificity: 91,
		Title:       "The OAuth server answers {error|with an error}",
		Literals:    []string{"invalid_grant", "invalid_client", "unauthorized_client", "invalid_scope", "insufficient_scope", "invalid_redirect", "redirect_uri", "unsupported_grant", "access_denied", "invalid_target", "code_challenge", "code_verifier", "state mismatch", "redirect uri", "invalid_request_uri", "invalidgrant", "pkce"},
		Pattern:     `(?P<error>invalid_grant|invalid_client\b|unauthorized_client|invalid_scope|insufficient_scope|invalid_redirect_uri|redirect_uri(?:_mismatch)?|unsupported_grant_type|access_denied|invalid_target|InvalidGrant\w*)[^\n]{0,80}|redirect URI[^\n]{0,60}|(?:code_challenge|code_verifier|PKCE)[^\n]{0,60}|state mismatch[^\n]{0,40}`,
		Explanation: "The sign-in failed at the authorization server: a refresh token that was revoked, a redirect address that is not registered, or scopes that are not granted.",
		Remedy:      "Remove the stored login (for mcp-remote: delete ~/.mcp-auth) and sign in once more; compare the redirect address with the one registered.",
		Example:     "Error: Failed to send email: invalid_grant",
	},
	{
		Code: "MCP6103", Category: OAuthFailed, Severity: Error, Specificity: 84,
		Title:       "Signing in did not work",
		Literals:    []string{"oauth", "refresh token", "token refresh", "token exchange", "authorization code", "token is not active", "authorization server", "protected resource", "getting token from server metadata", "auth callback", "token endpoint", "needs re-auth", "reauthoriz", "re-authenticate", "resource_metadata", "well-known", "sign-in", "authorization flow", "token from", "issuer", "device code", "authorization with", "refresh access token", "refresh the access token", "authorization code"},
		Pattern:     `(?:\boauth[\w ]{0,30} (?:error|fail\w*|timed? ?out|timeout|required|expired|is not|could not|cannot|denied)[^\n]{0,80}|without OAuth configuration|\b(?:error|fail\w*|invalid|missing|no|unable)\b[^\n]{0,40}\boauth[^\n]{0,60}|(?:refresh(?:ing)? (?:the )?(?:access )?token|token refresh|token exchange|exchang\w+ (?:the )?(?:authorization )?code)[^\n]{0,60}(?:fail\w*|error|expired|invalid|not|revoked|missing)[^\n]{0,40}|(?:fail\w*|error|unable|cannot)[^\n]{0,40}(?:refresh|exchange|obtain|get)\w* (?:the )?(?:access |refresh |auth )?token[^\n]{0,60}|Token is not active|authori[sz]ation code (?:has |is )?(?:expired|invalid|already|not)|(?:unable|failed|could not|cannot) (?:to )?(?:refresh|renew) (?:the |your )?(?:access |oauth )?token|authori[sz]ation with [^\n]{0,40} failed|Error getting token from server metadata[^\n]{0,60}|protected resource[^\n]{0,60}(?:not match|mismatch|expected|fail\w*)[^\n]{0,40}|(?:authorization server|oauth)[^\n]{0,30}metadata[^\n]{0,60}(?:fail\w*|not found|404|error|invalid|missing)[^\n]{0,40}|issuer[^\n]{0,40}(?:mismatch|not match|does not match)[^\n]{0,40}|(?:auth|authorization|sign-?in)[^\n]{0,20} (?:callback|flow)[^\n]{0,40}(?:fail\w*|timed? ?out|error|cancel\w*))`,
		Explanation: "The login in the browser did not end with a token that the server accepts.",
		Remedy:      "Sign out of the server in the client, sign in again, and finish the login in the browser window that opens.",
		Example:     "OAuth token refresh failed",
	},
}
