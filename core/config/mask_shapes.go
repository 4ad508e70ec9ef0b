package config

import (
	"encoding/base64"
	"strings"
)

// tokenShape is a kind of token that its beginning gives away.
type tokenShape struct {
	prefix string
	min    int    // characters that must follow
	more   string // that may follow besides letters, digits, - and _
}

// tokenShapes are ordered so that of two that fit the longer comes first.
var tokenShapes = []tokenShape{
	{"sk-ant-", 8, ""}, {"sk-proj-", 8, ""}, {"sk-or-v1-", 8, ""}, {"sk-or-", 8, ""}, {"sk-svcacct-", 8, ""},
	{"sk-lf-", 8, ""}, {"pk-lf-", 8, ""}, {"sk_live_", 8, ""}, {"sk_test_", 8, ""}, {"rk_live_", 8, ""},
	{"rk_test_", 8, ""}, {"pk_live_", 8, ""}, {"whsec_", 12, "+/="}, {"sk-", 16, ""},
	{"ghp_", 12, ""}, {"gho_", 12, ""}, {"ghu_", 12, ""}, {"ghs_", 12, ""}, {"ghr_", 12, ""},
	{"github_pat_", 12, ""}, {"glpat-", 12, "."}, {"gldt-", 12, ""}, {"glrt-", 12, ""}, {"glptt-", 12, ""},
	{"xoxb-", 10, ""}, {"xoxp-", 10, ""}, {"xoxa-", 10, ""}, {"xoxs-", 10, ""}, {"xoxr-", 10, ""}, {"xoxe.", 10, "."},
	{"xoxc-", 10, ""}, {"xoxd-", 10, "%"}, {"xapp-", 10, ""},
	{"AKIA", 16, ""}, {"ASIA", 16, ""}, {"AIza", 30, ""}, {"ya29.", 16, "."}, {"GOCSPX-", 16, ""}, {"1//0", 30, ""},
	{"npm_", 24, ""}, {"hf_", 16, ""}, {"pypi-", 24, ""}, {"dop_v1_", 24, ""}, {"doo_v1_", 24, ""},
	{"shpat_", 16, ""}, {"shpss_", 16, ""}, {"shpca_", 16, ""}, {"SG.", 20, "."}, {"key-", 30, ""},
	{"lin_api_", 16, ""}, {"lin_oauth_", 16, ""}, {"ntn_", 20, ""}, {"secret_", 30, ""}, {"tvly-", 16, ""},
	{"fc-", 24, ""}, {"pplx-", 24, ""}, {"gsk_", 24, ""}, {"xai-", 24, ""}, {"r8_", 24, ""}, {"figd_", 16, ""},
	{"BSA", 24, ""}, {"ctx7sk-", 16, ""}, {"sbp_", 24, ""}, {"sb_secret_", 12, ""}, {"ATATT3", 24, "="}, {"ATCTT3", 24, "="},
	{"dapi", 32, ""}, {"PMAK-", 24, ""}, {"NRAK-", 20, ""}, {"glc_", 24, "="}, {"sntrys_", 24, "=+/"},
	{"sntryu_", 24, ""}, {"nvapi-", 24, ""}, {"rpa_", 24, ""}, {"apify_api_", 16, ""}, {"AGE-SECRET-KEY-1", 24, ""},
	{"hvs.", 20, ""}, {"dckr_pat_", 16, ""}, {"dt0c01.", 24, "."}, {"EAAC", 40, ""}, {"sq0csp-", 20, ""},
	{"sq0atp-", 20, ""}, {"pat-na1-", 16, ""}, {"rnd_", 20, ""}, {"tskey-", 16, ""}, {"CFPAT-", 24, ""}, {"phx_", 24, ""},
	{"hooks.slack.com/services/", 20, "/"}, {"discord.com/api/webhooks/", 24, "/"},
	{"eyJ", 16, ".="},
}

// shapesByFirst indexes the table by the first byte of the prefix.
var shapesByFirst = func() (index [256][]tokenShape) {
	for _, s := range tokenShapes {
		index[s.prefix[0]] = append(index[s.prefix[0]], s)
	}
	return index
}()

