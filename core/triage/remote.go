package triage

// networkRules, refusedRules, tlsRules and limitRules: on the way to a host.
var networkRules = []Rule{
	{
		Code: "MCP6201", Category: NetworkUnreachable, Severity: Error, Specificity: 90,
		Title:       "The name {host|of the host} cannot be resolved",
		Literals:    []string{"enotfound", "eai_again", "name or service not known", "nodename nor servname", "name resolution", "could not resolve", "no such host", "dns error", "failed to lookup address", "unknownhostexception", "err_name_not_resolved", "getaddrinfo", "dns resolution", "dns lookup", "eai_fail", "11001", "no address associated", "name_not_resolved", "connectordnserror", "nameresolutionerror", "failed to resolve"},
		Pattern:     `(?:getaddrinfo (?:ENOTFOUND|EAI_AGAIN|EAI_FAIL) {q}(?P<host1>{host})?|(?:ENOTFOUND|EAI_AGAIN|EAI_FAIL)\b{q}\)?(?: for)?(?: {q}(?P<host2>(?:[\w-]+\.)+[\w-]+))?|lookup (?P<host3>(?:[\w-]+\.)*[\w-]+)[^\n]{0,60}no such host|Could not resolve host:? {q}(?P<host4>{host})?|(?:name or service not known|nodename nor servname provided|temporary failure in name resolution|no such host|dns error[^\n]{0,80}|failed to lookup address[^\n]{0,60}|ERR_NAME_NOT_RESOLVED|getaddrinfo failed|no address associated with hostname|ConnectorDNSError|NameResolutionError|failed to resolve {q}(?P<host6>(?:[\w-]+\.)+[\w-]+)|DNS (?:resolution|lookup) (?:fail\w*|error))|UnknownHostException: (?P<host5>{host}))`,
		Explanation: "No address was found for {host|the host}: a slip in the name, no network, or a proxy that the program does not use.",
		Remedy:      "Check the spelling of {host|the host} in the entry; behind a company proxy set HTTPS_PROXY in \"env\".",
		Example:     "[cause]: Error: getaddrinfo ENOTFOUND mcp.example.com",
	},
	{
		Code: "MCP6202", Category: NetworkUnreachable, Severity: Error, Specificity: 84,
		Title:       "{host|The host} cannot be reached",
		Literals:    []string{"etimedout", "enetunreach", "ehostunreach", "network is unreachable", "no route to host", "connect timeout", "und_err_connect_timeout", "connecttimeout", "err_internet_disconnected", "connection timed out", "connecttimeouterror", "host unreachable", "network timeout at", "econnaborted", "max retries exceeded", "i/o timeout", "ensure warp", "network error", "err_socket_timeout", "connection attempt failed because", "newconnectionerror", "failed to download", "unable to download"},
		Pattern:     `(?:connect (?:ETIMEDOUT|ENETUNREACH|EHOSTUNREACH) (?P<host1>[\d.:a-f]+?)(?::(?P<port>\d+))?(?:\s|$)|\b(?:ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b|network is unreachable|no route to host|connect ?timeout(?: ?error)?[^\n]{0,80}|UND_ERR_CONNECT_TIMEOUT|ERR_INTERNET_DISCONNECTED|connection timed out|host unreachable|network timeout at:? ?(?P<url>\S+)?|Max retries exceeded with url|dial tcp [^\n]{0,60}i/o timeout|ensure WARP is on[^\n]{0,40}|ERR_SOCKET_TIMEOUT|unable to download[^\n]{0,60}|failed to download[^\n]{0,60}|npm (?:ERR!|error) network[^\n]{0,80})`,
		Explanation: "The connection could not be made: no route, a firewall, a proxy that is needed and not used, or a container in which localhost is another machine.",
		Remedy:      "Try the address from the same machine with curl; behind a proxy set HTTPS_PROXY; inside a container use host.docker.internal for the host.",
		Example:     "Error: connect ETIMEDOUT 203.0.113.7:443",
	},
	{
		Code: "MCP6203", Category: NetworkUnreachable, Severity: Error, Specificity: 86,
		Title:       "The proxy stands in the way",
		Literals:    []string{"407", "proxy", "tunneling socket"},
		Pattern:     `(?:407 Proxy Authentication Required|proxy authentication required|tunneling socket could not be established[^\n]{0,60}|(?:unable|failed|cannot|could not) (?:to )?connect to (?:the )?proxy[^\n]{0,60}|proxyconnect tcp[^\n]{0,60}|ProxyError[^\n]{0,60}|ERR_PROXY_CONNECTION_FAILED|ERR_TUNNEL_CONNECTION_FAILED)`,
		Explanation: "Requests go through a proxy that refuses them or is not there.",
		Remedy:      "Correct HTTP_PROXY and HTTPS_PROXY in the entry's \"env\", and list local hosts in NO_PROXY.",
		Example:     "407 Proxy Authentication Required",
	},
	{
		Code: "MCP6205", Category: NetworkUnreachable, Severity: Error, Specificity: 50,
		Title:       "A gateway in between does not reach the server",
		Literals:    []string{"502", "503", "bad gateway", "service unavailable"},
		Pattern:     `(?:Non-200 status code \((?P<status1>50[23])\)|\(?HTTP (?:status )?(?P<status2>50[23])\b\)?|status(?: code)?:? (?P<status3>50[23])\b|(?P<status4>50[23]) (?:Bad Gateway|Service (?:Temporarily )?Unavailable)|Bad Gateway|Service (?:Temporarily )?Unavailable)`,
		Explanation: "A proxy or load balancer answers in place of the server, because it cannot reach it.",
		Remedy:      "Check that the server behind it runs and listens where the gateway looks; for a local address see that no proxy is used (NO_PROXY).",
		Example:     "Server error '502 Bad Gateway' for url 'http://127.0.0.1:8000/sse'",
	},
	{
		Code: "MCP6206", Category: Unknown, Severity: Error, Role: Symptom, Specificity: 68,
		Title:       "A request failed, and the reason is not shown",
		Literals:    []string{"fetch failed"},
		Pattern:     `(?:TypeError: )?fetch failed`,
		Explanation: "Node says only that a request failed. Its reason, a name, a route, a port or a certificate, stands behind [cause] some lines further down, and that is not in this text.",
		Remedy:      "Copy the lines that follow, or open the URL from the same machine with curl -v.",
		Example:     "Failed to connect to MCP server: fetch failed",
	},
	{
		Code: "MCP6204", Category: NetworkUnreachable, Severity: Error, Specificity: 38,
		Title:       "A request failed before any answer",
		Unless:      `secret|MCP client`,
		Literals:    []string{"fetch failed", "failed to fetch", "error sending request", "clientconnectorerror", "networkerror", "could not connect to server", "request failed", "connection error", "apiconnectionerror"},
		Pattern:     `(?:(?:fatal error|failed to (?:initiali[sz]e|start|load|get|download|fetch))[^\n]{0,120}fetch failed|Failed to fetch(?:: {q}?(?P<url1>https?://\S+))?|error sending request(?: for url \((?P<url2>[^)\s]+)\))?|ClientConnectorError[^\n]{0,80}|NetworkError[^\n]{0,60}|could not connect to server|APIConnectionError[^\n]{0,40})`,
		Explanation: "The connection failed on the way, before the other side answered.",
		Remedy:      "Open the URL from the same machine with curl -v: the name, the route or the certificate will show.",
		Example:     "error sending request for url (https://mcp.example.com/mcp)",
	},
}

