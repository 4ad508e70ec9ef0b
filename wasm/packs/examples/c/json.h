// Just enough JSON to find the members of one object. The host writes the
// request, so it is known to be well formed.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// json_skip passes over one value and gives what follows it.
static const char *json_skip(const char *p) {
	int depth = 0;
	do {
		if (*p == '"') {
			for (p++; *p != '"'; p++)
				if (*p == '\\') p++;
		} else if (*p == '{' || *p == '[') {
			depth++;
		} else if (*p == '}' || *p == ']') {
			depth--;
		}
		p++;
	} while (depth > 0 || (*p && !strchr(",:}] \n\t\r", *p)));
	return p;
}

static const char *json_space(const char *p) {
	while (*p && strchr(" \n\t\r,:", *p)) p++;
	return p;
}

// json_member finds the value of a member, or NULL.
static const char *json_member(const char *object, const char *name) {
	if (!object || *object != '{') return NULL;
	const char *p = json_space(object + 1);
	while (*p == '"') {
		size_t n = strlen(name);
		int found = strncmp(p + 1, name, n) == 0 && p[n + 1] == '"';
		p = json_space(json_skip(p));
		if (found) return p;
		p = json_space(json_skip(p));
	}
	return NULL;
}

// json_is tells whether a value is a certain string that needs no escapes.
static int json_is(const char *value, const char *text) {
	size_t n = strlen(text);
	return value && *value == '"' && strncmp(value + 1, text, n) == 0 && value[n + 1] == '"';
}
