// What would tell more, when the text does not say why: by client and system,
// with commands to copy.

import { copy } from "../copy";
import { button, fill, h, type Child } from "../dom";
import type { ClientDoc } from "../protocol";
import { t } from "../strings";
import type { System } from "../system";

const copyInto: Record<System, (path: string) => string> = {
  macos: (path) => `pbcopy < ${quote(path)}`,
  linux: (path) => `xclip -selection clipboard < ${quote(path)}`,
  windows: (path) => `Get-Content "${environment(path)}" | Set-Clipboard`,
};
const tailInto: Record<System, (path: string) => string> = {
  macos: (path) => `tail -n 200 ${quote(path)} | pbcopy`,
  linux: (path) => `tail -n 200 ${quote(path)} | xclip -selection clipboard`,
  windows: (path) => `Get-Content -Tail 200 "${environment(path)}" | Set-Clipboard`,
};

/** A path for a POSIX shell: its spaces are escaped, its "~" and "*" keep their meaning. */
function quote(path: string): string {
  return path.replace(/([ ()'"&;$`\\])/g, "\\$1");
}

/** PowerShell has $env:NAME where cmd has %NAME%. */
function environment(path: string): string {
  return path.replace(/%(\w+)%/g, "$env:$1").replace(/^~/, "$env:USERPROFILE");
}

export interface CollectState {
  client: string;
  system: System;
  server: string;
}

export function collect(state: CollectState, clients: ClientDoc[]): HTMLElement {
  const list = h("ol", { class: "steps" });
  const select = h(
    "select",
    { class: "btn pickone", "aria-label": t.collect.client, on: { change: () => ((state.client = select.value), draw()) } },
    clients.map((client) => h("option", { value: client.id }, client.name)),
  );
  select.value = state.client || clients[0]?.id || "";
  const systems = (Object.keys(t.collect.systems) as System[]).map((system) =>
    h("button", { type: "button", on: { click: () => ((state.system = system), draw()) } }, t.collect.systems[system]),
  );

  function draw(): void {
    systems.forEach((made, i) => made.setAttribute("aria-pressed", String(Object.keys(t.collect.systems)[i] === state.system)));
    const client = clients.find((c) => c.id === select.value);
    const log = pathFor(client?.logs, state.system)?.replace(/<[^>]*(?:name|server)[^>]*>/i, state.server || "NAME");
    const file = pathFor(client?.files, state.system);
    fill(
      list,
      step(t.collect.log, log ? t.collect.logWhy : t.collect.logNone, log && tailInto[state.system](log)),
      step(t.collect.config, t.collect.configWhy, file && copyInto[state.system](file)),
      step(t.collect.hand, t.collect.handWhy, undefined),
    );
  }
  draw();
  return h(
    "section",
    { class: "sec" },
    h("div", { class: "row hd3" }, h("h2", {}, t.collect.title), h("span", { class: "row push" }, select, h("span", { class: "seg", role: "group", "aria-label": t.collect.system }, systems))),
    list,
  );
}

function pathFor(paths: { os: string; path: string }[] | null | undefined, system: System): string | undefined {
  return (paths?.find((p) => p.os === system) ?? paths?.find((p) => p.os === ""))?.path;
}

function step(title: string, why: string, command: string | undefined | false): Child {
  return h(
    "li",
    {},
    h("b", {}, title),
    h("p", {}, why),
    command && h("div", { class: "cmd" }, h("code", {}, command), button(t.collect.copy, () => void copy(command, t.copied.done(t.copied.command)), { class: "btn tiny" })),
  );
}
