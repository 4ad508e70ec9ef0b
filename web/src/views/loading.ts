// The answer's place while there is no answer: on its way, stopped, or lost.

import { button, fill, h } from "../dom";
import type { Progress } from "../doctor";
import type { Trouble } from "../session";
import { t } from "../strings";

export function loading(title = t.load.title): { element: HTMLElement; progress(progress: Progress): void } {
  const bar = h("progress", { "aria-label": t.load.label, max: "1" });
  const bytes = h("span", { class: "soft" });
  const left = h("span", { class: "push soft" });
  const bones = (title: string, ...widths: string[]) => h("section", { class: "sec", "aria-hidden": "true" }, title && h("h2", {}, title), widths.map((width) => h("div", { class: `bone ${width}` })));
  return {
    element: h(
      "article",
      { class: "card dx first", "aria-label": t.card.label },
      h("div", { class: "load" }, h("h1", {}, title), bar, h("p", { class: "row" }, bytes, left), h("p", { class: "soft gap" }, t.load.stays, " ", t.load.kept)),
      bones("", "w4", "big w9", "big w6"),
      bones(t.card.thread, "w7", "w6", "w9"),
      bones(t.card.fixes, "w6", "w9", "w4"),
      bones(t.card.steps, "w7", "w9"),
    ),
    progress(progress) {
      bar.value = progress.loaded / progress.total;
      fill(bytes, t.load.bytes(progress.loaded, progress.total));
      fill(left, t.load.left(progress.left));
    },
  };
}

/** Everything was deleted. */
export function emptied(): HTMLElement {
  return h("article", { class: "card dx first", "aria-label": t.card.label }, h("div", { class: "load" }, h("h1", {}, t.load.empty), h("p", { class: "soft gap" }, t.load.emptyWhy)));
}

export function troubled(trouble: Trouble, again: () => void): HTMLElement {
  const [title, why] = {
    slow: [t.load.slow, t.load.slowWhy],
    broken: [t.load.broken, t.load.brokenWhy],
    lost: [t.load.lost, t.load.lostWhy],
    refused: [t.load.refused, trouble.kind === "refused" ? trouble.message : ""],
  }[trouble.kind] as [string, string];
  return h(
    "article",
    { class: "card dx first", id: "dx", tabindex: "0", "aria-label": t.card.label },
    h(
      "div",
      { class: "load", role: "alert" },
      h("h1", {}, title),
      h("p", { class: "soft gap" }, why),
      (trouble.kind === "lost" || trouble.kind === "slow") && h("p", { class: "gap" }, button(t.load.again, again)),
    ),
  );
}
