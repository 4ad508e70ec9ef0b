// Runs the page's core under Node: node examine.mjs WASM_EXEC WASM < questions
// A question is {"text","config"} on a line; its answer is the report on a line.

import { readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";

const [exec, wasm] = process.argv.slice(2);
createRequire(import.meta.url)(exec);
const go = new Go();
const { instance } = await WebAssembly.instantiate(readFileSync(wasm), go.importObject);
void go.run(instance);

// All at once and in step: a stream that is read line by line loses some when
// answering takes longer than reading, and process.exit waits for no writer.
for (const line of readFileSync(0, "utf8").trimEnd().split("\n")) {
  const { text, config } = JSON.parse(line);
  const answer = mcpmend.examine(text, config ?? "", "", "", "{}");
  if (answer instanceof Error) throw answer;
  const bytes = Buffer.from(answer + "\n");
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}
process.exit(0);
