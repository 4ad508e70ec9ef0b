// Runs the page's core under Node: node examine.mjs WASM_EXEC WASM < questions
// A question is {"text","config"} on a line; its answer is the report on a line.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const [exec, wasm] = process.argv.slice(2);
createRequire(import.meta.url)(exec);
const go = new Go();
const { instance } = await WebAssembly.instantiate(readFileSync(wasm), go.importObject);
void go.run(instance);

for await (const line of createInterface({ input: process.stdin })) {
  const { text, config } = JSON.parse(line);
  const answer = mcpmend.examine(text, config ?? "", "", "", "{}");
  if (answer instanceof Error) throw answer;
  process.stdout.write(answer + "\n");
}
process.exit(0);
