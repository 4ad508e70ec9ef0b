// Colours for lines of configs and logs. By line and by eye, not by grammar:
// a paste is often half a log and half a config, and rarely well-formed.

export type TokenKind = "key" | "string" | "number" | "dim" | "bad";

export interface Token {
  from: number;
  to: number;
  kind: TokenKind;
}

const stamp = /^[>\s]*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d[\d.,]*(?:Z|[+-]\d\d:?\d\d)?\]?|\[?\d\d:\d\d:\d\d[\d.,]*\]?)(?: ?\[[\w. -]{1,40}\])*/;
const level = /\[?\b(?:error|fatal|err!)\b\]?/i;
const piece = /("(?:[^"\\]|\\.)*")(\s*:)?|(^|[\s[{,:=(])(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?=$|[\s\]},;)])|((?:^|\s)(?:\/\/|#\s).*$)|([{}[\],]+)|^(\s*[A-Za-z_][\w.-]*)(?=\s*(?:=|:(?:\s|$)))/g;
/** A line of prose has no tokens, though it may hold numbers and colons. */
const code = /^\s*(?:["'{}\][#<-]|\/\/|[\w.-]+\s*[=:](?:\s|$))/;
const longest = 2000;

/** tokens gives the coloured pieces of one line, in order and apart from each other. */
export function tokens(line: string): Token[] {
  const found: Token[] = [];
  const text = line.length > longest ? line.slice(0, longest) : line;
  const time = stamp.exec(text);
  let at = 0;
  if (time) {
    at = time[0].length;
    const bad = level.exec(time[0]);
    if (bad) {
      found.push({ from: 0, to: bad.index, kind: "dim" }, { from: bad.index, to: bad.index + bad[0].length, kind: "bad" });
      at = bad.index + bad[0].length;
    } else found.push({ from: 0, to: at, kind: "dim" });
    const next = level.exec(text.slice(at, at + 12));
    if (next && !bad) found.push({ from: at + next.index, to: at + next.index + next[0].length, kind: "bad" });
    return found.filter((token) => token.to > token.from);
  }
  if (!code.test(text)) {
    const bad = level.exec(text.slice(0, 40));
    return bad ? [{ from: bad.index, to: bad.index + bad[0].length, kind: "bad" }] : [];
  }
  piece.lastIndex = 0;
  for (let m = piece.exec(text); m; m = piece.exec(text)) {
    const [, quoted, colon, lead, literal, comment, signs, bare] = m;
    if (quoted) found.push({ from: m.index, to: m.index + quoted.length, kind: colon ? "key" : "string" });
    else if (literal) found.push({ from: m.index + lead!.length, to: m.index + lead!.length + literal.length, kind: "number" });
    else if (comment) found.push({ from: m.index, to: m.index + comment.length, kind: "dim" });
    else if (signs) found.push({ from: m.index, to: m.index + signs.length, kind: "dim" });
    else if (bare) found.push({ from: m.index, to: m.index + bare.length, kind: "key" });
    if (m[0].length === 0) piece.lastIndex++;
  }
  return found;
}
