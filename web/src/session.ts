// What is being looked at: the input, the last reading of it, and which fixes
// are chosen. Views listen; nothing here touches the document.

import { Broken, Lost, TooSlow, type Doctor } from "./doctor";
import { NotLoaded, type Module, type Modules } from "./modules";
import type { Choices, Input, Mended, Reading } from "./protocol";
import type { Diagnosis, Fix } from "./report";

export const maxText = 32 * 1024 * 1024;
const typingPause = 120;
const maxAsked = 20; // diagnoses that fix modules are asked about

export type Trouble = { kind: "slow" } | { kind: "broken" } | { kind: "lost" } | { kind: "refused"; message: string };

export interface State {
  input: Input;
  twoPanes: boolean;
  /** Of an older input while a newer one is being read. */
  reading: Reading | undefined;
  mended: Mended | undefined;
  trouble: Trouble | undefined;
  /** The diagnosis whose evidence is marked. */
  active: number;
  /** What fix modules said to the reading, by their names. */
  modules: Map<string, Said>;
}

/** What came of asking a fix module: how many fixes, or why none, and whether that is for want of its file. */
export interface Said {
  fixes: number;
  error: string;
  missing: boolean;
}

type Event = "input" | "reading" | "mended" | "active" | "modules";

const empty = (): Input => ({ text: "", config: "", file: "", client: "", facts: {} });

export class Session {
  readonly state: State = { input: empty(), twoPanes: false, reading: undefined, mended: undefined, trouble: undefined, active: 0, modules: new Map() };

  #doctor: Doctor;
  #modules: Modules;
  #listeners: Record<Event, (() => void)[]> = { input: [], reading: [], mended: [], active: [], modules: [] };
  #chosen = new Map<string, string>(); // by diagnosis: the id of the fix, "" for none
  #repair = true;
  #blank = { text: "", config: "", is: true };
  #timer = 0;
  #edits: (() => Partial<Input>)[] = [];
  #dirty = false;
  #running = false;
  #round = 0; // counts what the worker was given to examine, which is what its later answers are about

  constructor(doctor: Doctor, modules: Modules) {
    this.#doctor = doctor;
    this.#modules = modules;
  }

