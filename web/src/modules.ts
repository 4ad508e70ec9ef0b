// Fix modules: the packs of the page, and what was dropped on it. The core says
// what to ask and judges the answers; here a module is loaded, run and ended.
//
// The packs are fetched all together, as soon as the core is there: a pack that
// came only when it is needed would tell its host what was pasted.

import type { Doctor } from "./doctor";
import type { Manifest } from "./protocol";
import { t } from "./strings";
import { ownScript } from "./trusted";
import type { ModuleAnswer, ModuleCall } from "./wasi-worker";

const seconds = 2;
const maxFile = 8; // MiB, as the core's

export interface Module {
  readonly manifest: Manifest;
  /** The compiled code, made when it is first needed. */
  code(): Promise<WebAssembly.Module>;
}

/** NotLoaded is the error of a pack that did not arrive; loading again may bring it. */
export class NotLoaded extends Error {}

export function isModule(file: File): boolean {
  return /\.wasm$/i.test(file.name);
}

export class Modules {
  #doctor: Doctor;
  #packs: Pack[] = [];
  #dropped: Module[] = [];
  #runner: Worker | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(doctor: Doctor) {
    this.#doctor = doctor;
  }

  /** load fetches the packs that are not there yet, and starts the worker that runs modules. */
  load(): void {
    if (this.#packs.length === 0) this.#packs = __FILES__.packs.map(({ manifest, url }) => new Pack(manifest, url));
    for (const pack of this.#packs) pack.load();
    this.#runner ??= start();
  }

  /** list is what there is to ask. A dropped module stands in for one of the same name. */
  get list(): Module[] {
    const dropped = new Set(this.#dropped.map((module) => module.manifest.name));
    return [...this.#packs.filter((pack) => !dropped.has(pack.manifest.name)), ...this.#dropped];
  }

  /** add takes a module's file. What the core refuses is thrown. */
  async add(file: File): Promise<Manifest> {
    if (file.size > maxFile << 20) throw new Error(t.module.big((file.size / 1024 / 1024).toFixed(0), maxFile));
    const { manifest, code } = await this.#doctor.ask("moduleScan", new Uint8Array(await file.arrayBuffer()));
    this.remove(manifest.name);
    let compiled: Promise<WebAssembly.Module> | undefined;
    this.#dropped.push({ manifest, code: () => (compiled ??= WebAssembly.compile(code)) });
    return manifest;
  }

  /** remove forgets a dropped module. */
  remove(name: string): void {
    this.#dropped = this.#dropped.filter((module) => module.manifest.name !== name);
  }

  /** run gives what a module answers. One runs at a time, so that its time is its own. */
  run(module: Module, request: string): Promise<string> {
    const run = this.#turn.then(async () => this.#run({ code: await module.code(), request }));
    this.#turn = run.catch(() => undefined);
    return run;
  }

  #run(call: ModuleCall): Promise<string> {
    const runner = (this.#runner ??= start());
    return new Promise((resolve, reject) => {
      const end = (why: string) => {
        runner.terminate();
        this.#runner = undefined;
        reject(new Error(why));
      };
      const timer = setTimeout(() => end(t.module.slow(seconds)), seconds * 1000);
      runner.onmessage = ({ data }: MessageEvent<ModuleAnswer>) => {
        clearTimeout(timer);
        if (data.error) reject(new Error(data.error));
        else resolve(data.answer);
      };
      runner.onerror = (event) => {
        clearTimeout(timer);
        event.preventDefault();
        end(event.message || t.module.lost);
      };
      runner.postMessage(call);
    });
  }
}

/** Pack is a module of the page's own. One that did not arrive can be loaded again. */
class Pack implements Module {
  #bytes: Promise<BufferSource> | undefined;
  #code: Promise<WebAssembly.Module> | undefined;

  constructor(
    readonly manifest: Manifest,
    private readonly url: string,
  ) {}

  load(): void {
    this.#bytes ??= fetched(this.url).catch(() => {
      this.#bytes = undefined;
      throw new NotLoaded(t.module.lost);
    });
    this.#bytes.catch(() => undefined); // told to whoever asks for the code
  }

  async code(): Promise<WebAssembly.Module> {
    if (!this.#bytes) throw new NotLoaded(t.module.lost); // fetching it now would tell what was pasted
    const bytes = await this.#bytes;
    return (this.#code ??= WebAssembly.compile(bytes));
  }
}

function start(): Worker {
  return new Worker(ownScript(__FILES__.runner) as unknown as string, { name: "modules" });
}

async function fetched(url: string): Promise<BufferSource> {
  const response = await fetch(url, { priority: "low" });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.arrayBuffer();
}
