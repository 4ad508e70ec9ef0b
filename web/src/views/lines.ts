// Code outside the editor: diffs and examples, line by line.

import type { DiffLine } from "../diff";
import { h, type Child } from "../dom";
import { tokens } from "../editor/tokens";
import { t } from "../strings";

const classes = { key: "k", string: "s", number: "n", dim: "t", bad: "eb" } as const;

/** coloured is one line of code as text with its tokens. */
export function coloured(line: string): Child[] {
  const out: Child[] = [];
  let at = 0;
  for (const token of tokens(line)) {
    out.push(line.slice(at, token.from), h("i", { class: classes[token.kind] }, line.slice(token.from, token.to)));
    at = token.to;
  }
  out.push(line.slice(at));
  return out;
}

function indent(line: string): number {
  return Math.min(/^ */.exec(line)![0].length, 40);
}

/** listing shows a text with line numbers. */
export function listing(text: string): HTMLElement[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => h("div", { class: "l" }, h("span", { vars: { "--i": indent(line) } }, coloured(line))));
}

/** diffLines shows a diff; folds open when they are pressed. */
export function diffLines(lines: DiffLine[]): HTMLElement[] {
  return lines.map(diffLine);
}

function diffLine(line: DiffLine): HTMLElement {
  if (line.kind === "fold") {
    if (!line.folded) return h("p", { class: "fold" }, t.mended.rest(line.number));
    const folded = line.folded;
    const fold: HTMLElement = h("button", { type: "button", class: "fold", on: { click: () => fold.replaceWith(...diffLines(folded)) } }, t.mended.unchanged(line.number));
    return fold;
  }
  const text = line.pieces.map((piece) => piece.text).join("");
  const changed = line.kind === "add" ? "ins" : "del";
  return h(
    "div",
    { class: line.kind === "same" ? "d" : `d ${line.kind}`, "data-n": line.number },
    h("span", { vars: { "--i": indent(text) } }, line.kind === "same" ? coloured(text) : line.pieces.map((piece) => (piece.changed && piece.text ? h(changed, {}, piece.text) : piece.text))),
  );
}