var refusedRules = []Rule{
	{
		Code: "MCP6301", Category: ConnectionRefused, Severity: Error, Specificity: 90,
		Title:       "Nothing listens on port {port|in question} of {host|the host}",
		Literals:    []string{"econnrefused", "connection refused", "actively refused", "errno 111", "errno 61", "10061", "err_connection_refused", "connectionrefused", "refused the network connection", "connection_refused", "由于目标计算机积极拒绝", ": fetch failed"},
		Pattern:     `(?:connect ECONNREFUSED (?P<host1>[\w.:\[\]-]+):(?P<port1>\d{1,5})\b|ECONNREFUSED[^\n]{0,20}?(?P<host2>(?:[\w-]+\.)*[\w-]+|::1):(?P<port2>\d{1,5})\b|dial tcp (?P<host3>[\w.:\[\]-]+):(?P<port3>\d{1,5}): connect(?:ex)?: connection refused|host {q}(?P<host4>[\w.-]+){q}[^\n]{0,40}port (?P<port4>\d{1,5})[^\n]{0,40}refused|(?P<host5>localhost|[\d.]{7,15}):(?P<port5>\d{1,5})[^\n]{0,80}(?:connection refused|actively refused)|port (?P<port6>\d{1,5})[^\n]{0,40}connection refused|(?P<host6>localhost|127\.0\.0\.1|::1):(?P<port7>\d{1,5}): fetch failed|ECONNREFUSED|connection ?refused|actively refused(?: it)?|\[?(?:Errno (?:111|61)|WinError 10061)\]?|ERR_CONNECTION_REFUSED|积极拒绝)`,
		Explanation: "The connection to {host|the host} on port {port|in question} was refused: no program listens there. It may be the server itself or a backend that it needs.",
		Remedy:      "Start what should listen on port {port|PORT}, or correct the port in the entry.",
		Example:     "Error: connect ECONNREFUSED 127.0.0.1:6379",
	},
	{
		Code: "MCP6302", Category: ConnectionRefused, Severity: Error, Specificity: 74,
		Title:       "The program that the server talks to is not running",
		Literals:    []string{"all connection attempts failed", "make sure", "is it running", "could not connect to", "cannot connect to", "unable to connect to", "failed to connect to", "no working ide endpoint", "not running", "unable to connect.", "tcp connect error", "is the server running", "not connected to", "unable to connect", "connection to ws", "websocket"},
		Pattern:     `(?:(?:httpx|httpcore)\.ConnectError: All connection attempts failed|All connection attempts failed|could not connect to [\w .'"-]{2,40}\. (?:Make sure|Is|Please|Ensure)[^\n]{0,80}|(?:could not|cannot|unable to|failed to) connect to [^\n]{2,60}(?:make sure|is it running|is running|ensure)[^\n]{0,60}|no working IDE endpoint|(?:WebSocket )?connection to {q}?wss?://\S+ failed|tcp connect error[^\n]{0,60}|is the (?:server|app|application|add-?on|plugin|extension|editor|database) running|(?:plugin|add-?on|extension|app|application|bridge|editor|desktop|daemon) is not (?:running|connected)|unable to connect\. Is the computer able to access the url)`,
		Explanation: "The server works through another program, such as an editor, an add-on or a database, and that does not answer.",
		Remedy:      "Start that program and its plug-in first, then reconnect the server.",
		Example:     "Could not connect to Blender. Make sure the Blender addon is running.",
	},
}

