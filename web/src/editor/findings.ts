// Findings in the editor: the highlighter on evidence, its numbered tags in
// the gutter, wavy lines, the strip above each part, and the lens with quick
// fixes under the active one.

import { RangeSet, RangeSetBuilder, StateEffect, StateField, type EditorState, type Extension, type Range } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, WidgetType, gutter, type DecorationSet } from "@codemirror/view";
import { button, h, prose } from "../dom";
import type { Findings, Hooks, Lens, Mark, Strip } from "./editor";
import { none } from "./editor";

export const showFindings = StateEffect.define<Findings>();
export const pointAt = StateEffect.define<number | undefined>();

interface Shown {
  findings: Findings;
  pointed: number | undefined;
  decorations: DecorationSet;
  tags: RangeSet<GutterMarker>;
}

const field = StateField.define<Shown>({
  create: () => ({ findings: none, pointed: undefined, decorations: Decoration.none, tags: RangeSet.empty }),
  update(shown, transaction) {
    let { findings, pointed } = shown;
    let changed = false;
    for (const effect of transaction.effects) {
      if (effect.is(showFindings)) [findings, changed] = [effect.value, true];
      if (effect.is(pointAt) && effect.value !== pointed) [pointed, changed] = [effect.value, true];
    }
    if (changed) return draw(transaction.state, findings, pointed);
    if (!transaction.docChanged) return shown;
    const move = (at: number) => transaction.changes.mapPos(at);
    return {
      findings: {
        marks: findings.marks.map((mark) => ({ ...mark, from: move(mark.from), to: move(mark.to) })),
        lens: findings.lens && { ...findings.lens, at: move(findings.lens.at) },
        strips: findings.strips.map((strip) => ({ ...strip, at: move(strip.at) })),
      },
      pointed,
      decorations: shown.decorations.map(transaction.changes),
      tags: shown.tags.map(transaction.changes),
    };
  },
  provide: (self) => EditorView.decorations.from(self, (shown) => shown.decorations),
});

export function findings(): Extension {
  return field;
}

/** marksAt gives the marks at a position, the shortest first. */
export function marksAt(state: EditorState, at: number): Mark[] {
  return state
    .field(field)
    .findings.marks.filter((mark) => mark.from <= at && at <= mark.to)
    .sort((a, b) => a.to - a.from - (b.to - b.from));
}

export function tagGutter(hooks: Hooks): Extension {
  return gutter({
    class: "tags",
    markers: (view) => view.state.field(field).tags,
    initialSpacer: () => new Tag(0),
    domEventHandlers: {
      click(view, line) {
        const mark = view.state.field(field).findings.marks.find((m) => m.tag && m.from >= line.from && m.from <= line.to);
        if (mark) hooks.picked(mark.diagnosis, mark.tag);
        return Boolean(mark);
      },
    },
  });
}

class Tag extends GutterMarker {
  constructor(readonly number: number) {
    super();
  }
  override eq(other: Tag): boolean {
    return other.number === this.number;
  }
  override toDOM(): Node {
    return h("span", { class: this.number ? "tag" : "tag spacer", "aria-hidden": "true" }, this.number || "");
  }
}

class LensWidget extends WidgetType {
  constructor(readonly lens: Lens) {
    super();
  }
  override eq(other: LensWidget): boolean {
    const same = (lens: Lens) => JSON.stringify([lens.message, lens.severity, lens.actions.map((action) => action.label)]);
    return same(other.lens) === same(this.lens) && other.lens.actions.every((action, i) => action.run === this.lens.actions[i]?.run);
  }
  override toDOM(): HTMLElement {
    // The outer box has the space around: the editor measures boxes without their margins.
    return h(
      "div",
      { class: "lens-row" },
      h(
        "div",
        { class: `lens ${this.lens.severity}` },
        h("span", {}, prose(this.lens.message)),
        h("span", { class: "actions" }, this.lens.actions.map((action) => button(prose(action.label), action.run, { class: "quick" }))),
      ),
    );
  }
  override ignoreEvent(): boolean {
    return true;
  }
}

class StripWidget extends WidgetType {
  constructor(readonly strip: Strip) {
    super();
  }
  override eq(other: StripWidget): boolean {
    return other.strip.label === this.strip.label && other.strip.name === this.strip.name;
  }
  override toDOM(): HTMLElement {
    return h("div", { class: "part" }, h("b", {}, this.strip.label), " ", this.strip.name);
  }
}

/** A reading may be of a text that has been edited since; the next one is on its way. */
function within(findings: Findings, length: number): Findings {
  const cut = (at: number) => Math.min(at, length);
  return {
    marks: findings.marks.map((mark) => ({ ...mark, from: cut(mark.from), to: cut(mark.to) })),
    lens: findings.lens && { ...findings.lens, at: cut(findings.lens.at) },
    strips: findings.strips.map((strip) => ({ ...strip, at: cut(strip.at) })),
  };
}

function draw(state: EditorState, given: Findings, pointed: number | undefined): Shown {
  const findings = within(given, state.doc.length);
  const ranges: Range<Decoration>[] = [];
  const tags: { at: number; tag: number }[] = [];
  for (const mark of findings.marks) {
    const { from, to } = mark;
    const classes = [mark.tag && "ev", mark.squiggle && `sq ${mark.squiggle}`, mark.tag && mark.tag === pointed && "on"].filter(Boolean).join(" ");
    if (mark.tag) tags.push({ at: state.doc.lineAt(from).from, tag: mark.tag });
    if (from < to && classes) ranges.push(Decoration.mark({ class: classes }).range(from, to));
  }
  for (const strip of findings.strips) {
    const at = state.doc.lineAt(strip.at).from;
    ranges.push(Decoration.widget({ widget: new StripWidget(strip), block: true, side: -1 }).range(at));
  }
  if (findings.lens) {
    const line = state.doc.lineAt(findings.lens.at);
    ranges.push(Decoration.widget({ widget: new LensWidget(findings.lens), block: true, side: 1 }).range(line.to));
  }
  const builder = new RangeSetBuilder<GutterMarker>();
  let last = -1;
  for (const { at, tag } of tags.sort((a, b) => a.at - b.at || a.tag - b.tag)) {
    if (at !== last) builder.add(at, at, new Tag(tag)); // one tag a line: the strongest
    last = at;
  }
  return { findings, pointed, decorations: Decoration.set(ranges, true), tags: builder.finish() };
}