// maskShapes hides tokens of known shapes, and long random words.
func maskShapes(v *view, add func(start, end int)) {
	text := v.text
	boundary := true
	parts := 0 // of the word so far; only the first few can begin a token
	for i := 0; i < len(text); {
		c := text[i]
		if c != '-' && c != '_' && c != '+' && !isLetterOrDigit(c) {
			parts = 0
		}
		if boundary {
			parts++
		}
		if boundary && parts <= 8 {
			if start, end := shapeAt(text, i); end > 0 {
				if end-start >= maxToken {
					end = wordEnd(text, end)
				}
				add(start, end)
				i = end
				continue
			}
			if end := digestEnd(text, i); end > 0 {
				i = end
				continue
			}
			if end := randomWord(text, i); end > 0 {
				add(i, end)
				i = end
				continue
			}
		}
		boundary = !isLetterOrDigit(c)
		i++
	}
}

func isLetterOrDigit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// shapeAt recognises a token at pos and gives the part of it to hide. A token
// that the end of a line cuts goes on at the start of the next.
func shapeAt(text string, pos int) (start, end int) {
	for _, s := range shapesByFirst[text[pos]] {
		if !strings.HasPrefix(text[pos:], s.prefix) {
			continue
		}
		start = pos + len(s.prefix)
		end = tokenEnd(text, start, s.more)
		size := end - start
		if next := continued(text, end); next > 0 {
			more := tokenEnd(text, next, s.more)
			if rest := text[next:more]; len(rest) >= 6 && strings.ContainsAny(rest, "0123456789") && mixed(rest) {
				size += len(rest)
				end = more
			}
		}
		if size < s.min || vague(text[start:end]) || s.prefix == "eyJ" && strings.Count(text[start:end], ".") == 0 {
			continue
		}
		if len(s.prefix) < 5 && !strings.ContainsAny(text[start:end], "0123456789") {
			continue // sk-something-in-words
		}
		return start, end
	}
	return 0, 0
}

// maxToken is how much of a word is looked at to tell whether it is a token;
// it keeps the work linear in a text that is one long word.
const maxToken = 512

func tokenEnd(text string, pos int, more string) int {
	limit := min(len(text), pos+maxToken)
	for pos < limit && (isLetterOrDigit(text[pos]) || text[pos] == '-' || text[pos] == '_' ||
		more != "" && strings.IndexByte(more, text[pos]) >= 0) {
		pos++
	}
	return pos
}

// continued gives the place where a token goes on that ended at the end of a
// line, perhaps inside quotes, or 0.
func continued(text string, end int) int {
	rest := strings.TrimLeft(text[end:min(len(text), end+4)], "\"'\\ +")
	broken := strings.TrimLeft(rest, "\r\n")
	if broken == rest {
		return 0
	}
	next := end
	for next < len(text) && next < end+40 && strings.IndexByte("\"'\\ +\r\n\t", text[next]) >= 0 {
		next++
	}
	return next
}

