// Package triage reads what programs printed, one line or a day's log, and
// finds in it the failures that it knows. Its rules are data, one literal
// each, sorted by subject over the files of this package; [Rules] lists them.
//
// [Read] makes one pass over the text with all literals of all rules and
// tries a rule's pattern only where one of its literals was seen, so the cost
// is linear and no pattern is compiled before it is needed. It reports every
// match with its place and the names it mentions. Which of them is the cause
// is not decided here: that takes the config as well, and is core's business.
package triage

// Role is what a rule's words mean for the diagnosis.
type Role uint8

const (
	Cause   Role = iota // explains a failure
	Symptom             // follows from a cause, named or not
	Noise               // looks like an error and is none
	Hint                // tells the subject of a complaint, not its cause
)

// Severity says how bad a match is; only errors and warnings fail a check.
type Severity string

const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// Rule is one failure that is known: how it reads, what it means, what to do.
//
// Wordings are RE2, one for each way to say it, matched without regard to case
// on the line where a literal was seen, after the line's time, level and frame
// are taken off; their named groups are what the rule extracts. Shorthands in
// braces are listed at [shorthand]. Title, Explanation and Remedy may insert
// what was extracted, as {name|words to use instead}.
type Rule struct {
	Code        string
	Category    Category
	Severity    Severity
	Title       string
	Statuses    []string // of HTTP answers that mean this, in whatever words
	Literals    []string // lower case; every match holds at least one of them
	Wordings    []string
	Unless      string // where this matches in the same place too, the rule does not
	Lines       int    // how many lines around the literal's a wording may see
	Role        Role
	Specificity int // 0 to 100: how surely the words alone mean this category
	Explanation string
	Remedy      string
	Example     string // a text of which this rule must be the first answer
}

// Match is one place where a rule's words stand.
type Match struct {
	Rule       *Rule
	Server     string            // as the log names it, or ""
	Names      map[string]string // what the pattern extracted
	Start, End int               // bytes of the text as given
	Depth      int               // how many "caused by" lead here
}

// Log is what was read.
type Log struct {
	Matches []Match // in the order of the text
	Client  string  // id of the client whose log format this is, or ""
	OS      string  // linux, macos or windows, or ""
	Telling string  // the line that says most, where no rule matched
}

// Rules lists every rule by code.
func Rules() []Rule { return rules() }

// ByCode finds a rule.
func ByCode(code string) (Rule, bool) {
	for _, r := range rules() {
		if r.Code == code {
			return r, true
		}
	}
	return Rule{}, false
}
