// What is known of this machine's servers: how each of them is, what was tried
// and what it printed. The view listens; nothing here touches the document.

import { Machine, Refused, type ConfigFile, type Event, type Healed, type Outcome, type Server } from "./machine";
import { t } from "./strings";

/** How a server is, as the list shows it. */
export interface State {
  dot: "" | "ok" | "no" | "you" | "go";
  word: string;
  why: string;
}

/** What is known of one server. */
export interface Known {
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
  /** Ends what runs; there while something does. */
  stop?: AbortController;
}

/** What a view wants to be told. */
export interface Listener {
  changed(): void;
  printed(): void;
  ended(one: Known): void;
  told(text: string): void;
}

const maxPrinted = 2000;
const atOnce = 4; // the companion lets no more run

export class Servers {
  readonly known = new Map<string, Known>();
  files: ConfigFile[] = [];

  #machine = new Machine();
  #listener: Listener;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  get paired(): boolean {
    return this.#machine.paired;
  }

  /** Where the companion listens. */
  get host(): string {
    return this.#machine.host;
  }

  async pair(link: string): Promise<void> {
    try {
      await this.#machine.pair(link);
    } catch (problem) {
      this.#listener.changed();
      return this.#failed(problem);
    }
    await this.#load();
    void this.probeAll();
  }

  unpair(): void {
    this.#machine.unpair();
    this.#listener.changed();
  }

  async probeAll(): Promise<void> {
    const waiting = [...this.known.values()].filter((one) => one.server.enabled && !one.server.needs_yes);
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let one = waiting.shift(); one; one = waiting.shift()) await this.run("probe", one);
      }),
    );
  }

  /** run probes or heals one server, and ends what ran before. */
  async run(what: "probe" | "heal", one: Known): Promise<void> {
    one.stop?.abort();
    const stop = (one.stop = new AbortController());
    Object.assign(one, { phases: [], tries: [], printed: [], healed: undefined, outcome: undefined, began: performance.now() });
    one.state = { dot: "go", word: what === "heal" ? t.machine.mending : t.machine.probing, why: "" };
    this.#listener.changed();
    try {
      for await (const event of this.#machine.run(what, one.server, stop.signal)) this.#take(one, event);
    } catch (problem) {
      if (stop.signal.aborted) one.state = { dot: "", word: t.machine.stopped, why: "" };
      else if (problem instanceof Refused) {
        one.state = { dot: "you", word: t.machine.needsYou, why: problem.message };
        if (problem.status === 409) void this.#load();
      } else this.#failed(problem);
    }
    if (one.stop === stop) delete one.stop;
    this.#listener.changed();
  }

  /** write keeps the change that healing found. */
  async write(one: Known): Promise<void> {
    try {
      one.written = await this.#machine.write(one.healed!.change);
      one.healed = { ...one.healed!, change: "" };
      one.state = stateOf(one.outcome!, "");
      this.#listener.told(t.machine.written);
    } catch (problem) {
      this.#failed(problem);
    }
    const { written, healed, outcome, state } = one;
    await this.#load();
    const now = this.known.get(one.server.id);
    if (now && written) Object.assign(now, { written, healed, outcome, state });
    this.#listener.changed();
  }

  async undo(one: Known): Promise<void> {
    try {
      await this.#machine.undo(one.written!.change);
      this.#listener.told(t.machine.undone);
    } catch (problem) {
      this.#failed(problem);
    }
    delete one.written;
    delete one.healed;
    await this.#load();
  }

  async #load(): Promise<void> {
    try {
      this.files = await this.#machine.files();
    } catch (problem) {
      return this.#failed(problem);
    }
    const before = new Map(this.known);
    this.known.clear();
    for (const file of this.files)
      for (const server of file.servers) {
        const old = before.get(server.id);
        // What was found out about an entry counts for that entry alone, and
        // what runs goes on telling it to the same object.
        this.known.set(server.id, old?.server.hash === server.hash ? Object.assign(old, { server }) : fresh(server, file));
      }
    this.#listener.changed();
  }

  #take(one: Known, event: Event): void {
    switch (event.event) {
      case "phase":
        one.phases.push(event.name);
        one.state.why = event.name;
        return this.#listener.changed();
      case "stderr":
        if (one.printed.push({ at: performance.now() - one.began, text: event.text }) > maxPrinted) one.printed.shift();
        return this.#listener.printed();
      case "tried":
        one.tries.push(event);
        one.phases = [];
        return this.#listener.changed();
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
    this.#listener.ended(one);
    this.#listener.changed();
  }

  #failed(problem: unknown): void {
    if (problem instanceof Refused && problem.status === 401) {
      this.#listener.changed();
      return this.#listener.told(t.machine.unpairedNow);
    }
    this.#listener.told(problem instanceof Refused ? problem.message : t.machine.gone);
  }
}

function fresh(server: Server, file: ConfigFile): Known {
  const state: State = { dot: "", word: server.enabled ? t.machine.waiting : t.machine.off, why: server.needs_yes ? t.machine.asksFirst : "" };
  return { server, client: file.client_name, state, phases: [], tries: [], printed: [], began: 0 };
}

function stateOf(outcome: Outcome, action: string): State {
  if (action) return { dot: "you", word: t.machine.needsYou, why: action.split("\n", 1)[0]! };
  switch (outcome.state) {
    case "ok":
      return { dot: "ok", word: t.machine.connected, why: t.machine.tools(outcome.tools, time(outcome.ms)) };
    case "warns":
    case "slow":
      return { dot: "ok", word: t.machine.connected, why: outcome.why };
    case "off":
      return { dot: "", word: t.machine.off, why: "" };
    case "not started":
      return { dot: "you", word: t.machine.needsYou, why: outcome.why };
  }
  return { dot: "no", word: t.machine.broken, why: outcome.why };
}

export function time(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