var tlsRules = []Rule{
	{
		Code: "MCP6401", Category: TLSFailed, Severity: Error, Specificity: 94,
		Title:       "The certificate of {host|the host} is not trusted",
		Literals:    []string{"self signed certificate", "self-signed certificate", "unable_to_verify", "unable to verify", "local issuer", "certificate verify failed", "certificate_verify_failed", "x509:", "self_signed_cert", "depth_zero", "err_cert_", "cert_has_expired", "certificate has expired", "unknown issuer", "invalid peer certificate", "pkix path", "certificate signed by unknown", "unknown ca", "unable_to_get_issuer", "unknownissuer", "certificate is not trusted", "certificate not trusted", "invalid certificate", "cert_untrusted", "remotecertificate", "sec_e_untrusted", "certificate is not yet valid", "cert_not_yet_valid"},
		Pattern:     `(?:self[- ]signed certificate(?: in certificat\w*(?: chain)?)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE|unable to verify the first certificate|unable to get (?:local )?issuer(?: certificate)?|UNABLE_TO_GET_ISSUER_CERT\w*|certificate[ _]verify[ _]failed[^\n]{0,80}|x509: [^\n]{0,100}|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT\w*|ERR_CERT_\w+|CERT_HAS_EXPIRED|certificate has expired|(?:unknown issuer|UnknownIssuer)|invalid peer certificate[^\n]{0,40}|PKIX path building failed[^\n]{0,40}|unknown ca\b|certificate (?:is )?not (?:trusted|yet valid)|RemoteCertificate\w+|invalid certificate)`,
		Explanation: "The program does not trust the certificate it was shown. A company's proxy that opens TLS is the usual reason: the system trusts its authority, Node and Python do not.",
		Remedy:      "Point the server at your authority's file: \"env\": {\"NODE_EXTRA_CA_CERTS\": \"/path/ca.pem\"} for Node, SSL_CERT_FILE for Python. Do not switch verification off.",
		Example:     "Error: self-signed certificate in certificate chain",
	},
	{
		Code: "MCP6402", Category: TLSFailed, Severity: Error, Specificity: 90,
		Title:       "The TLS handshake failed",
		Literals:    []string{"err_tls_", "handshake failure", "wrong version number", "err_ssl", "ssl routines", "sslerror", "sslhandshake", "tls handshake", "hostname/ip does not match", "eproto", "tlsv1", "ssl: ", "secure tls connection", "secure channel", "packet length too long", "does not match certificate", "altnames", "ssl connection could not", "tls connection could not"},
		Pattern:     `(?:ERR_TLS_\w+[^\n]{0,80}|(?:ssl[^\n]{0,40})?handshake failure|wrong version number|ERR_SSL_\w+|SSL routines[^\n]{0,80}|SSLError[^\n]{0,80}|SSLHandshakeException[^\n]{0,80}|TLS handshake (?:error|failed|eof|timeout)[^\n]{0,60}|Hostname/IP does not match certificate's altnames[^\n]{0,80}|EPROTO\b[^\n]{0,80}|secure TLS connection was established|could not create SSL/TLS secure channel|(?:SSL|TLS) connection could not be (?:established|made)|packet length too long)`,
		Explanation: "Both sides could not agree on an encrypted connection. \"wrong version number\" means that a plain HTTP port was addressed with https.",
		Remedy:      "Check http against https in the URL, and that the certificate names the host you use.",
		Example:     "write EPROTO 140:error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER",
	},
}

