// The page's side of the worker: loads the Go programs with progress, hands
// questions over, and ends a worker that does not answer in time.

import type { Call, Calls, FromWorker } from "./protocol";
import type { ToWorker } from "./worker/main";
import { ownScript } from "./trusted";

const deadline = 5000;
const wasmType = "application/wasm";

export interface Progress {
  loaded: number;
  total: number;
  /** Seconds left at the speed so far. */
  left: number;
}

type Listener<T> = (value: T) => void;

/** TooSlow is the error of a question whose worker had to be ended. */
export class TooSlow extends Error {}

/** Broken is the error of a question at which the worker ended by itself. */
export class Broken extends Error {}

/** Lost is the error of a question that can never be answered: the doctor did not load. */
export class Lost extends Error {}

interface Waiting {
  id: number;
  message: ToWorker;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class Doctor {
  ready = false;
  onProgress: Listener<Progress> = () => {};
  onReady: Listener<number> = () => {};
  onLost: Listener<string> = () => {};
  onRequests: Listener<number> = () => {};

  #worker: Worker | undefined;
  #core: Promise<WebAssembly.Module>;
  #schema: Promise<WebAssembly.Module> | undefined;
  #schemaSent = false;
  #waiting: Waiting[] = [];
  #timer = 0;
  #next = 1;
  #lost: string | undefined; // why nothing can be asked any more

  constructor() {
    this.#core = load(__FILES__.core, (p) => this.onProgress(p));
    this.#start();
  }

  /** retry loads the core again after it was lost. */
  retry(): void {
    this.#lost = undefined;
    this.#core = load(__FILES__.core, (p) => this.onProgress(p));
    this.#start();
  }

  /** ask puts a question to the worker; it waits until the doctor has arrived. */
  ask<C extends Call>(call: C, ask: Calls[C]["ask"]): Promise<Calls[C]["answer"]> {
    return new Promise((resolve, reject) => {
      if (this.#lost !== undefined) return reject(new Lost(this.#lost));
      const id = this.#next++;
      this.#waiting.push({ id, message: { kind: "ask", id, call, ask } as ToWorker, resolve: resolve as (v: unknown) => void, reject });
      if (this.#waiting.length === 1) this.#send();
    });
  }

  /** needSchema brings the schema explainer into the worker. */
  async needSchema(progress: Listener<Progress> = () => {}): Promise<void> {
    this.#schema ??= load(__FILES__.schema, progress).catch((error: unknown) => {
      this.#schema = undefined; // the next try may have a network
      throw error;
    });
    const module = await this.#schema;
    if (this.#schemaSent) return;
    this.#schemaSent = true;
    this.#worker?.postMessage({ kind: "schema", module } satisfies ToWorker);
  }

  #start(): void {
    this.ready = false;
    this.#schemaSent = false;
    const worker = new Worker(ownScript(__FILES__.worker) as unknown as string, { name: "mcpmend" });
    this.#worker = worker;
    worker.onmessage = (event: MessageEvent<FromWorker>) => this.#hear(event.data);
    worker.onerror = (event) => this.#lose(event.message || "the worker stopped");
    this.#core.then(
      (module) => worker.postMessage({ kind: "core", module } satisfies ToWorker),
      (error: unknown) => this.#lose(String(error)),
    );
  }

  #hear(message: FromWorker): void {
    switch (message.kind) {
      case "ready":
        this.ready = true;
        this.onReady(message.milliseconds);
        this.#send();
        return;
      case "lost":
        this.#lose(message.message);
        return;
      case "requests":
        this.onRequests(message.count);
        return;
      case "answer":
      case "error": {
        const first = this.#waiting[0];
        if (first?.id !== message.id) return; // of a question that was given up
        clearTimeout(this.#timer);
        this.#waiting.shift();
        if (message.kind === "answer") first.resolve(message.answer);
        else first.reject(new Error(message.message));
        this.#send();
      }
    }
  }

  /** One question is with the worker at a time, so that the deadline is that question's alone. */
  #send(): void {
    const first = this.#waiting[0];
    if (!first || !this.ready) return;
    this.#worker?.postMessage(first.message);
    this.#timer = window.setTimeout(() => this.#restart(new TooSlow()), deadline);
  }

  #restart(reason: Error): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#waiting.shift()?.reject(reason);
    const again = this.#schemaSent;
    this.#start();
    if (again) void this.needSchema();
  }

  /** A worker that had been ready is started again; one that never was has no file to start from. */
  #lose(message: string): void {
    if (this.ready) return this.#restart(new Broken(message));
    this.#worker?.terminate();
    this.#lost = message;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(new Lost(message));
    this.onLost(message);
  }
}

/** load compiles a program while it arrives. */
async function load(file: { url: string; size: number }, progress: Listener<Progress>): Promise<WebAssembly.Module> {
  const response = await fetch(file.url);
  if (!response.ok || !response.body) throw new Error(`${file.url}: ${response.status}`);
  const stop = follow(response.clone(), file.size, progress);
  const known = response.headers.get("content-type") === wasmType;
  try {
    return await WebAssembly.compileStreaming(known ? response : new Response(response.body, { headers: { "content-type": wasmType } }));
  } finally {
    stop();
  }
}

/**
 * follow tells how much of a response has come, until it is stopped. It begins
 * only after a moment: what is there by then needs no counting, and counting
 * takes the main thread's time.
 */
function follow(copy: Response, size: number, progress: Listener<Progress>): () => void {
  const body = copy.body!;
  // The body arrives unpacked, the length is that of the packed file.
  const total = Number(copy.headers.get("content-length")) || size;
  const from = performance.now();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const count = async () => {
    reader = body.getReader();
    for (let bytes = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.length;
      const part = Math.min(1, bytes / size);
      progress({ loaded: Math.round(total * part), total, left: ((performance.now() - from) / 1000) * (1 / part - 1) });
    }
  };
  const timer = setTimeout(() => void count().catch(() => undefined), 250); // what goes wrong is told by the compiler
  return () => {
    clearTimeout(timer);
    void (reader ?? body).cancel().catch(() => undefined);
  };
}
