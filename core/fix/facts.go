package fix

// Facts is what only a machine can tell, as data. Every field may be empty:
// that means unknown, never "no". It has names of variables, never values.
type Facts struct {
	OS         string            `json:"os,omitempty"` // linux, macos, windows
	WSL        bool              `json:"wsl,omitempty"`
	Commands   map[string]string `json:"commands,omitempty"`    // program name -> absolute path in the user's shell; "" when looked for and absent
	ClientPath []string          `json:"client_path,omitempty"` // the PATH that the client gives its servers
	Runtimes   []Runtime         `json:"runtimes,omitempty"`
	Ports      []Port            `json:"ports,omitempty"`     // that listen
	Published  []Published       `json:"published,omitempty"` // by compose files
	EnvNames   []EnvName         `json:"env_names,omitempty"` // in .env files
	Paths      map[string]Path   `json:"paths,omitempty"`     // what is known of the paths that were asked for
	Docker     *bool             `json:"docker,omitempty"`    // whether the daemon answers
}

// Runtime is an installed interpreter, also those of version managers.
type Runtime struct {
	Name    string `json:"name"` // node, python, …
	Version string `json:"version"`
	Path    string `json:"path"`
	Manager string `json:"manager,omitempty"` // nvm, fnm, volta, pyenv, mise
}

// Port is a listening TCP port.
type Port struct {
	Port    int    `json:"port"`
	Process string `json:"process,omitempty"`
}

// Published is a port that a compose file publishes on the host.
type Published struct {
	Service   string `json:"service"`
	Image     string `json:"image,omitempty"`
	Container int    `json:"container"`
	Host      int    `json:"host"`
	File      string `json:"file"`
}

// EnvName is a variable's name in a .env file.
type EnvName struct {
	Name string `json:"name"`
	File string `json:"file"`
}

// Path is what is known of a path.
type Path struct {
	Exists bool   `json:"exists"`
	Dir    bool   `json:"dir,omitempty"`
	Mode   string `json:"mode,omitempty"` // as in 0644
	Owner  string `json:"owner,omitempty"`
	Near   string `json:"near,omitempty"` // an existing path that differs by case or a typo
}
