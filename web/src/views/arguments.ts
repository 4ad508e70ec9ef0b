// Tool-argument mode: a schema and arguments, or a tools/list answer and a
// failed call. The explainer is a second Go program that is loaded here.

import { copy, toast } from "../copy";
import { button, fill, h, prose, type Child } from "../dom";
import { TooSlow, type Doctor } from "../doctor";
import type { Hooks } from "../editor/editor";
import { examples } from "../examples";
import type { Explained, SchemaIssue } from "../protocol";
import { t } from "../strings";
import { diffLines, listing } from "./lines";
import { loading, troubled } from "./loading";
import { pane, type Pane } from "./pane";

export interface Arguments {
  readonly element: HTMLElement;
  show(): void;
  open(schema: string, args: string): void;
}

export function argumentsView(doctor: Doctor): Arguments {
  const hooks: Hooks = { changed: later, picked: (_, tag) => light(tag), pointed: light };
  const panes: Record<"schema" | "arguments", Pane> = {
    schema: pane(t.args.schema, "schema", { ...hooks, picked: () => {}, pointed: () => {} }),
    arguments: pane(t.args.arguments, "arguments", hooks),
  };
  panes.schema.hint(t.args.schemaHint);
  panes.arguments.hint(t.args.argumentsHint);
  const seen = h("div", { class: "seen" });
  const answer = h("article", { class: "card dx first", tabindex: "0", "aria-label": t.args.explanation });
  const aside = h("div", { class: "aside" }, answer);
  const element = h("section", { class: "fill", id: "arguments-view" }, seen, h("div", { class: "work" }, h("div", { class: "stack half" }, panes.schema.element, panes.arguments.element), aside));
  let timer = 0;
  let markdown = "";
  let latest = 0;

  function later(): void {
    clearTimeout(timer);
    timer = window.setTimeout(() => void explain(), 150);
  }

  function open(schema: string, args: string): void {
    panes.schema.setText(schema);
    panes.arguments.setText(args);
    void explain();
  }

  async function explain(): Promise<void> {
    clearTimeout(timer);
    const mine = ++latest;
    const schema = panes.schema.editor.text();
    const args = panes.arguments.editor.text();
    if (schema.trim() === "" && args.trim() === "") return welcome();
    try {
      await need();
      const explained = await doctor.ask("explain", { schema, arguments: args });
      if (mine === latest) draw(explained);
    } catch (error) {
      if (mine !== latest) return;
      fill(seen, h("span", { class: "lab" }, ""), button(t.args.clear, () => open("", ""), { class: "btn push" }));
      fill(aside, troubled(error instanceof TooSlow ? { kind: "slow" } : { kind: "refused", message: error instanceof Error ? error.message : t.args.lost }, () => void explain()));
    }
  }

  /** need loads the explainer, and shows its progress when that takes a while. */
  async function need(): Promise<void> {
    const waiting = loading(t.args.loading);
    const slow = setTimeout(() => fill(aside, waiting.element), 300);
    try {
      await doctor.needSchema(waiting.progress);
    } catch {
      throw new Error(t.args.lost);
    } finally {
      clearTimeout(slow);
    }
  }

  function welcome(): void {
    fill(seen, h("span", { class: "lab" }, ""), button(t.args.example, example, { class: "btn push" }));
    fill(answer, h("header", {}, h("h1", { class: "cause" }, t.args.title), h("p", { class: "conf" }, t.args.lead)));
    fill(aside, answer);
  }

  function example(): void {
    const shown = examples.find((e) => e.arguments)!.arguments!;
    open(shown.schema, shown.arguments);
  }

  function draw(explained: Explained): void {
    fill(aside, answer);
    const issues = explained.error?.issues ?? [];
    markdown = explained.markdown;
    const facts: [string, string][] = [];
    if (explained.tool) facts.push([t.args.tool, explained.tool]);
    if (explained.draft) facts.push([t.args.draft, explained.draft]);
    if (explained.arguments) facts.push([t.args.call, explained.valid ? t.args.valid : t.args.invalid(issues.length)]);
    fill(
      seen,
      h("dl", { "aria-label": t.seen.label }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
      h(
        "div",
        { class: "row tight push acts" },
        button(t.seen.markdown, () => void copy(markdown, t.copied.done(t.copied.markdown)), { class: "btn bare" }),
        button(t.seen.agent, () => void copy(JSON.stringify(explained.error ?? { valid: explained.valid }, null, 2), t.copied.done(t.copied.agent)), { class: "btn bare" }),
        button(t.args.clear, () => open("", ""), { class: "btn" }),
      ),
    );
    const mendable = issues.filter((issue) => issue.patch).length;
    fill(
      answer,
      h("header", {}, meta(explained), h("h1", { class: "cause" }, prose(headline(explained))), h("p", { class: "conf" }, lead(explained, mendable))),
      issues.length > 0 && h("section", { class: "sec" }, h("ol", { class: "iss" }, issues.map(issueRow))),
      explained.repaired &&
        explained.diff.length > 0 &&
        h(
          "section",
          { class: "sec" },
          h("div", { class: "row hd3" }, h("h2", {}, t.args.corrected), button(t.args.copyCall, () => void copy(explained.repaired, t.copied.done(t.copied.call)), { class: "btn tiny push" })),
          h("div", { class: "card pane" }, h("div", { class: "code" }, diffLines(explained.diff)), h("p", { class: "note" }, h("b", {}, t.args.checked), " ", h("span", {}, explained.guessed ? t.args.checkedGuess : t.args.checkedWhy))),
        ),
      explained.example &&
        h(
          "section",
          { class: "sec" },
          h("div", { class: "row hd3" }, h("h2", {}, t.args.smallest), button(t.args.copyExample, () => void copy(explained.example, t.copied.done(t.copied.example)), { class: "btn tiny push" })),
          h("div", { class: "card pane" }, h("div", { class: "code from0" }, listing(explained.example))),
        ),
    );
    panes.arguments.show({
      marks: explained.places.flatMap((place, i) => (place.end > place.start ? [{ from: place.start, to: place.end, squiggle: "error" as const, tag: i + 1, diagnosis: i }] : [])),
      lens: undefined,
      strips: [],
    });

    function issueRow(issue: SchemaIssue, i: number): HTMLElement {
      const place = explained.places[i];
      return h(
        "li",
        { "data-tag": i + 1 },
        h(
          "div",
          { class: "hd" },
          place && place.end > place.start
            ? h("button", { type: "button", class: "tag", "aria-label": `${i + 1}`, on: { click: () => panes.arguments.editor.reveal(place.start, place.end, true), mouseenter: () => panes.arguments.editor.point(i + 1), mouseleave: () => panes.arguments.editor.point(undefined) } }, i + 1)
            : h("span", { class: "tag" }, i + 1),
          h("span", {}, nested(issue) && [h("code", {}, issue.field), " "], prose(issue.problem)),
          issue.patch ? h("span", { class: "badge good" }, t.args.noGuess) : h("span", { class: "badge care" }, t.args.suggestion),
        ),
        h("dl", {}, received(issue), issue.expected && [h("dt", {}, t.args.expected), h("dd", {}, prose(issue.expected))], h("dt", {}, t.args.fix), h("dd", {}, prose(issue.fix))),
      );
    }
  }

  function light(tag: number | undefined): void {
    for (const made of answer.querySelectorAll("[data-tag]")) made.classList.toggle("hit", made.getAttribute("data-tag") === String(tag));
  }

  return {
    element,
    open,
    show() {
      if (panes.schema.editor.text() === "" && panes.arguments.editor.text() === "") welcome();
      void doctor.needSchema().catch(() => toast(t.args.lost)); // on its way before the paste
    },
  };
}

/** The problem names the member; only inside another one does that not say which. */
function nested(issue: SchemaIssue): boolean {
  return issue.field.lastIndexOf("/") > 0;
}

function received(issue: SchemaIssue): Child {
  if (issue.received === undefined) return undefined;
  const text = JSON.stringify(issue.received);
  return [h("dt", {}, t.args.received), h("dd", {}, h("code", {}, text.length > 200 ? text.slice(0, 199) + "…" : text))];
}

function meta(explained: Explained): HTMLElement {
  const issues = explained.error?.issues?.length ?? 0;
  if (explained.error?.type === "invalid_schema") return h("p", { class: "meta" }, h("span", { class: "root" }, t.args.badSchema), h("code", {}, "invalid_schema"));
  if (issues > 0) return h("p", { class: "meta" }, h("span", { class: "root" }, t.args.issues(issues)), h("code", {}, "invalid_arguments"));
  return h("p", { class: "meta" }, h("span", { class: "root ok" }, explained.arguments ? t.args.fits : t.args.docs));
}

function headline(explained: Explained): string {
  const issues = explained.error?.issues?.length ?? 0;
  if (explained.error) return issues > 0 && explained.error.type === "validation" ? t.args.headline(issues) : explained.error.summary;
  return explained.arguments ? t.args.fitsTitle : t.args.docsTitle;
}

function lead(explained: Explained, mendable: number): string {
  const issues = explained.error?.issues?.length ?? 0;
  if (!explained.error) return explained.arguments ? "" : t.args.docsLead;
  const parts = [];
  if (mendable > 0) parts.push(t.args.mended(mendable));
  if (issues > mendable) parts.push(t.args.look(issues - mendable));
  return parts.join(" ");
}
