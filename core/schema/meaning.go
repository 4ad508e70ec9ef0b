package schema

import (
	"strings"
	"unicode"
)

// meanings maps the last words of a property's name to a value that such a
// property has; the longest run of words wins.
var meanings = map[string]string{
	// people and addresses
	"email": "you@example.com", "mail": "you@example.com", "sender": "you@example.com", "recipient": "team@example.com",
	"cc": "team@example.com", "bcc": "team@example.com", "reply to": "you@example.com", "username": "octo-user", "user": "octo-user",
	"login": "octo-user", "owner": "octo-org", "author": "octo-user", "assignee": "octo-user", "reviewer": "octo-user",
	"organization": "octo-org", "org": "octo-org", "workspace": "main-workspace", "team": "platform", "account": "octo-org",
	"first name": "Alex", "given name": "Alex", "last name": "Example", "family name": "Example", "full name": "Alex Example",
	"display name": "Alex Example", "phone": "+15550100", "phone number": "+15550100", "company": "Example Ltd",
	"address": "1 Example Street", "street": "1 Example Street", "city": "Berlin", "country": "DE", "country code": "DE",
	"state": "open", "region": "eu-west-1", "zone": "eu-west-1a", "location": "Berlin", "postal code": "10115", "zip": "10115", "zip code": "10115",
	"timezone": "Europe/Berlin", "time zone": "Europe/Berlin", "tz": "Europe/Berlin", "locale": "en-US", "language": "en",
	"lang": "en", "currency": "EUR", "currency code": "EUR", "gender": "unspecified", "role": "member",
	// places on the network
	"url": "https://example.com/docs", "uri": "https://example.com/docs", "link": "https://example.com/docs", "href": "https://example.com/docs",
	"website": "https://example.com", "homepage": "https://example.com", "endpoint": "https://example.com/api", "webhook": "https://example.com/hook",
	"webhook url": "https://example.com/hook", "callback url": "https://example.com/callback", "redirect uri": "https://example.com/callback",
	"base url": "https://example.com", "image url": "https://example.com/picture.png", "avatar": "https://example.com/avatar.png",
	"domain": "example.com", "host": "example.com", "hostname": "example.com", "site": "example.com", "ip": "192.0.2.1",
	"ip address": "192.0.2.1", "mac": "00:00:5e:00:53:01", "origin": "https://example.com", "referrer": "https://example.com", "port": "8080",
	"proxy": "http://proxy.example.com:3128", "user agent": "example-client/1.0", "protocol": "https", "subdomain": "docs",
	// files
	"path": "/home/you/project", "file": "/home/you/project/notes.txt", "file path": "/home/you/project/notes.txt", "filepath": "/home/you/project/notes.txt",
	"filename": "notes.txt", "file name": "notes.txt", "absolute path": "/home/you/project/notes.txt", "relative path": "src/main.ts",
	"directory": "/home/you/project", "dir": "/home/you/project", "folder": "/home/you/project", "root": "/home/you/project",
	"project root": "/home/you/project", "project path": "/home/you/project", "cwd": "/home/you/project", "working directory": "/home/you/project",
	"workspace root": "/home/you/project", "output path": "/home/you/project/out.txt", "output": "/home/you/project/out.txt", "input": "notes.txt",
	"output dir": "/home/you/project/out", "source": "src", "destination": "/home/you/project/out", "target": "main", "extension": "txt",
	"image": "picture.png", "image path": "/home/you/project/picture.png", "screenshot": "screenshot.png", "video": "clip.mp4", "audio": "voice.mp3",
	"mime type": "text/plain", "content type": "text/plain", "media type": "text/plain", "encoding": "utf-8", "charset": "utf-8", "glob": "src/**/*.ts",
	"workbook": "/home/you/project/report.xlsx", "sheet": "Sheet1", "sheet name": "Sheet1", "range": "A1:C10", "cell": "A1", "app path": "/home/you/project/build/Example.app",
	// code and version control
	"repo": "hello-world", "repository": "hello-world", "repo name": "hello-world", "branch": "main", "base": "main", "head": "feature/example",
	"ref": "main", "sha": "0123456789abcdef0123456789abcdef01234567", "commit": "0123456789abcdef0123456789abcdef01234567", "commit hash": "0123456789abcdef0123456789abcdef01234567",
	"tag": "important", "tag name": "v1.2.3", "version": "1.2.3", "release": "1.2.3", "package": "example-package", "package name": "example-package", "module": "core", "library": "react",
	"framework": "react", "component": "button", "function": "main", "function name": "main", "method": "GET", "class": "Example", "class name": "Example",
	"symbol": "main", "language id": "typescript", "code": "console.log(\"hello\")", "script": "console.log(\"hello\")", "expression": "1 + 1", "command": "ls -la",
	"cmd": "ls -la", "args": "--help", "snippet": "console.log(\"hello\")", "diff": "--- a/notes.txt\n+++ b/notes.txt", "patch": "--- a/notes.txt\n+++ b/notes.txt",
	"pattern": "TODO", "regex": "^[a-z]+$", "selector": "#submit", "css selector": "#submit", "xpath": "//button[1]", "element": "Submit button",
	"uid": "1_42", "pull request": "42", "milestone": "v1.0", "environment": "production", "env": "production", "stage": "production", "scheme": "Example", "bundle id": "com.example.app",
	// text
	"name": "Example name", "title": "Example title", "subject": "Weekly report", "label": "bug", "description": "A short description", "summary": "A short summary",
	"text": "Hello from the example", "content": "Hello from the example", "body": "Hello from the example", "message": "Hello from the example",
	"comment": "Looks good to me", "note": "Remember the milk", "notes": "Remember the milk", "caption": "A short caption", "prompt": "Summarise this text in one sentence",
	"question": "How do I get started?", "answer": "See the getting started guide", "instruction": "Summarise the page", "instructions": "Summarise the page", "task": "Write the weekly report",
	"query": "latest release notes", "q": "latest release notes", "search": "latest release notes", "search query": "latest release notes", "keyword": "release",
	"search term": "release notes", "term": "release notes", "topic": "getting started", "category": "documentation", "intent": "list the open items", "reason": "No longer needed", "goal": "Find the release date",
	"thought": "First look at the inputs", "markdown": "# Hello", "html": "<p>Hello</p>", "css": "body { color: black; }", "xml": "<note/>", "yaml": "key: value",
	"value": "example value", "values": "example value", "default": "example value", "emoji": "thumbsup", "icon": "star", "color": "#3366ff", "colour": "#3366ff", "font": "Inter", "size": "medium", "style": "plain", "theme": "light",
	"slug": "example-page", "handle": "octo-user", "alias": "example", "nickname": "Alex", "prefix": "example-", "suffix": "-example", "section": "introduction",
	// data stores
	"sql": "SELECT 1", "database": "app", "db": "app", "database name": "app", "table": "users", "table name": "users", "schema": "public", "collection": "users", "index": "main",
	"column": "created_at", "field": "created_at", "bucket": "example-bucket", "key": "example-key", "namespace": "default", "cluster": "main", "container": "web", "service": "web", "queue": "jobs",
	"stream": "events", "dataset": "events", "connection string": "postgres://localhost:5432/app", "filter": "status = 'open'", "where": "status = 'open'", "order by": "created_at", "sort": "created_at", "sort by": "created_at",
	"group by": "status", "metric": "requests", "dashboard": "overview", "resource": "web", "resource group": "main", "subscription": "main", "tenant": "main", "pod": "web-1", "node": "node-1", "deployment": "web", "instance": "web-1", "log group": "/app/web",
	// identifiers
	"id": "abc123", "ids": "abc123", "uuid": "123e4567-e89b-12d3-a456-426614174000", "guid": "123e4567-e89b-12d3-a456-426614174000", "identifier": "abc123", "number": "42",
	"issue key": "PROJ-123", "issue": "PROJ-123", "ticket": "PROJ-123", "project": "example-project", "project key": "PROJ", "project id": "example-project", "channel": "general", "channel id": "C0123456789",
	"thread": "1700000000.000100", "hash": "0123456789abcdef", "checksum": "0123456789abcdef", "token": "YOUR_TOKEN", "api key": "YOUR_API_KEY", "apikey": "YOUR_API_KEY", "secret": "YOUR_SECRET", "password": "YOUR_PASSWORD",
	"access token": "YOUR_TOKEN", "page token": "next-page-token", "next token": "next-page-token", "cursor": "next-page-token", "page cursor": "next-page-token", "after": "next-page-token", "before": "next-page-token", "continuation token": "next-page-token",
	"session": "session-1", "session id": "session-1", "device": "device-1", "udid": "123E4567-E89B-12D3-A456-426614174000", "run": "run-1", "job": "job-1", "workflow": "build", "agent": "assistant", "model": "example-model", "provider": "example", "tool": "search", "template": "welcome", "profile": "default", "plan": "free", "event": "created", "trigger": "push", "action": "list", "operation": "list", "mode": "default", "type": "default", "kind": "default", "status": "open", "level": "info", "severity": "high", "priority": "high", "format": "json", "platform": "linux", "unit": "celsius", "visibility": "private", "scope": "read", "permission": "read", "strategy": "default", "engine": "default",
	// time
	"date": "2026-01-31", "day": "2026-01-31", "time": "14:30", "datetime": "2026-01-31T14:30:00Z", "date time": "2026-01-31T14:30:00Z", "timestamp": "2026-01-31T14:30:00Z", "start": "2026-01-31T14:30:00Z", "end": "2026-01-31T15:30:00Z",
	"start date": "2026-01-01", "end date": "2026-01-31", "due date": "2026-01-31", "from": "2026-01-01", "to": "2026-01-31", "from date": "2026-01-01", "to date": "2026-01-31", "since": "2026-01-01T00:00:00Z", "until": "2026-01-31T23:59:59Z",
	"start time": "2026-01-31T14:30:00Z", "end time": "2026-01-31T15:30:00Z", "created at": "2026-01-31T14:30:00Z", "updated at": "2026-01-31T14:30:00Z", "expires at": "2026-12-31T23:59:59Z", "deadline": "2026-01-31", "month": "2026-01", "year": "2026", "week": "2026-W05", "duration": "30m", "interval": "1h", "timeframe": "last 7 days", "time range": "last 7 days", "period": "last 7 days", "cron": "0 9 * * 1", "schedule": "0 9 * * 1", "cron expression": "0 9 * * 1",
	// chains, maps and measures
	"coin": "bitcoin", "ticker": "ACME", "wallet": "0x0000000000000000000000000000000000000001", "contract": "0x0000000000000000000000000000000000000001", "network": "mainnet", "chain": "mainnet", "amount": "10.00", "price": "10.00", "latitude": "52.52", "longitude": "13.405", "coordinates": "52.52,13.405", "weight": "1.5", "percentage": "50",
}

