// The rule index and a page for each rule, made from the rules themselves.

import { diff } from "../diff";
import { fill, h, prose, type Child } from "../dom";
import type { Doctor } from "../doctor";
import type { Input, RuleDoc } from "../protocol";
import type { Session } from "../session";
import { t } from "../strings";
import { listing, diffLines } from "./lines";

export interface Rules {
  readonly element: HTMLElement;
  show(code: string): void;
  find(): void;
}

export function rulesView(doctor: Doctor, session: Session, toDoctor: () => void): Rules {
  const search = h("input", { class: "field", id: "find", type: "search", placeholder: t.rules.findHint, autocomplete: "off", on: { input: () => drawIndex() } });
  const list = h("div", { class: "list" });
  const article = h("article", { class: "art" });
  const element = h(
    "section",
    { id: "rules" },
    h("div", { class: "book" }, h("nav", { class: "idx", "aria-label": t.rules.index }, h("div", { class: "find" }, h("label", { class: "sr", for: "find" }, t.rules.find), search), list), article),
  );
  let rules: RuleDoc[] = [];
  let current = "";

  async function show(code: string): Promise<void> {
    current = code;
    document.body.toggleAttribute("data-rule", code !== "");
    if (rules.length === 0) rules = await doctor.ask("rules", null);
    drawIndex();
    drawRule();
  }

  function drawIndex(): void {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (rule: RuleDoc) => {
      const text = [rule.code, rule.category, rule.title, rule.why, rule.before].join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    };
    const found = rules.filter(fits);
    const groups = Map.groupBy(found, (rule) => /\d/.exec(rule.code)?.[0] ?? "");
    fill(
      list,
      found.length === 0 && rules.length > 0 && h("p", { class: "soft gap" }, t.rules.none),
      [...groups].map(([digit, members]) => [
        h("h2", {}, t.rules.groups[digit] ?? t.rules.other, " ", h("span", {}, members.length)),
        h("ul", {}, members.map((rule) => h("li", {}, h("a", { href: `#rules/${rule.code}`, "aria-current": rule.code === current ? "page" : undefined }, h("code", {}, rule.code), h("span", {}, prose(rule.title)))))),
      ]),
    );
    list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  function drawRule(): void {
    const rule = rules.find((r) => r.code === current);
    if (!rule) {
      const categories = [...Map.groupBy(rules, (r) => r.category)].sort(([a], [b]) => a.localeCompare(b));
      const only = (category: string) => {
        search.value = category;
        drawIndex();
      };
      fill(
        article,
        h("h1", {}, current ? t.rules.missing(current) : t.rules.title),
        h("p", { class: "lead" }, t.rules.lead(rules.length)),
        h("h2", {}, t.rules.categories),
        h("ul", { class: "cats" }, categories.map(([category, members]) => h("li", {}, h("button", { type: "button", on: { click: () => only(category) } }, h("code", {}, category), h("span", {}, members.length))))),
      );
      return;
    }
    fill(
      article,
      h("p", { class: "meta" }, h("b", {}, rule.code), h("code", {}, rule.category), h("span", { class: `badge ${{ error: "bad", warning: "care" }[rule.severity] ?? ""}` }, t.rules.severities[rule.severity] ?? rule.severity)),
      h("h1", {}, prose(rule.title)),
      sample(rule),
      rule.why && [h("h2", {}, t.rules.why), paragraphs(rule.why)],
      rule.remedy && [h("h2", {}, t.rules.what), paragraphs(rule.remedy)],
      h(
        "dl",
        { class: "facts" },
        h("dt", {}, t.rules.terminal),
        h("dd", {}, h("code", { class: "in" }, `mcpmend rules ${rule.code}`)),
      ),
    );
    article.scrollTo?.(0, 0);
  }

  function sample(rule: RuleDoc): Child {
    // An example of bytes that are no text cannot be pasted. What has an after is a config.
    const tryIt = (input: Partial<Input>) =>
      !rule.before.includes("\ufffd") && h("button", { type: "button", class: "btn tiny push", on: { click: () => (session.open(input, false), toDoctor()) } }, t.rules.tryIt);
    if (rule.before && rule.after) {
      const lines = diff(rule.before, rule.after).flatMap((line) => (line.kind === "fold" ? (line.folded ?? []) : [line]));
      return h(
        "div",
        { class: "ba" },
        h("div", { class: "card pane was" }, h("div", { class: "bar" }, h("h2", {}, t.rules.before), tryIt({ config: rule.before, client: rule.client ?? "", file: rule.file ?? "" })), h("div", { class: "code", tabindex: "0", role: "region", "aria-label": t.rules.before }, diffLines(lines.filter((line) => line.kind !== "add")))),
        h("div", { class: "card pane now" }, h("div", { class: "bar" }, h("h2", {}, t.rules.after)), h("div", { class: "code", tabindex: "0", role: "region", "aria-label": t.rules.after }, diffLines(lines.filter((line) => line.kind !== "del")))),
      );
    }
    const text = rule.before;
    if (!text) return undefined;
    return h("div", { class: "ba one" }, h("div", { class: "card pane" }, h("div", { class: "bar" }, h("h2", {}, t.rules.example), tryIt({ text })), h("div", { class: "code from0", tabindex: "0", role: "region", "aria-label": t.rules.example }, listing(text))));
  }

  return { element, show: (code) => void show(code), find: () => search.focus() };
}

function paragraphs(text: string): HTMLElement[] {
  return text.split(/\n+/).filter(Boolean).map((line) => h("p", { class: "prose" }, prose(line)));
}
