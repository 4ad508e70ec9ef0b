// The companion: what this machine can do that a browser cannot. It is there
// when the page was opened by a link that `mcpmend web` showed: its own page, or
// a hosted one that it was told to allow. The token stays in this tab's memory:
// another program may get the port next, and must find nothing.

import type { Diagnosis } from "./report";

export interface ConfigFile {
  path: string;
  client: string;
  client_name: string;
  scope: string;
  error?: string;
  servers: Server[];
}

export interface Server {
  id: string;
  hash: string;
  name: string;
  transport: string;
  command: string;
  enabled: boolean;
  needs_yes: boolean;
}

export interface Outcome {
  state: string;
  why: string;
  tools: number;
  ms: number;
  phases: { name: string; ms: number }[] | null;
  diagnoses: Diagnosis[];
}

export interface Attempt {
  attempt_number: number;
  cause: string;
  fix: string;
  result: string;
}

export interface ChangedLine {
  sign: " " | "-" | "+";
  old: number;
  new: number;
  text: string;
}

export interface Healed {
  outcome: Outcome;
  fixed: boolean;
  attempts: Attempt[];
  user_action_needed: string;
  diff: ChangedLine[];
  change: string;
}

export type Event =
  | { event: "phase"; name: string }
  | { event: "stderr"; text: string }
  | { event: "tried"; state: string; why: string; ms: number }
  | { event: "done"; outcome: Outcome }
  | ({ event: "healed" } & Healed)
  | { event: "failed"; error: string };

/** Refused is an answer other than 200, with what to say. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export class Machine {
  #token = "";
  #base = "";

  /** Where the companion listens. */
  get host(): string {
    return new URL(this.#base || location.href).host;
  }

  get paired(): boolean {
    return this.#token !== "";
  }

  /** pair trades the code of a link for a token. A hosted page is told the port as well. */
  async pair(link: string): Promise<void> {
    const [code, port] = link.split("@", 2) as [string, string?];
    this.#base = port && /^\d{1,5}$/.test(port) ? `http://127.0.0.1:${port}` : "";
    this.#token = ((await this.#ask("pair", { code })) as { token: string }).token;
  }

  unpair(): void {
    this.#token = "";
  }

  async files(): Promise<ConfigFile[]> {
    return ((await this.#ask("servers", {})) as { files: ConfigFile[] }).files;
  }

  /** probe and heal tell what happens as it happens; stopping is aborting. */
  run(what: "probe" | "heal", server: Server, stop: AbortSignal): AsyncGenerator<Event> {
    return lines(this.#post(what, { id: server.id, hash: server.hash }, stop));
  }

  async write(change: string): Promise<{ change: string; next_step: string }> {
    return (await this.#ask("write", { change })) as { change: string; next_step: string };
  }

  async undo(change: string): Promise<void> {
    await this.#ask("undo", { change });
  }

  async #ask(what: string, body: Record<string, string>): Promise<unknown> {
    return (await this.#post(what, body)).json();
  }

  async #post(what: string, body: Record<string, string>, signal?: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { "Content-Type": "application/json" };
    if (this.#token) headers["Authorization"] = `Bearer ${this.#token}`;
    const answer = await fetch(`${this.#base}/api/${what}`, { method: "POST", headers, body: JSON.stringify(body), signal: signal ?? null, credentials: "omit", cache: "no-store" });
    if (answer.ok) return answer;
    if (answer.status === 401) this.#token = "";
    const problem = (await answer.json().catch(() => ({}))) as { error?: string };
    throw new Refused(answer.status, problem.error ?? answer.statusText);
  }
}

/** lines reads one JSON value a line, as they come. */
async function* lines(answer: Promise<Response>): AsyncGenerator<Event> {
  const reader = (await answer).body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop()!;
    for (const part of parts) if (part) yield JSON.parse(part) as Event;
  }
}