// numberMeanings is the same for numbers.
var numberMeanings = map[string]int64{
	"port": 8080, "limit": 10, "max results": 10, "count": 10, "page": 1, "page size": 20, "per page": 20, "size": 20, "offset": 0, "skip": 0,
	"timeout": 30, "timeout ms": 30000, "timeout seconds": 30, "retries": 3, "max retries": 3, "depth": 2, "max depth": 2, "width": 1280, "height": 720,
	"year": 2026, "month": 1, "day": 31, "hour": 14, "minute": 30, "quality": 80, "temperature": 20, "top k": 5, "k": 5, "n": 5, "id": 42, "number": 42,
	"issue number": 42, "pull number": 42, "pr number": 42, "line": 10, "start line": 1, "end line": 20, "column": 1, "index": 0, "x": 100, "y": 200, "latitude": 52, "longitude": 13,
	"lat": 52, "lon": 13, "lng": 13, "age": 30, "amount": 100, "price": 10, "quantity": 1, "days": 7, "hours": 24, "minutes": 30, "seconds": 60, "priority": 1, "position": 1,
	"timestamp": 1769869800, "start": 0, "end": 10, "from": 1769869800, "to": 1769956200, "zoom": 10, "scale": 1, "radius": 1000, "step": 1, "max tokens": 1000, "duration": 60, "delay": 5, "interval": 60,
}

