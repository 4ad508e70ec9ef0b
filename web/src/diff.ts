// A unified diff of two texts by lines, with the words that changed inside
// lines that were replaced. Runs in the worker; the page only draws it.

export interface DiffLine {
  kind: "same" | "add" | "del" | "fold";
  /** Line number in the old text for "del", in the new one for the others; how many lines for "fold". */
  number: number;
  /** Pieces of the line; a changed one differs from its partner. For "fold" there are none. */
  pieces: { text: string; changed: boolean }[];
  /** The folded lines, so that a fold can be opened without asking again. */
  folded?: DiffLine[];
}

const context = 2;
const maxPairs = 1 << 22;
const maxLines = 4000;
const maxLineLength = 4000;

/** diff compares two texts. Unchanged runs longer than the context are folded. */
export function diff(before: string, after: string): DiffLine[] {
  if (before === after) return [];
  const a = lines(before);
  const b = lines(after);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;

  const out: DiffLine[] = [];
  for (let i = 0; i < head; i++) out.push(same(b[i]!, i + 1));
  out.push(...align(a.slice(head, a.length - tail), b.slice(head, b.length - tail), head));
  for (let i = b.length - tail; i < b.length; i++) out.push(same(b[i]!, i + 1));
  return fold(out);
}

/** changes counts the places that differ: a run of changed lines is one. */
export function changes(diff: DiffLine[]): number {
  return diff.filter((line, i) => changed(line) && !(i > 0 && changed(diff[i - 1]!))).length;
}

function changed(line: DiffLine): boolean {
  return line.kind === "add" || line.kind === "del";
}

function lines(text: string): string[] {
  const all = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  if (all.length > 1 && all[all.length - 1] === "") all.pop();
  return all;
}

function same(text: string, number: number): DiffLine {
  return { kind: "same", number, pieces: [{ text: shorten(text), changed: false }] };
}

function shorten(text: string): string {
  return text.length > maxLineLength ? text.slice(0, maxLineLength) + " …" : text;
}

/** align finds the longest common run of lines; past a limit the whole is shown as replaced. */
function align(a: string[], b: string[], offset: number): DiffLine[] {
  const pairs: [number, number][] = a.length * b.length > maxPairs ? [] : common(a, b);
  const out: DiffLine[] = [];
  let i = 0;
  let j = 0;
  for (const [x, y] of [...pairs, [a.length, b.length] as [number, number]]) {
    out.push(...replaced(a.slice(i, x), b.slice(j, y), i + offset, j + offset));
    if (x < a.length && y < b.length) out.push(same(b[y]!, y + offset + 1));
    i = x + 1;
    j = y + 1;
  }
  return out;
}

/** common gives the pairs of a longest common subsequence. */
function common<T>(a: T[], b: T[]): [number, number][] {
  const width = b.length + 1;
  const length = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      length[i * width + j] =
        a[i] === b[j] ? length[(i + 1) * width + j + 1]! + 1 : Math.max(length[(i + 1) * width + j]!, length[i * width + j + 1]!);
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (length[(i + 1) * width + j]! >= length[i * width + j + 1]!) i++;
    else j++;
  }
  return pairs;
}

/** replaced puts removed lines before the added ones, and marks words in lines that pair up. */
function replaced(a: string[], b: string[], oldOffset: number, newOffset: number): DiffLine[] {
  const removed: DiffLine[] = [];
  const added: DiffLine[] = [];
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [left, right] = i < a.length && i < b.length ? words(a[i]!, b[i]!) : [whole(a[i]), whole(b[i])];
    if (i < a.length) removed.push({ kind: "del", number: oldOffset + i + 1, pieces: left });
    if (i < b.length) added.push({ kind: "add", number: newOffset + i + 1, pieces: right });
  }
  // one line for one line reads best in turn
  if (a.length === b.length) return removed.flatMap((line, i) => [line, added[i]!]);
  return [...removed, ...added];
}

type Pieces = DiffLine["pieces"];

function whole(text: string | undefined): Pieces {
  const line = shorten(text ?? "");
  const indent = line.length - line.trimStart().length;
  return [
    { text: line.slice(0, indent), changed: false },
    { text: line.slice(indent), changed: true },
  ];
}

/** words marks what differs between two lines, by words and single signs. */
function words(a: string, b: string): [Pieces, Pieces] {
  const left = shorten(a).match(/[\p{L}\p{N}_]+|\s+|./gsu) ?? [];
  const right = shorten(b).match(/[\p{L}\p{N}_]+|\s+|./gsu) ?? [];
  if (left.length * right.length > 1 << 20) return [whole(a), whole(b)];
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head++;
  let tail = 0;
  while (tail < left.length - head && tail < right.length - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail++;
  if (head + tail < Math.min(left.length, right.length) * 0.2) return [whole(a), whole(b)];
  const cut = (all: string[]): Pieces => [
    { text: all.slice(0, head).join(""), changed: false },
    { text: all.slice(head, all.length - tail).join(""), changed: true },
    { text: all.slice(all.length - tail).join(""), changed: false },
  ];
  return [cut(left), cut(right)];
}

/** fold hides unchanged runs, and everything past the limit on lines. */
function fold(all: DiffLine[]): DiffLine[] {
  const out: DiffLine[] = [];
  let run: DiffLine[] = [];
  const close = (last: boolean) => {
    const before = out.length === 0 ? 0 : context;
    const after = last ? 0 : context;
    if (run.length <= before + after + 1) out.push(...run);
    else {
      out.push(...run.slice(0, before));
      out.push({ kind: "fold", number: run.length - before - after, pieces: [], folded: run.slice(before, run.length - after).slice(0, maxLines) });
      out.push(...run.slice(run.length - after));
    }
    run = [];
  };
  for (const line of all) {
    if (line.kind === "same") run.push(line);
    else {
      if (run.length > 0) close(false);
      out.push(line);
    }
  }
  close(true);
  if (out.length <= maxLines) return out;
  return [...out.slice(0, maxLines), { kind: "fold", number: out.length - maxLines, pieces: [] }];
}
