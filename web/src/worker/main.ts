// The worker: owns the Go programs, answers one question after another. It is
// ended and started again by the page when a question takes too long, so it
// keeps nothing that the page could not send again.

import { changes, diff } from "../diff";
import type { Call, Calls, Explained, FromWorker, Input, Manifest, Mended, Opened, Part, Request } from "../protocol";
import type { Fix, Report } from "../report";
import { fromBase64, toBase64 } from "./base64";
import { answer, start, type Core, type Schema } from "./engine";
import { reading, shortened } from "./reading";
import { pack, unpack } from "./share";

/** The first message carries the compiled core; the schema part follows when the page has it. */
export type ToWorker = { kind: "core"; module: WebAssembly.Module } | { kind: "schema"; module: WebAssembly.Module } | (Request & { kind: "ask" });

let core: Core;
let schema: Schema | undefined;
let last: Input = { text: "", config: "", file: "", client: "", facts: {} };

const calls: { [C in Call]: (ask: Calls[C]["ask"]) => Calls[C]["answer"] | Promise<Calls[C]["answer"]> } = {
  examine(input) {
    last = input;
    const from = performance.now();
    const json = answer(core.examine(input.text, input.config, input.file, input.client, JSON.stringify(input.facts)));
    const took = performance.now() - from;
    return reading(JSON.parse(json) as Report, JSON.parse(answer(core.parts())) as Part[], input, took);
  },
  mend(choices) {
    const { before, ...mended } = JSON.parse(answer(core.mend(JSON.stringify(choices)))) as Omit<Mended, "diff" | "changes"> & { before: string };
    const lines = diff(before, mended.text);
    return { ...mended, diff: lines, changes: changes(lines) };
  },
  convert: ({ text, file, to, system }) => JSON.parse(answer(core.convert(text, file, to, system))),
  markdown: () => answer(core.markdown()),
  agent: () => answer(core.agent()),
  share: () => pack({ ...(JSON.parse(answer(core.masked())) as Opened), file: last.file }),
  open: unpack,
  explain({ schema: text, arguments: args }) {
    if (!schema) throw new Error("the schema explainer is not loaded");
    const explained = JSON.parse(answer(schema.explain(text, args))) as Omit<Explained, "diff">;
    return { ...explained, diff: explained.repaired ? diff(explained.arguments, explained.repaired) : [] };
  },
  rules: () => JSON.parse(answer(core.rules())),
  clients: () => JSON.parse(answer(core.clients())),
  moduleScan(file) {
    const { manifest, code } = JSON.parse(answer(core.moduleScan(toBase64(file)))) as { manifest: Manifest; code: string };
    return { manifest, code: fromBase64(code) };
  },
  moduleRequest: ({ diagnosis, manifest }) => answer(core.moduleRequest(String(diagnosis), JSON.stringify(manifest))),
  moduleAnswer: ({ diagnosis, name, answer: said }) => shortened(JSON.parse(answer(core.moduleAnswer(String(diagnosis), name, said))) as Fix[]),
};

function say(message: FromWorker): void {
  postMessage(message);
}

async function ask<C extends Call>(request: Request<C>): Promise<void> {
  try {
    say({ kind: "answer", id: request.id, answer: await calls[request.call](request.ask) });
  } catch (error) {
    say({ kind: "error", id: request.id, message: error instanceof Error ? error.message : String(error) });
  }
}

/** The first reading compiles what the later ones use. That is part of arriving, and does not count against the deadline of a question. */
function warmUp(): void {
  core.examine("spawn npx ENOENT", '{"mcpServers":{"a":{"command":"npx"}}}', "", "", "{}");
}

// Questions are answered in the order they came, also those that wait for something.
let queue: Promise<void> = Promise.resolve();

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  queue = queue.then(async () => {
    if (data.kind === "ask") return ask(data);
    const from = performance.now();
    try {
      if (data.kind === "schema") {
        schema = await start(data.module, "mcpmendSchema");
        return;
      }
      core = await start(data.module, "mcpmend");
      warmUp();
      say({ kind: "ready", milliseconds: performance.now() - from });
    } catch (error) {
      say({ kind: "lost", message: String(error) });
    }
  });
});

// Nothing here should ever fetch; what does is counted and shown by the page.
new PerformanceObserver((list) => say({ kind: "requests", count: list.getEntries().length })).observe({ type: "resource" });
