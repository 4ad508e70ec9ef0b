// This machine: its configs and servers, each with how it is; live probes,
// healing on a copy, and writing what has been seen to work.

import { copy, say, toast } from "../copy";
import type { DiffLine } from "../diff";
import { button, fill, h, prose } from "../dom";
import type { ChangedLine } from "../machine";
import { Servers, time, type Known, type State } from "../servers";
import { t } from "../strings";
import { diffLines } from "./lines";

export function machineView(): { element: HTMLElement; pair(link: string): Promise<void>; show(): void } {
  let chosen = "";
  let frame = 0;
  const servers = new Servers({
    changed: draw,
    printed() {
      // a flood is drawn once a frame
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        const shown = servers.known.get(chosen);
        if (shown) drawLog(shown);
      });
    },
    ended: (one) => say(`${one.server.name}: ${one.state.word}`, 500),
    told: toast,
  });

  const list = h("div", { class: "card pane dx", id: "machine-list" });
  const card = h("article", { class: "card dx", id: "machine-card", tabindex: "0", "aria-live": "polite" });
  const log = h("div", { class: "code tty", tabindex: "0", role: "log" });
  const logBar = h("div", { class: "bar" });
  const strip = h("div", { class: "seen" });
  const body = h("div", { class: "work" }, list, h("div", { class: "stack rest" }, card, h("div", { class: "card pane" }, logBar, log)));
  const unpaired = h("article", { class: "art" }, h("h1", {}, t.machine.unpairedTitle), h("p", { class: "lead" }, t.machine.unpaired), h("p", {}, h("code", {}, "mcpmend web")), h("p", { class: "dim" }, t.machine.unpairedMore));
  const element = h("section", { id: "machine", class: "fill", hidden: true }, strip, body, unpaired);

  function draw(): void {
    strip.hidden = body.hidden = !servers.paired;
    unpaired.hidden = servers.paired;
    if (!servers.paired) return;
    if (!servers.known.has(chosen)) chosen = servers.known.keys().next().value ?? "";
    drawStrip();
    drawList();
    const one = servers.known.get(chosen);
    if (one) {
      drawCard(one);
      drawLog(one);
    } else {
      fill(card, h("header", {}, h("h1", { class: "cause" }, t.machine.none)));
      fill(log);
    }
  }

  function drawStrip(): void {
    fill(
      strip,
      h("dl", { "aria-label": t.machine.companion }, h("div", {}, h("dt", {}, t.machine.pairedWith), h("dd", {}, `mcpmend, ${servers.host}`)), h("div", { class: "hide-s" }, h("dt", {}, t.machine.mayStart), h("dd", {}, t.machine.onlyConfigured))),
      h("div", { class: "row tight push acts" }, button(t.machine.unpair, () => servers.unpair(), { class: "btn bare" }), button(t.machine.probeAll, () => void servers.probeAll(), { id: "probe-all" })),
    );
  }

  function drawList(): void {
    const { files, known } = servers;
    fill(
      list,
      h("div", { class: "bar" }, h("h2", {}, t.machine.count(known.size, files.length)), h("span", { class: "dim" }, summary([...known.values()]))),
      files.map((file) => [
        h("div", { class: "grp" }, h("h3", {}, file.client_name), h("code", {}, file.path), file.error && h("span", { class: "no-t" }, file.error)),
        h("ul", { class: "srv" }, file.servers.map((server) => row(known.get(server.id)!))),
      ]),
    );
  }

  function row(one: Known): HTMLElement {
    const selected = one.server.id === chosen;
    return h(
      "li",
      { class: selected ? "sel" : undefined, "data-server": one.server.name },
      h("div", {}, h("button", { type: "button", class: "name as-link", "aria-current": selected && "true", on: { click: () => ((chosen = one.server.id), draw()) } }, h("b", {}, one.server.name)), h("p", { class: "cm mono" }, one.server.command)),
      h("div", { class: "rt" }, h("span", { class: `st ${inks[one.state.dot]}` }, h("span", { class: `dot ${one.state.dot}` }), one.state.word), h("span", { class: "why" }, one.state.why)),
    );
  }

  function drawCard(one: Known): void {
    const cause = one.outcome?.diagnoses[0];
    const found = Boolean(one.healed?.change);
    const headline = cause?.title ?? (found && t.machine.works);
    const busy = one.stop !== undefined;
    card.setAttribute("aria-label", one.server.name);
    fill(
      card,
      h(
        "header",
        {},
        h("p", { class: "meta" }, h("span", { class: `badge ${badges[one.state.dot]}` }, one.state.word), cause?.code && h("a", { href: `#rules/${cause.code}` }, cause.code), cause && h("code", {}, cause.category)),
        h("h1", { class: "cause" }, one.server.name, headline && [": ", prose(headline)]),
        h("p", { class: "conf" }, cause ? prose(cause.explanation) : found ? t.machine.onACopy : one.state.why),
      ),
      (one.tries.length > 0 || busy) && h("section", { class: "sec" }, h("h2", {}, t.machine.tries), tries(one, busy)),
      one.healed?.user_action_needed && h("section", { class: "sec" }, h("h2", {}, t.machine.yours), one.healed.user_action_needed.split("\n").map((line) => h("p", {}, line))),
      one.healed && one.healed.diff.length > 0 && h("section", { class: "sec" }, h("h2", {}, t.machine.diff), h("div", { class: "card pane" }, h("div", { class: "code", tabindex: "0", role: "region", "aria-label": t.machine.diff }, diffLines(one.healed.diff.map(changedLine))))),
      h("section", { class: "sec" }, actions(one, busy)),
    );
  }

  function actions(one: Known, busy: boolean): HTMLElement {
    if (busy) return h("div", { class: "row" }, button(t.machine.stop, () => one.stop?.abort()));
    if (one.written) return h("div", { class: "row" }, button(t.machine.undo, () => void servers.undo(one), { id: "machine-undo" }), button(t.machine.probe, () => void servers.run("probe", one)), h("span", { class: "dim hint" }, one.written.next_step));
    return h(
      "div",
      { class: "row" },
      one.healed?.change && button(t.machine.write, () => void servers.write(one), { class: "btn main", id: "machine-write" }),
      one.state.dot === "no" && !one.healed && button(t.machine.heal, () => void servers.run("heal", one), { class: "btn main", id: "machine-heal" }),
      one.server.enabled && button(t.machine.probe, () => void servers.run("probe", one), { id: "machine-probe" }),
      h("span", { class: "dim hint" }, one.healed?.change ? t.machine.proven(one.client) : t.machine.onlyProven),
    );
  }

  function drawLog(one: Known): void {
    fill(logBar, h("h2", {}, "stderr"), h("span", { class: "dim" }, one.server.name, one.stop && `, ${t.machine.live}`), button(t.machine.copy, () => void copy(one.printed.map((line) => line.text).join("\n"), t.machine.copied), { class: "btn bare tiny push", hidden: one.printed.length === 0 }));
    log.setAttribute("aria-label", t.machine.stderrOf(one.server.name));
    log.setAttribute("aria-live", one.printed.length > 50 ? "off" : "polite"); // a flood is not read out
    fill(log, one.printed.length === 0 && !one.stop && h("p", { class: "empty" }, t.machine.silent), one.printed.map((line) => h("div", { class: "o" }, h("i", {}, `${(line.at / 1000).toFixed(3)} s`), h("span", {}, line.text))), one.stop && h("div", { class: "o" }, h("i", {}), h("span", {}, h("span", { class: "caret" }))));
    log.scrollTop = log.scrollHeight;
  }

  return { element, show: draw, pair: (link) => servers.pair(link) };
}