  /** on listens until the function that it gives is called. */
  on(event: Event, listener: () => void): () => void {
    this.#listeners[event].push(listener);
    return () => (this.#listeners[event] = this.#listeners[event].filter((other) => other !== listener));
  }

  /** Whether there is nothing to read. Looked at once per input: it may be megabytes of spaces. */
  get isEmpty(): boolean {
    const { text, config } = this.state.input;
    if (this.#blank.text !== text || this.#blank.config !== config) this.#blank = { text, config, is: !/\S/.test(text) && !/\S/.test(config) };
    return this.#blank.is;
  }

  /** open takes something new: a paste, files, an example, a link. Earlier choices are forgotten. */
  open(input: Partial<Input>, twoPanes = this.state.twoPanes): void {
    this.#edits = [];
    this.#chosen.clear();
    this.#repair = true;
    Object.assign(this.state, { input: { ...empty(), ...input }, twoPanes, reading: undefined, mended: undefined, trouble: undefined, active: 0 });
    this.#emit("input");
    void this.#read();
  }

  /** edit changes a part of the input, as typing does; it is asked for once the typing pauses. */
  edit(change: () => Partial<Input>): void {
    this.#edits.push(change);
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      for (const edit of this.#edits.splice(0)) Object.assign(this.state.input, edit());
      void this.#read();
    }, typingPause);
  }

  /** again reads the same input once more, and first brings what did not arrive. */
  again(): void {
    if (this.state.trouble?.kind === "lost") this.#doctor.retry();
    else this.#modules.load();
    this.state.trouble = undefined;
    this.#emit("reading");
    void this.#read();
  }

  /** redraw tells the views that something beside the reading has come. */
  redraw(): void {
    if (this.state.reading) this.#emit("reading");
    if (this.state.mended) this.#emit("mended");
  }

  activate(diagnosis: number): void {
    if (diagnosis === this.state.active) return;
    this.state.active = diagnosis;
    this.#emit("active");
  }

  /** patchable are the fixes of a diagnosis that change the config. */
  static patchable(diagnosis: Diagnosis): Fix[] {
    return (diagnosis.fixes ?? []).filter((fix) => !fix.requires_user_action && (fix.patch?.length ?? 0) > 0);
  }

  /** ofModule tells that a fix module proposes a fix. */
  static ofModule(fix: Fix): boolean {
    return fix.by !== "" && fix.by !== "core";
  }

  /** chosen is the fix that is accepted for a diagnosis, or undefined. */
  chosen(diagnosis: Diagnosis): Fix | undefined {
    const fixes = Session.patchable(diagnosis);
    const id = this.#chosen.get(key(diagnosis));
    if (id !== undefined) return fixes.find((fix) => fix.id === id);
    // What a module proposes comes after the diagnosis, and is accepted by a person alone.
    return fixes.find((fix) => !Session.ofModule(fix) && (diagnosis.severity !== "note" || fix.safety === "safe"));
  }

  choose(diagnosis: Diagnosis, fix: Fix | undefined): void {
    this.#chosen.set(key(diagnosis), fix?.id ?? "");
    void this.#mend();
  }

  get repair(): boolean {
    return this.#repair;
  }

  set repair(on: boolean) {
    this.#repair = on;
    void this.#mend();
  }

  /** acceptSafe chooses every safe fix, and says how many were not chosen before. */
  acceptSafe(): number {
    let count = 0;
    for (const diagnosis of this.state.reading?.report.diagnoses ?? []) {
      const safe = Session.patchable(diagnosis).find((fix) => fix.safety === "safe");
      if (!safe || this.chosen(diagnosis)) continue;
      this.#chosen.set(key(diagnosis), safe.id);
      count++;
    }
    if (!this.#repair) count++;
    this.#repair = true;
    if (count > 0) {
      this.#emit("reading");
      void this.#mend();
    }
    return count;
  }

  /** Whether every fix that can be accepted is. */
  get allAccepted(): boolean {
    return this.#repair && this.#mendable().every((diagnosis) => this.chosen(diagnosis));
  }

  /** acceptAll chooses the best fix of every diagnosis, and says how many that are. */
  acceptAll(): number {
    const mendable = this.#mendable();
    for (const diagnosis of mendable) {
      if (!this.chosen(diagnosis)) this.#chosen.set(key(diagnosis), Session.patchable(diagnosis)[0]!.id);
    }
    this.#repair = true;
    this.#emit("reading");
    void this.#mend();
    return this.mendable;
  }

  /** How many fixes can be accepted: one a diagnosis, and the repair of the syntax. */
  get mendable(): number {
    return this.#mendable().length + ((this.state.reading?.report.config?.edits?.length ?? 0) > 0 ? 1 : 0);
  }

  #mendable(): Diagnosis[] {
    return (this.state.reading?.report.diagnoses ?? []).filter((diagnosis) => Session.patchable(diagnosis).length > 0);
  }

  choices(): Choices {
    const fixes: Choices["fixes"] = [];
    this.state.reading?.report.diagnoses.forEach((diagnosis, i) => {
      const chosen = this.chosen(diagnosis);
      if (chosen) fixes.push([i, diagnosis.fixes!.indexOf(chosen)]);
    });
    return { repair: this.#repair, fixes };
  }

  /** Only one reading is under way; what is typed meanwhile is read after it, and only its last state. */
  async #read(): Promise<void> {
    clearTimeout(this.#timer);
    this.#dirty = true;
    if (this.#running) return;
    this.#running = true;
    while (this.#dirty) {
      this.#dirty = false;
      await this.#examine();
    }
    this.#running = false;
  }

  async #examine(): Promise<void> {
    const { state } = this;
    const round = ++this.#round;
    state.modules = new Map();
    if (this.isEmpty) {
      Object.assign(state, { reading: undefined, mended: undefined, trouble: undefined });
      this.#emit("reading");
      return;
    }
    try {
      const reading = await this.#doctor.ask("examine", { ...state.input });
      if (this.isEmpty) return;
      performance.mark("diagnosed");
      Object.assign(state, { reading, trouble: undefined });
      state.active = Math.min(state.active, Math.max(0, reading.report.diagnoses.length - 1));
      this.#emit("reading");
      if (!this.#dirty) await this.#mend();
      if (!this.#dirty) void this.#consult(round, reading);
    } catch (error) {
      Object.assign(state, { reading: undefined, mended: undefined, trouble: trouble(error) });
      this.#emit("reading");
    }
  }

  /** consult asks the fix modules about a reading. What they propose is drawn at once, so that nothing moves under the hand twice. */
  async #consult(round: number, reading: Reading): Promise<void> {
    const said = this.state.modules;
    for (const module of this.#modules.list) {
      if (this.#round !== round) return;
      await this.#ask(module, reading, said, () => this.#round === round);
    }
    if (this.#round !== round) return;
    if (said.size > 0) this.redraw();
    this.#emit("modules");
  }

  /** ask puts every diagnosis to a module. One that fails is not asked again before the next reading. */
  async #ask(module: Module, reading: Reading, said: State["modules"], current: () => boolean): Promise<void> {
    const { manifest } = module;
    const { name } = manifest;
    try {
      for (const [i, diagnosis] of reading.report.diagnoses.slice(0, maxAsked).entries()) {
        if (!diagnosis.server || !reading.report.config || !current()) continue;
        const request = await this.#doctor.ask("moduleRequest", { diagnosis: i, manifest });
        if (!request) continue;
        const answer = await this.#modules.run(module, request);
        if (!current()) return;
        const before = diagnosis.fixes?.length ?? 0;
        const fixes = await this.#doctor.ask("moduleAnswer", { diagnosis: i, name, answer });
        if (!current()) return;
        diagnosis.fixes = fixes;
        said.set(name, { fixes: (said.get(name)?.fixes ?? 0) + fixes.length - before, error: "", missing: false });
      }
    } catch (error) {
      said.set(name, { fixes: 0, error: error instanceof Error ? error.message : String(error), missing: error instanceof NotLoaded });
    }
  }

  async #mend(): Promise<void> {
    const { reading } = this.state;
    if (!reading?.report.config) {
      this.state.mended = undefined;
      this.#emit("mended");
      return;
    }
    try {
      const mended = await this.#doctor.ask("mend", this.choices());
      if (this.state.reading !== reading) return;
      this.state.mended = mended;
    } catch (error) {
      if (error instanceof Lost) return;
      this.state.mended = undefined;
    }
    this.#emit("mended");
  }

  #emit(event: Event): void {
    for (const listener of this.#listeners[event]) listener();
  }
}

/** A diagnosis keeps its choice while the text around it is edited. */
function key(diagnosis: Diagnosis): string {
  return JSON.stringify([diagnosis.code, diagnosis.server, diagnosis.evidence?.[0]?.quote ?? ""]);
}

function trouble(error: unknown): Trouble {
  if (error instanceof TooSlow) return { kind: "slow" };
  if (error instanceof Broken) return { kind: "broken" };
  if (error instanceof Lost) return { kind: "lost" };
  return { kind: "refused", message: error instanceof Error ? error.message : String(error) };
}
