package triage

// Category is the label of a diagnosis. The set is closed: faces and fix
// modules branch on it.
type Category string

const (
	CommandNotFound      Category = "command_not_found"
	PackageNotFound      Category = "package_not_found"
	ModuleMissing        Category = "module_missing"
	RuntimeVersion       Category = "runtime_version"
	PathNotFound         Category = "path_not_found"
	PermissionDenied     Category = "permission_denied"
	MissingEnvVar        Category = "missing_env_var"
	AuthFailed           Category = "auth_failed"
	OAuthFailed          Category = "oauth_failed"
	ConnectionRefused    Category = "connection_refused"
	NetworkUnreachable   Category = "network_unreachable"
	TLSFailed            Category = "tls_failed"
	Timeout              Category = "timeout"
	TransportMismatch    Category = "transport_mismatch"
	StdoutPollution      Category = "stdout_pollution"
	ProtocolMismatch     Category = "protocol_mismatch"
	ConnectionClosed     Category = "connection_closed"
	ServerCrash          Category = "server_crash"
	InvalidArguments     Category = "invalid_arguments"
	InvalidSchema        Category = "invalid_schema"
	ConfigSyntax         Category = "config_syntax"
	ConfigShape          Category = "config_shape"
	PortInUse            Category = "port_in_use"
	ContainerUnavailable Category = "container_unavailable"
	RateLimited          Category = "rate_limited"
	SessionExpired       Category = "session_expired"
	Unknown              Category = "unknown"
)