// meaning gives a text that a property of this name may hold. A name that is
// not known gives a text made of itself.
func meaning(name, description string) string {
	words := nameWords(name)
	if value, ok := byLastWords(meanings, words); ok {
		if value == meanings["id"] && len(words) > 1 {
			return strings.Join(words[:len(words)-1], "-") + "-123"
		}
		return value
	}
	lower := strings.ToLower(description)
	for _, clue := range []struct{ word, value string }{
		{"url", "https://example.com/docs"}, {"email", "you@example.com"}, {"iso 8601", "2026-01-31T14:30:00Z"}, {"yyyy-mm-dd", "2026-01-31"},
		{"uuid", "123e4567-e89b-12d3-a456-426614174000"}, {"absolute path", "/home/you/project/notes.txt"}, {"file path", "/home/you/project/notes.txt"}, {"path to", "/home/you/project/notes.txt"},
		{"json", `{"key": "value"}`},
	} {
		if strings.Contains(lower, clue.word) {
			return clue.value
		}
	}
	if len(words) == 0 {
		return "example text"
	}
	return "example " + strings.Join(words, " ")
}

func numberMeaning(name string) (int64, bool) {
	return byLastWords(numberMeanings, nameWords(name))
}

// byLastWords looks the last words of a name up, the longest run first.
func byLastWords[V any](table map[string]V, words []string) (V, bool) {
	for i := range words {
		if value, ok := table[strings.Join(words[i:], " ")]; ok {
			return value, true
		}
	}
	if len(words) > 0 {
		last := words[len(words)-1]
		if one := singular(last); one != last {
			return byLastWords(table, append(append([]string{}, words[:len(words)-1]...), one))
		}
	}
	var none V
	return none, false
}

