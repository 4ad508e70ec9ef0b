package doctor

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"mcpmend/core"
	"mcpmend/native/discover"
	"mcpmend/native/files"
)

// What a client wrote down about a server that fails here: it may know what a
// probe cannot see, and it shows that both mean the same failure. Only logs of
// servers that are broken are opened, and of them only the lines about the
// server in question are looked at.

// heard is the newest failure of a server in its client's own log.
type heard struct {
	text     string // the lines of the log that tell it, for [core.Examine]
	category string
	after    bool // it came after the config was last changed
	evidence core.Evidence
}

// Bounds beside those of logs.go.
const (
	maxHeardLog   = 64 << 20 // before what is read of a log, since its lines are counted
	maxHeardLines = 400
	maxHeardRuns  = 5
)

// vague are the categories that say that a server is gone and not why.
func vague(category string) bool { return category == "unknown" || category == "connection_closed" }

// listen looks for the newest failure of a server in its client's logs.
func (d *Doctor) listen(s Subject) *heard {
	var best *heard
	logs := aboutServer(discover.Logs(d.machine, s.Document.Client), s.Server.Name)
	for _, path := range logs[:min(len(logs), maxLogs)] {
		lines, err := linesAbout(path, s.Server.Name)
		if err != nil {
			continue // what cannot be read tells nothing
		}
		if h := d.newest(lines, path, s); h != nil && (best == nil || vague(best.category) && !vague(h.category)) {
			best = h
		}
	}
	return best
}

// logLine is a line of a log, and where it stands.
type logLine struct {
	text           string
	offset, number int
}

// linesAbout gives the last lines of a log that are about a server: all of a
// log that is named after it, else those that name it and what follows each of
// them up to the next that has a time of its own, as a stack does.
func linesAbout(path, server string) ([]logLine, error) {
	tail, from, err := tailOf(path, maxLogTail)
	if err != nil || from > maxHeardLog {
		return nil, err
	}
	number, err := linesBefore(path, from)
	if err != nil {
		return nil, err
	}
	offset := int(from)
	owner := ownerOf(path)
	var lines []logLine
	about := false
	for text := range strings.Lines(tail) {
		number++
		if named(text, server) {
			about = true
		} else if logTime().MatchString(text) {
			about = false
		}
		if owner == server || about {
			lines = append(lines, logLine{strings.TrimRight(text, "\r\n"), offset, number})
		}
		offset += len(text)
	}
	return lines[max(0, len(lines)-maxHeardLines):], nil
}

// linesBefore counts the lines of a log that end before an offset.
func linesBefore(path string, offset int64) (int, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	head, number := io.LimitReader(f, offset), 0
	for piece := make([]byte, 64<<10); ; {
		n, err := head.Read(piece)
		number += bytes.Count(piece[:n], []byte("\n"))
		if err == io.EOF {
			return number, nil
		}
		if err != nil {
			return 0, err
		}
	}
}

// named says whether a line has a server's name as a word of its own.
func named(line, server string) bool {
	part := func(s string, last bool) bool {
		r, _ := utf8.DecodeRuneInString(s)
		if last {
			r, _ = utf8.DecodeLastRuneInString(s)
		}
		return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_'
	}
	for from := 0; server != ""; {
		at := strings.Index(line[from:], server)
		if at < 0 {
			return false
		}
		at += from
		from = at + len(server)
		if !part(line[:at], true) && !part(line[from:], false) {
			return true
		}
	}
	return false
}

// newest examines the last run of a server in a log, and those before it while
// they do not tell: what failed last counts, and not what failed most.
func (d *Doctor) newest(lines []logLine, path string, s Subject) *heard {
	var best *heard
	for range maxHeardRuns {
		last := lastRun(lines)
		if len(last) == 0 {
			break
		}
		lines = lines[:len(lines)-len(last)]
		h := d.examined(last, path, s)
		if h != nil && !vague(h.category) {
			return h
		}
		if best == nil {
			best = h
		}
	}
	return best
}

// lastRun is the lines at the end that follow each other without a pause.
func lastRun(lines []logLine) []logLine {
	const pause = 30 * time.Second
	var next time.Time
	for i, l := range slices.Backward(lines) {
		when, ok := l.time()
		if !ok {
			continue
		}
		if !next.IsZero() && next.Sub(when) > pause {
			return lines[i+1:]
		}
		next = when
	}
	return lines
}

func (d *Doctor) examined(lines []logLine, path string, s Subject) *heard {
	var text strings.Builder
	for _, l := range lines {
		text.WriteString(l.text + "\n")
	}
	report := core.Examine(core.Input{Text: text.String(), Client: s.File.Client, Server: s.Server.Name})
	if len(report.Diagnoses) == 0 {
		return nil
	}
	cause := report.Diagnoses[0]
	i := slices.IndexFunc(cause.Evidence, func(e core.Evidence) bool { return e.In == core.InText && e.Quote != "" })
	if cause.Code == "" || i < 0 {
		return nil
	}
	told := cause.Evidence[i].Line - 1
	words := text.String()[cause.Evidence[i].Start:cause.Evidence[i].End]
	for at := len(lines) - 1; at > told; at-- { // the same once more, and later
		if strings.Contains(lines[at].text, words) {
			told = at
			break
		}
	}
	h := &heard{text: text.String(), category: cause.Category}
	column := max(0, strings.Index(lines[told].text, words))
	h.evidence = core.Evidence{In: core.InLog, Role: core.Context, Line: lines[told].number, Column: column + 1,
		Start: lines[told].offset + column, Quote: cause.Evidence[i].Quote, File: files.Tilde(d.machine.Home, path)}
	h.evidence.End = h.evidence.Start + len(words)
	when := timeOf(lines[:told+1], path)
	h.evidence.Time = when.Format(time.RFC3339)
	if info, err := os.Stat(s.File.Path); err == nil {
		h.after = when.After(info.ModTime())
	}
	return h
}

var logTime = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?`)
})

// time is when a line was written, where it says so.
func (l logLine) time() (time.Time, bool) {
	stamp := strings.Replace(logTime().FindString(l.text), ",", ".", 1)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05", time.DateTime} {
		if when, err := time.ParseInLocation(layout, stamp, time.Local); err == nil {
			return when, true
		}
	}
	return time.Time{}, false
}

// timeOf is when the last of some lines was written: its own time, that of the
// nearest line before it, or that of the file.
func timeOf(lines []logLine, path string) time.Time {
	for _, l := range slices.Backward(lines) {
		if when, ok := l.time(); ok {
			return when
		}
	}
	if info, err := os.Stat(path); err == nil {
		return info.ModTime()
	}
	return time.Time{}
}

// testify puts what was heard among the evidence of a diagnosis. Where the log
// was examined together with the probe, what follows the probe's own text is
// the log's.
func (h *heard) testify(d *core.Diagnosis, own int) {
	kept := d.Evidence[:0:0]
	joined := false
	for _, e := range d.Evidence {
		if e.In == core.InText && e.Start >= own {
			if !joined {
				e, joined = h.evidence, true
				e.Role = "cause"
				kept = append(kept, e)
			}
			continue
		}
		kept = append(kept, e)
	}
	if !joined && (d.Category == h.category || h.after) {
		kept = append(kept, h.evidence)
	}
	d.Evidence = kept
}
