package config

import "strings"

// MendKind names an accident that [Repair] undoes. The list is closed: every
// kind is a constant below.
type MendKind string

const (
	// Around the config.
	MendUTF16    MendKind = "utf-16"           // saved as UTF-16, as PowerShell's > does
	MendBOM      MendKind = "bom"              // a byte order mark before the first character
	MendEncoding MendKind = "encoding"         // bytes that are not UTF-8
	MendFence    MendKind = "code-fence"       // Markdown's ``` lines
	MendAround   MendKind = "surrounding-text" // a copy button's words, prose, an assignment
	MendFragment MendKind = "fragment"         // the outer braces were not copied
	MendEscaped  MendKind = "escaped"          // the config as it stands in a string of a program, or in a page's source

	// Between values.
	MendInvisible     MendKind = "invisible"      // no-break or zero-width characters
	MendMissingComma  MendKind = "missing-comma"  //
	MendExtraComma    MendKind = "extra-comma"    // doubled, or before the first value
	MendTrailingComma MendKind = "trailing-comma" // only where the client wants none: [Strict]
	MendSemicolon     MendKind = "semicolon"      // in place of a comma
	MendMissingColon  MendKind = "missing-colon"  //
	MendEquals        MendKind = "equals"         // = in place of a colon, or the other way round in TOML
	MendMissingClose  MendKind = "missing-close"  // a bracket or brace never closed, or closed by the wrong one
	MendExtraClose    MendKind = "extra-close"    //
	MendMissingOpen   MendKind = "missing-open"   //
	MendMissingValue  MendKind = "missing-value"  // a key with nothing after its colon
	MendTruncated     MendKind = "truncated"      // the text ends in the middle of a word
	MendWide          MendKind = "wide"           // the sign of a Chinese or Japanese input method
	MendStray         MendKind = "stray"          // a character that means nothing where it stands

	// Inside a value.
	MendMissingQuote  MendKind = "missing-quote"   // one of the two is not there
	MendSingleQuotes  MendKind = "single-quotes"   //
	MendSmartQuotes   MendKind = "smart-quotes"    //
	MendUnquotedKey   MendKind = "unquoted-key"    //
	MendUnquotedValue MendKind = "unquoted-value"  //
	MendInnerQuote    MendKind = "unescaped-quote" // a quote inside a string
	MendBackslash     MendKind = "backslash"       // a Windows path written with single backslashes
	MendRawNewline    MendKind = "raw-newline"     // a string broken over lines
	MendControl       MendKind = "control"         // a raw tab or other control character in a string
	MendLiteral       MendKind = "python-literal"  // True, None, undefined, NaN
	MendNumber        MendKind = "number"          // .5, +1, 0x1f, 1_000

	// Comments.
	MendHashComment     MendKind = "hash-comment"     // # where the format has //, or // where it has #
	MendUnclosedComment MendKind = "unclosed-comment" //
	MendComment         MendKind = "comment"          // only where the client wants none: [Strict]

	// TOML and YAML alone.
	MendTab            MendKind = "tab"             // tabs in the indentation
	MendIndentation    MendKind = "indentation"     //
	MendMissingSpace   MendKind = "missing-space"   // key:value, -item
	MendReserved       MendKind = "reserved"        // a plain value that begins with @, *, %, ` or has ": " in it
	MendDuplicateTable MendKind = "duplicate-table" //
	MendTableHeader    MendKind = "table-header"    // [table never closed
)

// Mend is one edit of a repair together with the accident that it undoes.
type Mend struct {
	Edit
	Kind MendKind `json:"kind"`
}

func mendFor(kind MendKind, start, end int, insert string) Mend {
	return Mend{Edit{start, end, insert, kind.reason()}, kind}
}

// reason says in a few words what a mend of that kind does.
func (k MendKind) reason() string {
	for _, r := range mendReasons {
		if r.kind == k {
			return r.words
		}
	}
	return ""
}

