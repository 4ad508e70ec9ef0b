package triage

// containerRules: Docker or Podman, or the image.
var containerRules = []Rule{
	{
		Code: "MCP1801", Category: ContainerUnavailable, Severity: Error, Specificity: 95,
		Title:       "Docker is not running",
		Literals:    []string{"docker daemon", "docker_engine", "dockerdesktoplinuxengine", "docker desktop", "is docker running", "podman socket", "docker is not running", "cannot connect to podman", "docker.sock", "docker api at", "docker-credential"},
		Pattern:     `(?:cannot connect to the Docker daemon(?: at (?P<host>\S+))?|error during connect:[^\n]{0,160}|open //\./pipe/\w+: The system cannot find|is the docker daemon running|Docker Desktop (?:is not running|is unable to start|must be running)|(?:is )?docker (?:is not |isn't |not )(?:installed or not )?running|is docker running|cannot connect to Podman|unable to connect to (?:the )?(?:docker|podman)|dial unix \S*docker\.sock: [^\n]{0,60}|connect \w+ \S*docker\.sock|permission denied while trying to connect to the Docker|failed to connect to the docker API|docker daemon is not|docker-credential-\w+)`,
		Explanation: "The server runs in a container, and the program that runs containers does not answer.",
		Remedy:      "Start Docker Desktop (or the docker service), wait until docker ps works, then restart the server.",
		Example:     "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
	},
	{
		Code: "MCP1802", Category: ContainerUnavailable, Severity: Error, Specificity: 92,
		Title:       "The image {image|of the server} cannot be had",
		Literals:    []string{"pull access denied", "manifest unknown", "no matching manifest", "unable to find image", "repository does not exist", "error response from daemon", "manifest for", "denied: denied", "no such image", "invalid reference format", "requested image's platform", "error from registry", "failed to resolve reference", "no such container", "initializing source docker", "image not found"},
		Pattern:     `(?:pull access denied for (?P<image1>[\w./:@-]+)|manifest for (?P<image2>[\w./:@-]+) not found|no matching manifest for (?P<platform>[\w/.-]+)|manifest unknown|Error response from daemon: [^\n]{0,140}|image not found:? (?P<image7>[\w./:@-]+)|No such image: (?P<image3>[\w./:@-]+)|invalid reference format|requested image's platform \((?P<platform2>[\w/]+)\)|failed to resolve reference {q}(?P<image4>[\w./:@-]+)|No such container: (?P<image5>[\w.-]+)|Error initializing source docker|Unable to find image {q}(?P<image6>[\w./:@-]+))`,
		Explanation: "Docker works, but {image|the image} does not exist under that name, is private, or is not made for this machine.",
		Remedy:      "Check the image's name and tag, build it if it is a local one, or log in with docker login.",
		Example:     "docker: Error response from daemon: pull access denied for weather, repository does not exist or may require 'docker login'",
	},
}
