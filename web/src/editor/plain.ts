// The text area that is there before the editor has arrived, and that stays
// if it never does. Findings are then read in the diagnosis alone.

import { h } from "../dom";
import type { Editor, Hooks } from "./editor";

/** What a text area shows without a pause. Of a longer text it shows the beginning, to be read alone. */
const most = 16 * 1024;

export function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

export function plainEditor(label: string, hooks: Hooks): Editor {
  let original = "";
  const area = h("textarea", {
    class: "plain",
    "aria-label": label,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    on: {
      input: () => {
        original = area.value;
        hooks.changed();
      },
    },
  });
  return {
    element: area,
    text: () => original,
    lines: () => countLines(original),
    // A text area turns CRLF into LF; the text that was pasted is kept until it is edited.
    setText(text) {
      original = text;
      area.value = text.slice(0, most);
      area.readOnly = text.length > most;
    },
    setLabel: (text) => area.setAttribute("aria-label", text),
    show() {},
    point() {},
    reveal(from, to, focus) {
      if (!focus) return;
      area.focus();
      area.setSelectionRange(from, to);
    },
    focus: () => area.focus(),
    hasFocus: () => document.activeElement === area,
    cursor: () => area.selectionEnd,
  };
}