// vague tells whether what follows a prefix is a filler and no token.
func vague(body string) bool {
	lower := strings.ToLower(body)
	for _, word := range [...]string{"xxxx", "your", "placeholder", "redacted", "....", "****"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return distinct(lower) < 5
}

func distinct(s string) int {
	var seen [256]bool
	count := 0
	for i := range len(s) {
		if !seen[s[i]] {
			seen[s[i]] = true
			count++
		}
	}
	return count
}

// visiblePrefix gives how much of a secret may be shown: the prefix that says
// what kind of token it is.
func visiblePrefix(value string) int {
	if value == "" {
		return 0
	}
	from := skipScheme(value, 0, len(value))
	if from < len(value) {
		for _, s := range shapesByFirst[value[from]] {
			if strings.HasPrefix(value[from:], s.prefix) && len(value)-from > len(s.prefix)+4 {
				return from + len(s.prefix)
			}
		}
	}
	return from
}

// digests are evidence and no secret. These words stand before one.
var digests = [...]string{"sha256:", "sha512:", "sha1:", "sha256-", "sha384-", "sha512-", "sha1-", "md5:", "commit "}

// digestEnd gives the end of the digest at pos, or 0.
func digestEnd(text string, pos int) int {
	for _, d := range digests {
		if strings.HasPrefix(text[pos:], d) {
			return tokenEnd(text, pos+len(d), "+/=")
		}
	}
	return 0
}

// randomWord recognises a long word that only chance can have written: base64
// and the like, or hexadecimal. It gives its end, or 0.
func randomWord(text string, pos int) int {
	if !isLetterOrDigit(text[pos]) {
		return 0
	}
	end := pos
	hex := true
	limit := min(len(text), pos+maxToken)
	for end < limit && (isLetterOrDigit(text[end]) || text[end] == '_' || text[end] == '-' || text[end] == '+') {
		c := text[end] | 0x20
		hex = hex && (c >= 'a' && c <= 'f' || c >= '0' && c <= '9')
		end++
	}
	word := text[pos:end]
	if len(word) < 20 {
		return 0
	}
	switch {
	case hex:
		if len(word) < 32 || len(word) == 40 || distinct(word) < 8 {
			return 0 // 40 is a commit
		}
	case encodesToken(word):
	case len(word) < 32 || !random(word):
		return 0
	}
	return wordEnd(text, end)
}

// wordEnd goes on to the end of a word that is a token.
func wordEnd(text string, end int) int {
	for end < len(text) && (isLetterOrDigit(text[end]) || strings.IndexByte("_-+=", text[end]) >= 0) {
		end++
	}
	return end
}

// encodesToken tells whether a word is base64 of a token or of a password.
func encodesToken(word string) bool {
	plain, err := base64.RawStdEncoding.DecodeString(word[:len(word)/4*4])
	if err != nil {
		return false
	}
	for _, c := range plain {
		if c < ' ' || c > 0x7e {
			return false
		}
	}
	_, end := shapeAt(string(plain)+" ", 0)
	return end > 0
}

// random tells whether letters and digits change as they do only by chance:
// words and names keep to one kind for longer.
func random(word string) bool {
	var upper, lower, digits, changes int
	last := 0
	for i := range len(word) {
		kind := 0
		switch c := word[i]; {
		case c >= 'a' && c <= 'z':
			kind = 1
			lower++
		case c >= 'A' && c <= 'Z':
			kind = 2
			upper++
		case c >= '0' && c <= '9':
			kind = 3
			digits++
		default:
			continue
		}
		if last != 0 && kind != last {
			changes++
		}
		last = kind
	}
	return upper > 2 && lower > 2 && digits > 1 && changes*3 >= len(word) && distinct(word) > 12
}

// looksRandom tells whether a value whose name may mean a secret is one.
func looksRandom(value string) bool {
	return len(value) >= 12 && strings.ContainsAny(value, "0123456789") && mixed(value) && !strings.ContainsAny(value, " /\\:") && !isPlaceholder(value)
}

// mixed tells whether a value has letters besides digits.
func mixed(value string) bool {
	return strings.Trim(value, "0123456789.-_") != ""
}

// placeholderWords stand where the user is to put a value.
var placeholderWords = []string{
	"your", "placeholder", "redacted", "removed", "xxxx", "<", "...", "…", "****", "${", "{{", "$(", "%{", "insert", "changeme", "change-me", "replace",
}

// emptyWords are values that say there is none.
var emptyWords = map[string]bool{
	"": true, "true": true, "false": true, "null": true, "none": true, "nil": true, "undefined": true,
	"yes": true, "no": true, "string": true, "required": true, "missing": true, "invalid": true, "empty": true,
	"set": true, "unset": true, "not": true, "is": true, "was": true, "expected": true, "token": true, "key": true,
	"secret": true, "password": true, "bearer": true, "basic": true, "oauth": true, "oauth2": true, "xxx": true, "here": true,
	"error": true, "failed": true, "expired": true, "value": true, "object": true, "number": true, "unknown": true,
}

// isPlaceholder tells whether a value stands for a secret without being one:
// a reference to a variable, or a word that asks for a value.
func isPlaceholder(value string) bool {
	value = strings.TrimSpace(value)
	lower := strings.ToLower(value)
	if emptyWords[lower] {
		return true
	}
	for _, w := range placeholderWords {
		if strings.Contains(lower, w) {
			return true
		}
	}
	switch {
	case value[0] == '$' && isVariableName(strings.TrimPrefix(value[1:], "env:")):
		return true
	case value[0] == '%' && value[len(value)-1] == '%', strings.HasPrefix(value, "{env:"), strings.HasPrefix(value, "{file:"),
		strings.HasPrefix(lower, "env:"), strings.HasPrefix(value, "op://"), strings.HasPrefix(value, "process.env."):
		return true
	}
	// MY_API_KEY: the name of a variable.
	return len(value) > 3 && strings.ContainsAny(value, "_-") && strings.Trim(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-") == ""
}

func isVariableName(name string) bool {
	return name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}
