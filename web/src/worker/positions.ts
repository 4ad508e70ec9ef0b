// The core counts UTF-8 bytes, a browser counts UTF-16 units.

/** positions turns byte offsets into positions in the string, in one pass. */
export function positions(text: string, offsets: number[]): Map<number, number> {
  const found = new Map<number, number>();
  const wanted = [...new Set(offsets)].sort((a, b) => a - b);
  let byte = 0;
  let unit = 0;
  for (const offset of wanted) {
    while (byte < offset && unit < text.length) {
      const code = text.charCodeAt(unit);
      if (code < 0x80) byte += 1;
      else if (code < 0x800) byte += 2;
      else if (code >= 0xd800 && code < 0xdc00 && isLow(text.charCodeAt(unit + 1))) {
        byte += 4;
        unit++;
      } else byte += 3; // a lone surrogate arrives in Go as U+FFFD, three bytes too
      unit++;
    }
    found.set(offset, unit);
  }
  return found;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
