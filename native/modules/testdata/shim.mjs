// Runs modules under the page's WASI shim: node shim.mjs WASI.mjs < work.json
// The work is {modules, jobs: [{module, request}]}, bytes as base64; each job
// gets a line {stdout, error}.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { run } = await import(pathToFileURL(process.argv[2]));
const { modules, jobs } = JSON.parse(readFileSync(0, "utf8"));
const compiled = modules.map((code) => new WebAssembly.Module(Buffer.from(code, "base64")));
for (const { module, request } of jobs) {
  const { stdout, error } = run(compiled[module], Buffer.from(request, "base64"));
  console.log(JSON.stringify({ stdout: Buffer.from(stdout).toString("base64"), error }));
}
