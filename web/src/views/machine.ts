// This machine: its configs and servers, each with how it is; live probes,
// healing on a copy, and writing what has been seen to work.

import { copy, say, toast } from "../copy";
import type { DiffLine } from "../diff";
import { button, fill, h, prose } from "../dom";
import { Machine, Refused, type ChangedLine, type ConfigFile, type Event, type Healed, type Outcome, type Server } from "../machine";
import { t } from "../strings";
import { diffLines } from "./lines";

/** How a server is, as the list shows it. */
interface State {
  dot: "" | "ok" | "no" | "you" | "go";
  word: string;
  why: string;
}

/** What is known of one server. */
interface Known {
  server: Server;
  client: string;
  state: State;
  outcome?: Outcome;
  phases: string[];
  tries: { state: string; why: string; ms: number }[];
  printed: { at: number; text: string }[];
  healed?: Healed;
  written?: { change: string; next_step: string };
  began: number;
  stop?: AbortController;
}

const maxPrinted = 2000;

export function machineView(): { element: HTMLElement; pair(link: string): Promise<void>; show(): void } {
  const machine = new Machine();
  const known = new Map<string, Known>();
  let files: ConfigFile[] = [];
  let chosen = "";
  let frame = 0;

  const list = h("div", { class: "card pane dx", id: "machine-list" });
  const card = h("article", { class: "card dx", id: "machine-card", tabindex: "0", "aria-live": "polite" });
  const log = h("div", { class: "code tty", tabindex: "0", role: "log" });
  const logBar = h("div", { class: "bar" });
  const strip = h("div", { class: "seen" });
  const body = h("div", { class: "work" }, list, h("div", { class: "stack rest" }, card, h("div", { class: "card pane" }, logBar, log)));
  const unpaired = h("article", { class: "art" }, h("h1", {}, t.machine.unpairedTitle), h("p", { class: "lead" }, t.machine.unpaired), h("p", {}, h("code", {}, "mcpmend web")), h("p", { class: "dim" }, t.machine.unpairedMore));
  const element = h("section", { id: "machine", class: "fill", hidden: true }, strip, body, unpaired);

  async function load(): Promise<void> {
    try {
      files = await machine.files();
    } catch (problem) {
      return failed(problem);
    }
    const before = new Map(known);
    known.clear();
    for (const file of files)
      for (const server of file.servers) {
        const old = before.get(server.id);
        // What was found out about an entry counts for that entry alone.
        known.set(server.id, old && old.server.hash === server.hash ? { ...old, server } : fresh(server, file));
      }
    if (!known.has(chosen)) chosen = known.keys().next().value ?? "";
    draw();
  }

  function fresh(server: Server, file: ConfigFile): Known {
    return { server, client: file.client_name, state: { dot: "", word: server.enabled ? t.machine.waiting : t.machine.off, why: server.needs_yes ? t.machine.asksFirst : "" }, phases: [], tries: [], printed: [], began: 0 };
  }

  function failed(problem: unknown): void {
    if (problem instanceof Refused && problem.status === 401) {
      draw();
      return toast(t.machine.unpairedNow);
    }
    toast(problem instanceof Refused ? problem.message : t.machine.gone);
  }

  /** run probes or heals one server and shows what comes. */
  async function run(what: "probe" | "heal", one: Known): Promise<void> {
    one.stop?.abort();
    const stop = (one.stop = new AbortController());
    Object.assign(one, { phases: [], tries: [], printed: [], healed: undefined, outcome: undefined, began: performance.now() });
    one.state = { dot: "go", word: what === "heal" ? t.machine.mending : t.machine.probing, why: "" };
    draw();
    try {
      for await (const event of machine.run(what, one.server, stop.signal)) take(one, event);
    } catch (problem) {
      if (stop.signal.aborted) one.state = { dot: "", word: t.machine.stopped, why: "" };
      else if (problem instanceof Refused) {
        one.state = { dot: "you", word: t.machine.needsYou, why: problem.message };
        if (problem.status === 409) void load();
      } else failed(problem);
    }
    if (one.stop === stop) delete one.stop;
    draw();
  }

  function take(one: Known, event: Event): void {
    switch (event.event) {
      case "phase":
        one.phases.push(event.name);
        one.state.why = event.name;
        return draw();
      case "stderr":
        if (one.printed.push({ at: performance.now() - one.began, text: event.text }) > maxPrinted) one.printed.shift();
        // a flood is drawn once a frame
        frame ||= requestAnimationFrame(() => {
          frame = 0;
          const shown = known.get(chosen);
          if (shown) drawLog(shown);
        });
        return;
      case "tried":
        one.tries.push(event);
        one.phases = [];
        return draw();
      case "done":
        one.outcome = event.outcome;
        one.state = stateOf(event.outcome, "");
        break;
      case "healed":
        one.outcome = event.outcome;
        one.healed = event;
        // It works on a copy; the file is as it was.
        one.state = event.change ? { dot: "you", word: t.machine.fixFound, why: t.machine.notWritten } : stateOf(event.outcome, event.user_action_needed);
        break;
      case "failed":
        one.state = { dot: "no", word: t.machine.broken, why: event.error };
    }
    say(`${one.server.name}: ${one.state.word}`, 500);
    draw();
  }

  function stateOf(outcome: Outcome, action: string): State {
    const why = outcome.state === "ok" ? t.machine.tools(outcome.tools, time(outcome.ms)) : outcome.why;
    if (action) return { dot: "you", word: t.machine.needsYou, why: action.split("\n", 1)[0]! };
    switch (outcome.state) {
      case "ok":
      case "warns":
      case "slow":
        return { dot: "ok", word: t.machine.connected, why };
      case "off":
        return { dot: "", word: t.machine.off, why: "" };
      case "not started":
        return { dot: "you", word: t.machine.needsYou, why };
    }
    return { dot: "no", word: t.machine.broken, why };
  }

  async function probeAll(): Promise<void> {
    // A few at a time: the companion lets no more run.
    const waiting = [...known.values()].filter((one) => one.server.enabled && !one.server.needs_yes);
    await Promise.all(Array.from({ length: 4 }, async () => {
      for (let one = waiting.shift(); one; one = waiting.shift()) await run("probe", one);
    }));
  }

  async function write(one: Known): Promise<void> {
    try {
      one.written = await machine.write(one.healed!.change);
      one.healed = { ...one.healed!, change: "" };
      one.state = stateOf(one.outcome!, "");
      toast(t.machine.written);
    } catch (problem) {
      failed(problem);
    }
    const { written, healed, outcome, state } = one;
    await load();
    const now = known.get(one.server.id);
    if (now && written) Object.assign(now, { written, healed, outcome, state });
    draw();
  }

  async function undo(one: Known): Promise<void> {
    try {
      await machine.undo(one.written!.change);
      toast(t.machine.undone);
    } catch (problem) {
      failed(problem);
    }
    delete one.written;
    delete one.healed;
    await load();
  }

  function draw(): void {
    strip.hidden = body.hidden = !machine.paired;
    unpaired.hidden = machine.paired;
    if (!machine.paired) return;
    const all = [...known.values()];
    fill(
      strip,
      h("dl", { "aria-label": t.machine.companion }, h("div", {}, h("dt", {}, t.machine.pairedWith), h("dd", {}, `mcpmend, ${machine.host}`)), h("div", { class: "hide-s" }, h("dt", {}, t.machine.mayStart), h("dd", {}, t.machine.onlyConfigured))),
      h("div", { class: "row tight push acts" }, button(t.machine.unpair, () => (machine.unpair(), draw()), { class: "btn bare" }), button(t.machine.probeAll, () => void probeAll(), { id: "probe-all" })),
    );
    fill(
      list,
      h("div", { class: "bar" }, h("h2", {}, t.machine.count(all.length, files.length)), h("span", { class: "dim" }, summary(all))),
      files.map((file) => [
        h("div", { class: "grp" }, h("h3", {}, file.client_name), h("code", {}, file.path), file.error && h("span", { class: "no-t" }, file.error)),
        h("ul", { class: "srv" }, file.servers.map((server) => row(known.get(server.id)!))),
      ]),
    );
    const one = known.get(chosen);
    if (one) {
      drawCard(one);
      drawLog(one);
    } else {
      fill(card, h("header", {}, h("h1", { class: "cause" }, t.machine.none)));
      fill(log);
    }
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

  function summary(all: Known[]): string {
    const connected = all.filter((one) => one.state.dot === "ok").length;
    const attention = all.filter((one) => one.state.dot === "no" || one.state.dot === "you").length;
    return t.machine.summary(connected, attention);
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

  function actions(one: Known, busy: boolean): HTMLElement {
    if (busy) return h("div", { class: "row" }, button(t.machine.stop, () => one.stop?.abort()));
    if (one.written) return h("div", { class: "row" }, button(t.machine.undo, () => void undo(one), { id: "machine-undo" }), button(t.machine.probe, () => void run("probe", one)), h("span", { class: "dim hint" }, one.written.next_step));
    return h(
      "div",
      { class: "row" },
      one.healed?.change && button(t.machine.write, () => void write(one), { class: "btn main", id: "machine-write" }),
      one.state.dot === "no" && !one.healed && button(t.machine.heal, () => void run("heal", one), { class: "btn main", id: "machine-heal" }),
      one.server.enabled && button(t.machine.probe, () => void run("probe", one), { id: "machine-probe" }),
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

  return {
    element,
    show: draw,
    async pair(link) {
      try {
        await machine.pair(link);
      } catch (problem) {
        draw();
        return failed(problem);
      }
      await load();
      void probeAll();
    },
  };
}

const inks: Record<State["dot"], string> = { "": "", ok: "ok-t", no: "no-t", you: "you-t", go: "go-t" };
const badges: Record<State["dot"], string> = { "": "", ok: "good", no: "bad", you: "you", go: "you" };

function changedLine({ sign, old, new: now, text }: ChangedLine): DiffLine {
  return { kind: sign === "+" ? "add" : sign === "-" ? "del" : "same", number: now || old, pieces: [{ text, changed: false }] };
}

function time(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