var mendReasons = []struct {
	kind  MendKind
	words string
}{
	{MendUTF16, "saved as UTF-16, rewritten as UTF-8"},
	{MendBOM, "byte order mark before the config"},
	{MendEncoding, "bytes that are not UTF-8"},
	{MendFence, "Markdown code fence"},
	{MendAround, "text that is not part of the config"},
	{MendFragment, "the outer braces are missing"},
	{MendEscaped, "escaped as in a program or a web page"},

	{MendInvisible, "invisible character"},
	{MendMissingComma, "missing comma"},
	{MendExtraComma, "one comma too many"},
	{MendTrailingComma, "comma after the last entry"},
	{MendSemicolon, "semicolon in place of a comma"},
	{MendMissingColon, "missing colon"},
	{MendEquals, "wrong sign between key and value"},
	{MendMissingClose, "missing closing bracket"},
	{MendExtraClose, "one closing bracket too many"},
	{MendMissingOpen, "missing opening bracket"},
	{MendMissingValue, "a key without a value"},
	{MendTruncated, "the text ends in the middle of a word"},
	{MendWide, "wide sign in place of the plain one"},
	{MendStray, "a character that does not belong here"},

	{MendMissingQuote, "missing quote"},
	{MendSingleQuotes, "single quotes in place of double ones"},
	{MendSmartQuotes, "curly quotes in place of straight ones"},
	{MendUnquotedKey, "key without quotes"},
	{MendUnquotedValue, "text without quotes"},
	{MendInnerQuote, "quote inside a string"},
	{MendBackslash, "single backslash in a path"},
	{MendRawNewline, "line break inside a string"},
	{MendControl, "control character inside a string"},
	{MendLiteral, "spelled as in another language"},
	{MendNumber, "number that JSON spells differently"},

	{MendHashComment, "comment sign of another format"},
	{MendUnclosedComment, "comment without an end"},
	{MendComment, "comment in a file that allows none"},

	{MendTab, "tab in the indentation"},
	{MendIndentation, "uneven indentation"},
	{MendMissingSpace, "missing space"},
	{MendReserved, "value that needs quotes"},
	{MendDuplicateTable, "table defined twice"},
	{MendTableHeader, "unclosed table header"},
}

// Repaired is a text that parses, with what was done to it. Where no repair
// was found the text is unchanged and Err says why it does not parse.
type Repaired struct {
	Text   string
	Format Format
	Mends  []Mend
	Err    error
}

// Repair makes a text that does not parse into one that does, by few and small
// edits. Comments, order and all that needs no mend keep their bytes; a text
// that parses comes back as it is. Format "" is recognised from the text.
//
// [JSON] takes out trailing commas, [JSONC] leaves them; comments stay in
// both, and [Strict] finds them for a client that cannot read them.
func Repair(text string, format Format) Repaired {
	if plain, ok := decode(text); ok {
		return repairUTF16(text, plain, format)
	}
	if format == "" {
		format = formatOf(text, "")
	}
	if err := checkSize(text); err != nil {
		return Repaired{Text: text, Format: format, Err: err}
	}
	mends, err := mendsOf(text, format)
	if err != nil || disguised(text, format) {
		mends = unwrapped(text, format)
	}
	if len(mends) == 0 {
		return Repaired{Text: text, Format: format, Err: err}
	}
	mended, editErr := Edited(text, editsOf(mends))
	if editErr == nil {
		_, editErr = parseNode(mended, format)
	}
	if editErr != nil {
		if err == nil {
			err = editErr
		}
		return Repaired{Text: text, Format: format, Err: err}
	}
	return Repaired{Text: mended, Format: format, Mends: mends}
}

// mendsOf gives what is to be mended in a text that parses, or the error of
// one that does not.
func mendsOf(text string, format Format) ([]Mend, error) {
	root, err := parseNode(text, format)
	if err != nil {
		return nil, err
	}
	switch format {
	case TOML:
		return misreadTOML(text, root), nil
	case YAML:
		return misreadYAML(text), nil
	}
	return misread(text, root, format == JSON), nil
}

// repairBare mends a text that has nothing around it any more.
func repairBare(text string, format Format) []Mend {
	switch format {
	case TOML:
		return repairTOML(text)
	case YAML:
		return repairYAML(text)
	}
	return repairJSON(text, format == JSON)
}

// repairUTF16 gives one mend for the whole text, because offsets into UTF-16
// would mean nothing to a reader of the UTF-8 that replaces it.
func repairUTF16(text, plain string, format Format) Repaired {
	inner := Repair(plain, format)
	if inner.Err != nil {
		inner.Text = text
		return inner
	}
	why := MendUTF16.reason()
	for _, m := range inner.Mends {
		if !strings.Contains(why, m.Why) {
			why += "; " + m.Why
		}
	}
	inner.Mends = []Mend{{Edit{0, len(text), inner.Text, why}, MendUTF16}}
	return inner
}
