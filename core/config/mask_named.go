package config

import "strings"

// strength is how surely a name says that its value is secret.
type strength uint8

const (
	notSecret strength = iota
	maybeSecret
	surelySecret
)

// secretWords are the words of a name that make its value secret. Those that
// only may do so need a value that looks random.
var secretWords = map[string]strength{
	"token": surelySecret, "tokens": maybeSecret, "secret": surelySecret, "secrets": surelySecret,
	"password": surelySecret, "passwd": surelySecret, "pwd": surelySecret, "passphrase": surelySecret,
	"pass": surelySecret, "apikey": surelySecret, "authorization": surelySecret, "credential": surelySecret,
	"credentials": surelySecret, "bearer": surelySecret, "jwt": surelySecret, "pat": surelySecret,
	"cookie": surelySecret, "dsn": surelySecret, "webhook": maybeSecret, "auth": maybeSecret,
	"authtoken": surelySecret, "accesskey": surelySecret, "secretkey": surelySecret, "privatekey": surelySecret,
	"accesstoken": surelySecret, "refreshtoken": surelySecret, "clientsecret": surelySecret,
	"session": maybeSecret, "signature": maybeSecret, "sig": maybeSecret, "salt": maybeSecret, "key": maybeSecret,
	"connectionstring": surelySecret, "keys": maybeSecret,
}

// keyWords make a key secret when they stand beside the word "key".
var keyWords = map[string]bool{
	"api": true, "access": true, "private": true, "secret": true, "auth": true, "encryption": true,
	"signing": true, "account": true, "master": true, "service": true, "ssh": true, "license": true,
	"app": true, "application": true, "subscription": true, "storage": true, "admin": true, "x": true,
}

// harmlessWords end a name that is about a secret without being one, such as
// TOKEN_URL or PASSWORD_FILE.
var harmlessWords = map[string]bool{
	"url": true, "uri": true, "endpoint": true, "file": true, "path": true, "name": true, "type": true,
	"id": true, "count": true, "limit": true, "length": true, "expiry": true, "expires": true, "ttl": true,
	"env": true, "var": true, "dir": true, "header": true, "size": true, "max": true, "min": true,
	"field": true, "required": true, "enabled": true, "method": true, "mode": true, "prompt": true,
	"server": true, "servers": true, "provider": true, "scope": true, "scopes": true, "version": true,
	"timeout": true, "usage": true, "used": true, "format": true, "command": true, "helper": true,
}

// secretName judges a name by its words, split at signs and capitals.
func secretName(name string) strength {
	var few [8]string // as most names have, so that nothing is allocated for them
	words := nameWords(few[:0], name)
	if len(words) == 0 || harmlessWords[words[len(words)-1]] || words[0] == "max" {
		return notSecret
	}
	found := notSecret
	for i, w := range words {
		s := secretWords[w]
		if w == "key" && (i > 0 && keyWords[words[i-1]] || i > 0 && i == len(words)-1 && name == strings.ToUpper(name)) {
			s = surelySecret
		}
		if w == "string" && i > 0 && words[i-1] == "connection" {
			s = surelySecret
		}
		found = max(found, s)
	}
	return found
}

// nameWords splits GITHUB_TOKEN, x-api-key and accessToken and adds the words.
func nameWords(words []string, name string) []string {
	start := 0
	flush := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(name[start:end]))
		}
		start = end
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c == '_' || c == '-' || c == '.' || c == ' ':
			flush(i)
			start = i + 1
		case c >= 'A' && c <= 'Z' && i > start && (name[i-1] >= 'a' && name[i-1] <= 'z' ||
			i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z' && name[i-1] >= 'A' && name[i-1] <= 'Z'):
			flush(i)
		}
	}
	flush(len(name))
	return words
}

