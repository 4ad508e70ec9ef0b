// Characters that show nothing, or that change how others are read, are shown
// by their numbers. Only so many at a time: a paste can consist of them.

import { RangeSetBuilder, type Extension } from "@codemirror/state";
import { Decoration, ViewPlugin, WidgetType, type DecorationSet, type EditorView, type ViewUpdate } from "@codemirror/view";
import { h } from "../dom";

const most = 200;

/** A carriage return at the end of a line is that line's end, not one of these. */
const sign =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffc]|\r(?!\n|$)|[\u{e0000}-\u{e01ef}]/gu;

class Sign extends WidgetType {
  constructor(readonly code: number) {
    super();
  }
  override eq(other: Sign): boolean {
    return other.code === this.code;
  }
  override toDOM(): HTMLElement {
    return h("span", { class: "sign" }, `U+${this.code.toString(16).toUpperCase().padStart(4, "0")}`);
  }
}

export function invisibles(): Extension {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = find(view);
      }
      update(update: ViewUpdate): void {
        if (update.docChanged || update.viewportChanged) this.decorations = find(update.view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

function find(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let left = most;
  for (const { from, to } of view.visibleRanges) {
    const text = view.state.sliceDoc(from, to);
    for (const match of text.matchAll(sign)) {
      if (left-- <= 0) return builder.finish();
      const at = from + match.index;
      builder.add(at, at + match[0].length, Decoration.replace({ widget: new Sign(match[0].codePointAt(0)!) }));
    }
  }
  return builder.finish();
}
