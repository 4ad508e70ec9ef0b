package triage

// pathRules: a path in the config or in a setting leads nowhere.
var pathRules = []Rule{
	{
		Code: "MCP1401", Category: PathNotFound, Severity: Error, Specificity: 84,
		Title:    "{path|A path} does not exist",
		Literals: []string{"enoent: no such file", "enoent, no such file"},
		Wordings: []string{
			`ENOENT[:,] no such file or directory,? (?P<operation>open|stat|lstat|scandir|mkdir|access|chdir|uv_cwd|rename|realpath|readlink|watch|copyfile|unlink|opendir|statx|readdir|read|rmdir|symlink|mkdtemp|utime|chmod)\s+{q}?(?P<path>[^"'\n]{1,300}?){q}(?:$|[\s,;)}\]])`,
		},
		Explanation: "The server tried to use {path|a file or folder} and it is not there. A relative path is looked up in the folder that the client starts servers in, which is rarely the project.",
		Remedy:      "Write the absolute path in the server's entry, or create the folder.",
		Example:     "Error: ENOENT: no such file or directory, mkdir './data'",
	},
	{
		Code: "MCP1402", Category: PathNotFound, Severity: Error, Specificity: 93,
		Title: "A path with a space was cut in two",
		Literals: []string{
			":\\program", ":/program", ":\\\\program", "is not recognized as", "cannot find", "no such", "不是", "not found",
		},
		Wordings: []string{
			`{Q}(?P<path>[a-z]:(?:\\\\?|/)[^"'\n.]{1,120}?)\s?{Q}(?: is not recognized|\s+(?:not found|不是)|[^\n]{0,40}(?:not found|no such|cannot find))`,
		},
		Explanation: "cmd.exe took the path apart at its first space, so it looked for C:\\Program.",
		Remedy:      "Use the short form C:\\PROGRA~1\\…, or the bare command name when its folder is on PATH.",
		Example:     `'C:\Program' is not recognized as an internal or external command,`,
	},
	{
		Code: "MCP1403", Category: PathNotFound, Severity: Error, Specificity: 94,
		Title: "{path|The script} does not exist",
		Literals: []string{
			"can't open file", "cannot find module", "unable to access jarfile", "module not found \"", "failed to spawn",
		},
		Wordings: []string{
			`can't open file {q}(?P<path>[^"'\n]{1,300}?){q}(?::|\s|$)`,
			`Cannot find module {Q}(?P<path>[^"'\n]*[\\/]~[\\/][^"'\n]*){Q}`,
			`Cannot find module {Q}(?P<path>[^"'\n]*(?:\$\{?\w+\}?|%\w+%|/path/to/|/absolute/path|<[\w -]+>)[^"'\n]*){Q}`,
			`Cannot find module {Q}[^\n]*?\\?"(?P<path>[a-z]:\\[^"\n]{1,200})`,
			`Unable to access jarfile (?P<path>[^\s"']{1,300})`,
			`Module not found {Q}(?P<path>file://[^"'\n]{1,300}){Q}`,
			`failed to spawn:? {q}(?P<path>[\w./\\:-]+\.(?:py|[cm]?[jt]s|sh))\b`,
		},
		Explanation: "The file that the entry names was not found. Clients do not expand ~ and many do not expand variables; a relative path starts from the client's own folder.",
		Remedy:      "Write the absolute path of the script in \"args\".",
		Example:     "python: can't open file '/home/you/weather/server.py': [Errno 2] No such file or directory",
	},
	{
		Code: "MCP1404", Category: PathNotFound, Severity: Error, Specificity: 87,
		Title:    "{path|The file} is not where the entry says",
		Literals: []string{"cannot find module"},
		Unless:   `node_modules|imported from`,
		Wordings: []string{
			`Cannot find module {Q}(?P<path>(?:[a-z]:(?:\\\\?|/)|/)[^"'\n]*?\.(?:[cm]?[jt]s|py)){Q}(?:\s|$)`,
		},
		Explanation: "Node was told to run a file that does not exist at that place.",
		Remedy:      "Correct the path in \"args\"; if the file is made by a build, build it first.",
		Example:     "Error: Cannot find module '/home/you/wether/server.js'",
	},
	{
		Code: "MCP1405", Category: PathNotFound, Severity: Error, Specificity: 80,
		Title:  "{path|A folder or file} does not exist",
		Unless: `package`,
		Literals: []string{
			"no such file or directory: '", "no such file or directory: \"", "no such file or directory: `",
			"does not exist", "cannot find the path specified", "directory name is invalid", "directory not found",
			"no such directory", "error accessing directory", "could not read package.json", "no `pyproject.toml`",
			"file not found", "not a directory", "folder not found", "winerror 3]", "winerror 267", "dotenv file not found",
			"cannot access", "volume label syntax", "not found", "cannot be found", "doesn't exist", "a valid directory",
			"no such", "pyproject.toml",
		},
		Wordings: []string{
			`No such file or directory: {Q}(?P<path>[^"'\n]*[\\/][^"'\n]*){Q}`,
			`(?:directory|folder|file|path|vault|database|repository|project|workspace|cwd|root)(?: path| directory| file)?:? {q}(?P<path>{path}?|[\w./\\-]+\.\w{1,5}){q} (?:does not exist|doesn't exist|not found|was not found|is not a directory|cannot be found)`,
			`{Q}(?P<path>{path}){Q} (?:does not exist|doesn't exist|is not a (?:valid )?directory|not found|was not found|no such)`,
			`(?P<path>(?:/|[a-z]:[\\/]|~/)[^\s"':;,]+) (?:does not exist|doesn't exist|is not a (?:valid )?directory|not found|was not found|no such)`,
			`(?:file|directory|folder) (?:not found|does not exist):? {q}(?P<path>{path})`,
			`error accessing directory {q}(?P<path>[^\n"':]{1,200})`,
			`cannot find the path specified`,
			`The directory name is invalid`,
			`\[WinError (?:3|267)\]`,
			`Could not read package\.json`,
			`No .pyproject\.toml. found`,
			`no such directory`,
			`volume label syntax is incorrect`,
		},
		Explanation: "The server or the system looked for {path|a path} that does not exist.",
		Remedy:      "Correct the path in the server's entry; write it in full, with / or doubled \\ on Windows.",
		Example:     "Error: Directory /home/you/notes does not exist",
	},
	{
		Code: "MCP1406", Category: PathNotFound, Severity: Error, Specificity: 92,
		Title:    "A variable in a path was not replaced",
		Literals: []string{"${", "%appdata%", "%userprofile%", "$home", "%localappdata%", "%home%"},
		Wordings: []string{
			`(?:no such file|ENOENT|lstat|not found|does not exist|cannot find|can't open)[^\n]{0,200}?(?P<path>[^\s"']*(?:\$\{[\w:.]+\}|%(?:APPDATA|USERPROFILE|LOCALAPPDATA|HOME)%|\$HOME)[^\s"']*)`,
		},
		Explanation: "The path still holds the name of a variable: the client passes it on as it stands.",
		Remedy:      "Write the folder itself in place of the variable. On Windows npm also wants APPDATA in \"env\".",
		Example:     `npm error enoent ENOENT: no such file or directory, lstat 'C:\Users\you\${APPDATA}'`,
	},
	{
		Code: "MCP1407", Category: PathNotFound, Severity: Error, Specificity: 58,
		Title:    "The server cannot open its database file",
		Literals: []string{"unable to open database file", "sqlite_cantopen"},
		Wordings: []string{
			`(?:\w*Error: )?(?:\d+: )?unable to open database file`,
			`SQLITE_CANTOPEN`,
		},
		Explanation: "The folder of the database does not exist, or the client's working folder may not be written to.",
		Remedy:      "Give the database's absolute path in a folder that you own.",
		Example:     "SqliteError: unable to open database file",
	},
}
