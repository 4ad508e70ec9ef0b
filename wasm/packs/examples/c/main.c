// A fix module in C: proposes python -u for servers that time out.
// The request comes on stdin, the answer goes to stdout, and that is all.
#include <stdio.h>
#include <stdlib.h>

#include "json.h"

static char request[2 << 20];

// python tells whether the command is Python, by whatever path.
static int python(const char *command) {
	if (!command || *command != '"') return 0;
	const char *end = json_skip(command) - 1, *name = end;
	while (name[-1] != '/' && name[-1] != '\\' && name[-1] != '"') name--;
	size_t n = (size_t)(end - name);
	return (n == 6 && !strncmp(name, "python", n)) || (n == 7 && !strncmp(name, "python3", n)) || (n == 10 && !strncmp(name, "python.exe", n));
}

// unbuffered tells whether -u is among the arguments already.
static int unbuffered(const char *args) {
	if (!args || *args != '[') return 1; // no list to add to
	for (const char *p = json_space(args + 1); *p && *p != ']'; p = json_space(json_skip(p)))
		if (json_is(p, "-u")) return 1;
	return 0;
}

int main(void) {
	size_t n = fread(request, 1, sizeof request - 1, stdin);
	request[n] = 0;
	const char *server = json_member(request, "server");
	const char *pointer = json_member(server, "pointer");
	if (!pointer || !python(json_member(server, "command")) || unbuffered(json_member(server, "args"))) {
		puts("{\"abi\":1,\"fixes\":[]}");
		return 0;
	}
	int length = (int)(json_skip(pointer) - pointer) - 2; // without the quotes; escapes stay as they are
	printf("{\"abi\":1,\"fixes\":[{\"id\":\"python-unbuffered\",\"title\":\"Let Python write at once\","
	       "\"description\":\"Python holds back what it prints to a pipe. With -u the client gets each line as it is written.\","
	       "\"patch\":[{\"op\":\"add\",\"path\":\"%.*s/args/0\",\"value\":\"-u\"}],\"confidence\":0.6}]}\n",
	       length, pointer + 1);
	return 0;
}