var limitRules = []Rule{
	{
		Code: "MCP6501", Category: RateLimited, Severity: Error, Specificity: 88,
		Title:       "The service's limit is used up",
		Literals:    []string{"429", "too many requests", "rate limit", "ratelimit", "rate_limit", "quota", "resource_exhausted", "credit balance", "toomanyrequests", "usage limit", "limit exceeded", "throttl", "usage limit", "limit reached", "reached your", "out of credits", "insufficient credits"},
		Pattern:     `(?:(?:HTTP(?: error!?)?|status|code|error|returned|response)[^\n\d]{0,14}\b429\b|\b429 (?:Too Many Requests|Client Error|\{)|too many requests|rate[- _]?limit(?:ed|s)? ?(?:exceeded|reached|error|hit|exceed)?|(?:monthly |daily |api |request )?quota (?:exceeded|reached|has been)[^\n]{0,60}|exceeded your (?:current )?quota|insufficient_quota|RESOURCE_EXHAUSTED|credit balance is too low|toomanyrequests|(?:usage|request|rate|credit) limit (?:exceeded|reached)|(?:reached|exceeded|hit) (?:your|the) [\w ]{0,24}(?:limit|quota)|(?:out of|insufficient) credits|ThrottlingException|^429$)`,
		Explanation: "The service behind the server counts requests, and yours are used up for now.",
		Remedy:      "Wait, or use a key of your own with a larger allowance.",
		Example:     "Error: HTTP error! status: 429",
	},
}
