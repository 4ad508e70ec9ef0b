// A worker that runs fix modules, one at a time and each in a memory of its own.
// A module cannot be stopped from within, so the page ends the worker when a
// module's time is up, and starts another for the next.

import { run } from "./wasi";

/** The code, which has passed the core's scan, and the request as JSON. */
export interface ModuleCall {
  code: ArrayBuffer | WebAssembly.Module;
  request: string;
}

/** What the module wrote, to be judged by the core, or why there is nothing. */
export interface ModuleAnswer {
  answer: string;
  error: string;
}

addEventListener("message", ({ data }: MessageEvent<ModuleCall>) => {
  const { stdout, error } = run(data.code, new TextEncoder().encode(data.request));
  const said: ModuleAnswer = { answer: "", error };
  try {
    said.answer = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(stdout);
  } catch {
    said.error = "its answer is not UTF-8";
  }
  postMessage(said);
});
