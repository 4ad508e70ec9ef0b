// The two Go programs in the worker. The core is there from the start; the
// schema explainer comes when it is first needed, because compiling the
// metaschemas would cost every visitor the time that only few need.

import "go:wasm_exec";

/** What wasm/page offers. Strings go in, JSON comes out; an error is thrown. */
export interface Core {
  examine(text: string, config: string, file: string, client: string, facts: string): string;
  parts(): string;
  mend(choices: string): string;
  convert(text: string, file: string, to: string, system: string): string;
  markdown(): string;
  agent(): string;
  masked(): string;
  rules(): string;
  clients(): string;
  moduleScan(file: string): string;
  moduleRequest(diagnosis: string, manifest: string): string;
  moduleAnswer(diagnosis: string, name: string, answer: string): string;
}

/** What wasm/page/schema offers. */
export interface Schema {
  explain(schema: string, args: string): string;
}

interface Engines {
  mcpmend?: Core;
  mcpmendSchema?: Schema;
}

/** start runs a Go program until it has put its functions in place. */
export async function start<K extends keyof Engines>(module: WebAssembly.Module, name: K): Promise<NonNullable<Engines[K]>> {
  const go = new Go();
  const instance = await WebAssembly.instantiate(module, go.importObject);
  // main registers its functions before it first blocks, so they are there when run returns its promise
  void go.run(instance).then(() => postMessage({ kind: "lost", message: `${name} ended` }));
  const engine = (globalThis as Engines)[name];
  if (!engine) throw new Error(`${name} did not start`);
  return engine as NonNullable<Engines[K]>;
}

/** answer unwraps what the bridge returns: a JSON text, or an Error that it made. */
export function answer(value: string | Error): string {
  if (value instanceof Error) throw value;
  return value;
}
