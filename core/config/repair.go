package config

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
