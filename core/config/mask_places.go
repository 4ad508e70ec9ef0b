package config

import "strings"

// maskAddresses hides the password, or the token, before the @ of a URL.
func maskAddresses(v *view, add func(start, end int)) {
	text := v.text
	for i := 0; ; {
		at := strings.Index(text[i:], "://")
		if at < 0 {
			return
		}
		start := i + at + len("://")
		end := start
		for end < len(text) && !strings.ContainsRune("/?# \t\r\n\"'`<>", rune(text[end])) {
			end++
		}
		i = start
		sign := strings.LastIndexByte(text[start:end], '@')
		if sign < 0 {
			continue
		}
		user, password, found := strings.Cut(text[start:start+sign], ":")
		switch {
		case found && password != "" && !isPlaceholder(password):
			add(start+len(user)+1, start+sign)
		case !found && len(user) >= 16 && !isPlaceholder(user) && user != hidden:
			add(start, start+sign)
		}
	}
}

// maskPrivateKeys hides what stands between the lines of a PEM block, or all
// that follows where the block was cut.
func maskPrivateKeys(v *view, add func(start, end int)) {
	const begin, end = "PRIVATE KEY-----", "-----END"
	text := v.text
	last := strings.LastIndex(text, end)
	for i := 0; ; {
		at := strings.Index(text[i:], begin)
		if at < 0 {
			return
		}
		start := i + at + len(begin)
		stop := len(text) - start
		if start <= last {
			stop = strings.Index(text[start:], end)
		} else {
			if quote := strings.IndexAny(text[start:], "\"'`"); quote >= 0 {
				stop = quote
			}
		}
		i = start + stop
		if body := strings.TrimSpace(text[start:i]); body != "" && body != hidden {
			add(start, i)
		}
		if next := strings.Index(text[i:], "KEY-----"); next >= 0 && strings.HasPrefix(text[i:], end) {
			i += next + len("KEY-----")
		}
	}
}
