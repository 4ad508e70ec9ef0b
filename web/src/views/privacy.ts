// The promise, and how to check it.

import { fill, h } from "../dom";
import { number, t } from "../strings";
import { requests, type Requests } from "../requests";
import { isLocal } from "../offline";

export function privacyView(): { element: HTMLElement; show(): void } {
  const counts = h("dl", { class: "facts counts" });
  const policy = document.querySelector<HTMLMetaElement>("meta[http-equiv=Content-Security-Policy]")?.content ?? "";
  const draw = (seen: Requests) =>
    fill(
      counts,
      h("dt", {}, number(seen.program)),
      h("dd", {}, t.privacy.program),
      seen.machine > 0 && [h("dt", {}, number(seen.machine)), h("dd", {}, t.privacy.machine)],
      h("dt", {}, h("b", {}, number(seen.other))),
      h("dd", {}, t.privacy.other),
    );
  requests.on(draw);
  const element = h(
    "section",
    { id: "privacy" },
    h(
      "article",
      { class: "art" },
      h("h1", {}, t.privacy.title),
      h("p", { class: "lead" }, t.privacy.lead),
      h("h2", {}, t.privacy.measured),
      counts,
      h("h2", {}, t.privacy.check),
      h("ol", { class: "todo prose" }, t.privacy.steps.map((step) => h("li", {}, h("span", {}, step)))),
      h("h2", {}, t.privacy.policy),
      h("div", { class: "card pane" }, h("div", { class: "code from0", tabindex: "0", role: "region", "aria-label": t.privacy.policy }, policy.split(/;\s*/).filter(Boolean).map((rule) => h("div", { class: "l" }, h("span", {}, rule))))),
      h("p", { class: "prose gap" }, isLocal() ? t.privacy.loopbackLocal : t.privacy.loopback),
      h("h2", {}, t.privacy.kept),
      h("ul", { class: "know prose" }, [...(isLocal() ? [t.privacy.keptLocal] : [t.privacy.keptTheme, t.privacy.keptOffline]), t.privacy.keptNever, t.privacy.links].map((line) => h("li", {}, h("span", {}, line)))),
    ),
  );
  return { element, show: () => draw(requests.seen) };
}
