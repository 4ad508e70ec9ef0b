// Colours of what is in view, and the indentation that wrapped lines hang from.

import { RangeSetBuilder, type Extension } from "@codemirror/state";
import { Decoration, ViewPlugin, type DecorationSet, type EditorView, type ViewUpdate } from "@codemirror/view";
import { tokens, type TokenKind } from "./tokens";

const kinds: Record<TokenKind, Decoration> = {
  key: Decoration.mark({ class: "k" }),
  string: Decoration.mark({ class: "s" }),
  number: Decoration.mark({ class: "n" }),
  dim: Decoration.mark({ class: "t" }),
  bad: Decoration.mark({ class: "eb" }),
};

const indents = new Map<number, Decoration>();

function indent(width: number): Decoration {
  let decoration = indents.get(width);
  if (!decoration) indents.set(width, (decoration = Decoration.line({ attributes: { style: `--i:${width}` } })));
  return decoration;
}

export function colours(): Extension {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = paint(view);
      }
      update(update: ViewUpdate): void {
        if (update.docChanged || update.viewportChanged) this.decorations = paint(update.view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

function paint(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let done = -1;
  for (const range of view.visibleRanges) {
    for (let at = range.from; at <= range.to; ) {
      const line = view.state.doc.lineAt(at);
      at = line.to + 1;
      if (line.from <= done) continue; // long lines come in several ranges
      done = line.from;
      const spaces = Math.min(/^\s*/.exec(line.text.slice(0, 60))![0].length, 40);
      builder.add(line.from, line.from, indent(spaces));
      for (const token of tokens(line.text)) builder.add(line.from + token.from, line.from + token.to, kinds[token.kind]);
    }
  }
  return builder.finish();
}