const inks: Record<State["dot"], string> = { "": "", ok: "ok-t", no: "no-t", you: "you-t", go: "go-t" };
const badges: Record<State["dot"], string> = { "": "", ok: "good", no: "bad", you: "you", go: "you" };

function summary(all: Known[]): string {
  const connected = all.filter((one) => one.state.dot === "ok").length;
  const attention = all.filter((one) => one.state.dot === "no" || one.state.dot === "you").length;
  return t.machine.summary(connected, attention);
}

function tries(one: Known, busy: boolean): HTMLElement {
  const fixes = one.healed?.attempts ?? [];
  return h(
    "ol",
    { class: "try" },
    one.tries.map((attempt, i) =>
      h("li", {}, h("span", { class: `dot ${attempt.state === "ok" ? "ok" : "no"}` }), h("b", {}, `${i + 1}. ${i === 0 ? t.machine.asItStands : (fixes[i - 1]?.fix ?? t.machine.withFix)}`), h("span", { class: "dim" }, time(attempt.ms)), h("p", {}, attempt.state === "ok" ? t.machine.connected : attempt.why)),
    ),
    busy && h("li", {}, h("span", { class: "dot go" }), h("b", {}, `${one.tries.length + 1}. ${one.tries.length === 0 ? t.machine.asItStands : t.machine.withFix}`), h("span", { class: "go-t" }, t.machine.running), h("ul", { class: "ph" }, one.phases.map((name, i) => h("li", {}, h("span", { class: `dot ${i === one.phases.length - 1 ? "go" : "ok"}` }), name)))),
  );
}

function changedLine({ sign, old, new: now, text }: ChangedLine): DiffLine {
  return { kind: sign === "+" ? "add" : sign === "-" ? "del" : "same", number: now || old, pieces: [{ text, changed: false }] };
}