// maskNamed hides the values of names that say they are secret, in JSON,
// YAML, TOML, shell, headers, query strings and command lines.
func maskNamed(v *view, add func(start, end int)) {
	text := v.text
	for i := 0; i < len(text); {
		if !isNameByte(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && isNameByte(text[i]) {
			i++
		}
		if i-start > 100 {
			continue
		}
		s := secretName(text[start:i])
		query := start > 0 && (text[start-1] == '?' || text[start-1] == '&')
		if s == notSecret && !(query && (text[start:i] == "code" || text[start:i] == "k")) {
			continue
		}
		from, to, sure := namedValue(v, start, i)
		if from >= to || text[from:to] == hidden {
			continue
		}
		value := text[from:to]
		if s != surelySecret && !query || !sure {
			if !looksRandom(value) {
				continue
			}
		}
		if isPlaceholder(value) || isCount(value) && s != notSecret && !strings.Contains(strings.ToLower(text[start:i]), "pass") {
			continue
		}
		add(from+visiblePrefix(value), to)
		i = max(i, to)
	}
}

// maxValue is how far the end of a quoted value is looked for.
const maxValue = 1 << 13

func isNameByte(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// isCount tells whether a value is a small number, as of max_tokens.
func isCount(value string) bool {
	return len(value) < 8 && strings.Trim(value, "0123456789.") == ""
}

// namedValue finds the value of the name at text[start:end]. sure is false
// where the two could just as well be words of a sentence.
func namedValue(v *view, start, end int) (from, to int, sure bool) {
	text := v.text
	flag := text[start] == '-'
	i := end
	quoted := i < len(text) && (text[i] == '"' || text[i] == '\'' || text[i] == '`')
	if quoted {
		i++
	}
	if flag {
		if next, ok := nextArgument(text, i, quoted); ok {
			from, to, _ = valueRange(v, next)
			return from, to, true
		}
	}
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	if i >= len(text) || text[i] != ':' && text[i] != '=' {
		if from = skipScheme(text, start, len(text)); from > start {
			from, to, _ = valueRange(v, from) // Bearer and a token, wherever it stands
			return from, to, false
		}
		return 0, 0, false
	}
	equals := text[i] == '='
	for i < len(text) && (text[i] == ':' || text[i] == '=' || text[i] == '>') {
		i++
	}
	tight := i < len(text) && text[i] != ' '
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || quoted && (text[i] == '\n' || text[i] == '\r')) {
		i++
	}
	sure = quoted || flag || equals || tight || startsLine(text, start) || strings.ContainsAny(text[start:end], "_-")
	from, to, whole := valueRange(v, i)
	if from < to && !whole && !quoted && !equals && !isHeader(text[start:end]) && followedByWords(text, to) {
		sure = false // "token: expected a string"
	}
	return from, to, sure
}

// nextArgument finds the argument after a flag: after a blank on a command
// line, or the next element of a list.
func nextArgument(text string, i int, quoted bool) (int, bool) {
	start := i
	if quoted && i < len(text) && text[i] == ',' {
		i++
	} else if quoted {
		return 0, false
	}
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	if strings.HasPrefix(text[i:], "- ") {
		i += 2
	}
	if i == start || i >= len(text) || text[i] == '-' || text[i] == '=' || text[i] == ':' {
		return 0, false
	}
	if quoted && text[i] != '"' && text[i] != '\'' {
		return 0, false
	}
	if i+1 < len(text) && (text[i] == '"' || text[i] == '\'') && text[i+1] == '-' {
		return 0, false
	}
	return i, true
}

// valueRange gives the value that begins at i, without its quotes and without
// the scheme of an Authorization header. whole tells that quotes enclosed it.
func valueRange(v *view, i int) (from, to int, whole bool) {
	text := v.text
	if i >= len(text) {
		return 0, 0, false
	}
	from = i
	if q := text[i]; q == '"' || q == '\'' || q == '`' {
		from++
		to = from
		for to < len(text) && !(text[to] == q && v.quoteWidth(to) == v.quoteWidth(i)) && to-from < maxValue {
			to++
		}
		return skipScheme(text, from, to), to, true
	}
	if strings.ContainsRune("{[(<,;)]}|&", rune(text[i])) && text[i] != '<' {
		return 0, 0, false
	}
	end := i
	for end < len(text) && !strings.ContainsRune(" \t\r\n,;&\"'`)]}|", rune(text[end])) {
		end++
	}
	if scheme := skipScheme(text, from, min(len(text), end+1)); scheme > from {
		from = scheme
		for end = from; end < len(text) && !strings.ContainsRune(" \t\r\n,;&\"'`)]}|", rune(text[end])); {
			end++
		}
	}
	return from, end, false
}

// schemes stand before the credentials in an Authorization header.
var schemes = [...]string{"bearer ", "basic ", "token ", "apikey ", "api-key ", "digest "}

func skipScheme(text string, from, to int) int {
	for _, s := range schemes {
		if to-from >= len(s) && strings.EqualFold(text[from:from+len(s)], s) {
			from += len(s)
			for from < to && text[from] == ' ' {
				from++
			}
			return from
		}
	}
	return from
}

func isHeader(name string) bool {
	return strings.EqualFold(name, "authorization") || strings.EqualFold(name, "cookie")
}

func startsLine(text string, pos int) bool {
	for pos > 0 && (text[pos-1] == ' ' || text[pos-1] == '\t' || text[pos-1] == '-') {
		pos--
	}
	return pos == 0 || text[pos-1] == '\n'
}

// followedByWords tells whether a sentence goes on after pos.
func followedByWords(text string, pos int) bool {
	if pos+1 >= len(text) || text[pos] != ' ' {
		return false
	}
	c := text[pos+1] | 0x20
	return c >= 'a' && c <= 'z'
}
