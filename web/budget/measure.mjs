// node measure.mjs WASM_EXEC EMPTY CORE: the best of several runs, in ms.
// node measure.mjs WASM_EXEC ONE: one start in a fresh process.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [exec, empty, core] = process.argv.slice(2);
createRequire(import.meta.url)(exec);

/** From instance to running main, which for Go includes every init, and for the engine the code of it. */
async function start(file) {
  const go = new Go();
  go.exit = () => {};
  const { log } = console;
  console.log = () => {}; // the empty program prints
  const instance = await WebAssembly.instantiate(await WebAssembly.compile(readFileSync(file)), go.importObject);
  const from = performance.now();
  void go.run(instance);
  const took = performance.now() - from;
  console.log = log;
  return took;
}

if (!core) {
  console.log(await start(empty));
  process.exit(0);
}

const best = (times, run) => Math.min(...Array.from({ length: times }, run));
const timed = (run) => {
  const from = performance.now();
  run();
  return performance.now() - from;
};
const cold = (file) => best(7, () => Number(execFileSync(process.execPath, [process.argv[1], exec, file], { encoding: "utf8" })));

const figures = { Empty: cold(empty), Start: cold(core) };
await start(core);
const line = '2026-11-14T09:12:41.236Z [github] [info] Message from client: {"method":"tools/list"}\n';
const log = line.repeat(Math.floor((1 << 20) / line.length)) + "2026-11-14T09:12:41.236Z [github] [error] spawn npx ENOENT\n";
const config = `{"mcpServers": {${Array.from({ length: 12 }, (_, i) => `"server${i}": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/you/notes${i}"], "env": {"A": "b"}}`).join(", ")}}}`;
const error = line.repeat(22) + "2026-11-14T09:12:41.236Z [server3] [error] spawn npx ENOENT\n";
figures.Log = best(80, () => timed(() => mcpmend.examine(log, "", "", "", "{}")));
figures.Warm = best(200, () => timed(() => mcpmend.examine(error, config, "", "", "{}")));
console.log(JSON.stringify(figures));
process.exit(0);