// nameWords splits a name: maxResults, max_results and max-results are two
// words.
func nameWords(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = nil
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(runes[i-1])):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return words
}

// markers introduce an example in a description.
var markers = []string{"e.g.", "eg.", "for example", "example:", "examples:", "such as", "for instance", "e.g", "like"}

// quotedExamples finds the values that a description gives as examples:
// (e.g. "octo/hello"), for example 'main', such as `v1`.
func quotedExamples(description string) []string {
	var out []string
	lower := strings.ToLower(description)
	if len(lower) != len(description) || len(description) > 5000 {
		return nil
	}
	for _, marker := range markers {
		from := 0
		for {
			at := strings.Index(lower[from:], marker)
			if at < 0 {
				break
			}
			from += at + len(marker)
			quotedOnly := marker == "like" || marker == "such as"
			if value, ok := exampleAt(description[from:], quotedOnly); ok {
				out = append(out, value)
			}
		}
	}
	return out
}

// exampleAt reads the value at the beginning of a text, quoted or bare.
func exampleAt(text string, quotedOnly bool) (string, bool) {
	text = strings.TrimLeft(text, " :,\t\n(")
	for _, quote := range []string{"\"", "'", "`", "“"} {
		if inner, ok := strings.CutPrefix(text, quote); ok {
			closing := quote
			if quote == "“" {
				closing = "”"
			}
			end := strings.Index(inner, closing)
			if end <= 0 || end > 200 {
				return "", false
			}
			return plausible(inner[:end])
		}
	}
	if quotedOnly {
		return "", false
	}
	end := strings.IndexAny(text, ",;)\n\"'`")
	if end < 0 {
		end = len(text)
	}
	bare := text[:end]
	if stop := strings.Index(bare, ". "); stop >= 0 {
		bare = bare[:stop]
	}
	for _, separator := range []string{" or ", " and ", " for ", " to ", " (", " -", " –", " |", " = "} {
		bare, _, _ = strings.Cut(bare, separator)
	}
	bare = strings.TrimSuffix(strings.TrimSpace(bare), ".")
	if strings.Count(bare, " ") > 3 {
		return "", false
	}
	return plausible(bare)
}

// plausible refuses placeholders and what was cut off.
func plausible(value string) (string, bool) {
	value = strings.TrimSpace(value)
	if value == "" || len(value) > 120 || strings.ContainsAny(value, "<>…\n") || strings.Contains(value, "...") {
		return "", false
	}
	return value, true
}
