// A pane with an editor: a title, a hint, and a text area that becomes the
// rich editor as soon as that has arrived.

import { h, fill, type Child } from "../dom";
import type { Editor, Findings, Hooks } from "../editor/editor";
import { none } from "../editor/editor";
import { rich as richEditors } from "../editor/load";
import { plainEditor } from "../editor/plain";
import { t } from "../strings";

export interface Pane {
  readonly element: HTMLElement;
  readonly editor: Editor;
  setText(text: string): void;
  show(findings: Findings): void;
  hint(...children: Child[]): void;
}

/** Editors are made one after the other, so that the page answers in between. */
let turn: Promise<void> = Promise.resolve();

export function pane(title: string, id: string, hooks: Hooks): Pane {
  let shown: Findings = none;
  let editor: Editor = plainEditor(label(title, 1, none), hooks);
  const hint = h("span", { class: "dim" });
  const body = h("div", { class: "edit" }, editor.element);
  const element = h("section", { class: "card pane", id, "aria-label": title }, h("div", { class: "bar" }, h("h2", {}, title), hint), body);

  const upgrade = async () => {
    const { richEditor } = await richEditors();
    const rich = richEditor(label(title, editor.lines(), shown), t.search, hooks);
    const [text, cursor, focused] = [editor.text(), editor.cursor(), editor.hasFocus()];
    editor = rich;
    fill(body, rich.element);
    rich.setText(text);
    rich.show(shown);
    if (focused) rich.reveal(cursor, cursor, true);
    await new Promise((next) => setTimeout(next));
  };
  // Where it does not come the text area stays, and everything can be read in the diagnosis.
  turn = turn.then(upgrade).catch(() => undefined);

  return {
    element,
    get editor() {
      return editor;
    },
    setText(text) {
      editor.setText(text);
    },
    show(findings) {
      shown = findings;
      editor.show(findings);
      editor.setLabel(label(title, editor.lines(), findings));
    },
    hint: (...children) => fill(hint, ...children),
  };
}

function label(title: string, lines: number, findings: Findings): string {
  return t.pane.label(title, lines, new Set(findings.marks.filter((mark) => mark.squiggle).map((mark) => mark.diagnosis)).size);
}
