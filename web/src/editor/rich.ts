// The rich editor: CodeMirror inside a shadow root, where its styles are
// adopted sheets and the strict content policy has nothing to forbid. This
// file and all of CodeMirror are one bundle that is loaded after first paint.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, Text, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { h } from "../dom";
import { colours } from "./colours";
import type { Editor, Findings, Hooks } from "./editor";
import { none } from "./editor";
import { invisibles } from "./invisibles";
import { findings, marksAt, pointAt, showFindings, tagGutter } from "./findings";
import sheet from "./rich.css";

const chunk = 64 * 1024;
const wrapLimit = 2000;

export function richEditor(label: string, words: Record<string, string>, hooks: Hooks): Editor {
  const host = h("div", { class: "rich" });
  const root = host.attachShadow({ mode: "open" });
  const style = new CSSStyleSheet();
  style.replaceSync(sheet);

  const wrapping = new Compartment();
  const naming = new Compartment();
  let setting = 0; // counts texts that were set, so that a slow one gives way to a newer one
  let quiet = false;
  let shown: Findings = none;
  let pending: string | undefined; // a text that is still being put in

  const name = (text: string) => EditorView.contentAttributes.of({ "aria-label": text, tabindex: "0", spellcheck: "false", autocapitalize: "off", autocorrect: "off" });
  const extensions = (text: string, wrap: boolean): Extension => [
    EditorState.lineSeparator.of("\n"),
    EditorState.tabSize.of(2),
    EditorState.phrases.of(words),
    history(),
    tagGutter(hooks),
    lineNumbers(),
    findings(),
    colours(),
    invisibles(),
    highlightSelectionMatches({ minSelectionLength: 3 }),
    search({ top: true }),
    keymap.of([...searchKeymap, ...historyKeymap, indentWithTab, ...defaultKeymap]),
    wrapping.of(wrap ? EditorView.lineWrapping : []),
    naming.of(name(text)),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !quiet) hooks.changed();
    }),
    EditorView.domEventHandlers({
      // A long paste is put in by slices as well, and loses the history of edits.
      paste(event, view) {
        const text = event.clipboardData?.getData("text/plain") ?? "";
        if (text.length <= chunk) return false;
        event.preventDefault();
        const { from, to } = view.state.selection.main;
        set(view.state.sliceDoc(0, from) + text + view.state.sliceDoc(to));
        hooks.changed();
        return true;
      },
      click(event, view) {
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        const mark = at === null ? undefined : marksAt(view.state, at)[0];
        if (mark) hooks.picked(mark.diagnosis, mark.tag);
      },
      mouseover(event, view) {
        const at = view.posAtDOM(event.target as Node);
        hooks.pointed((event.target as Element).closest?.(".ev") ? marksAt(view.state, at).find((mark) => mark.tag)?.tag : undefined);
      },
      mouseleave: () => hooks.pointed(undefined),
    }),
  ];

  const view = new EditorView({ root, parent: root, state: EditorState.create({ extensions: extensions(label, true) }) });
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, style];

  function put(doc: Text, wrap: boolean): void {
    quiet = true;
    view.setState(EditorState.create({ doc, extensions: extensions(label, wrap) }));
    view.dispatch({ effects: showFindings.of(shown) });
    quiet = false;
  }

  function set(text: string): void {
    const mine = ++setting;
    shown = none;
    if (text.length <= chunk) {
      pending = undefined;
      put(Text.of(text.split("\n")), longestLine(text) < wrapLimit);
      return;
    }
    pending = text;
    void build(text, () => mine === setting).then((built) => {
      if (!built) return;
      pending = undefined;
      put(built.doc, built.longest < wrapLimit);
    });
  }

  return {
    element: host,
    text: () => pending ?? view.state.doc.toString(),
    lines: () => view.state.doc.lines,
    setText: set,
    setLabel(text) {
      if (text === label) return;
      label = text;
      view.dispatch({ effects: naming.reconfigure(name(text)) });
    },
    show(next) {
      shown = next;
      if (pending === undefined) view.dispatch({ effects: showFindings.of(next) });
    },
    reveal(from, to, focus) {
      const length = view.state.doc.length;
      view.dispatch({
        ...(focus ? { selection: { anchor: Math.min(from, length), head: Math.min(to, length) } } : {}),
        effects: EditorView.scrollIntoView(Math.min(from, length), { y: "center" }),
      });
      if (focus) view.focus();
    },
    point: (tag) => view.dispatch({ effects: pointAt.of(tag) }),
    focus: () => view.focus(),
    hasFocus: () => view.hasFocus,
    cursor: () => view.state.selection.main.head,
  };
}

/** build makes a document of a long text in slices, so that the page answers in between. */
async function build(text: string, wanted: () => boolean): Promise<{ doc: Text; longest: number } | undefined> {
  let doc = Text.empty;
  let longest = 0;
  for (let at = 0; at <= text.length; at += chunk) {
    const part = text.slice(at, at + chunk);
    longest = Math.max(longest, longestLine(part));
    doc = doc.append(Text.of(part.split("\n")));
    await new Promise((next) => setTimeout(next));
    if (!wanted()) return undefined;
  }
  return { doc, longest };
}

function longestLine(text: string): number {
  let longest = 0;
  for (let at = 0; at <= text.length; ) {
    const end = text.indexOf("\n", at);
    const stop = end < 0 ? text.length : end;
    longest = Math.max(longest, stop - at);
    at = stop + 1;
  }
  return longest;
}
