// Builds web/dist: the page as static files with hashed names, their integrity
// in the HTML, and a brotli and a gzip twin of each for servers that send those.
//
//   node build.mjs WASM_DIR VERSION
//
// WASM_DIR holds core.wasm and schema.wasm, built from wasm/page, and packs with
// the fix modules and the list of their manifests.
// MCPMEND_BROTLI=4 packs in seconds, for work on the page; what ships is packed by 11.

import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const source = (...path) => join(here, "src", ...path);
const dist = join(here, "dist");
const [wasmDir, version = "dev"] = process.argv.slice(2);
if (!wasmDir) throw new Error("usage: node build.mjs WASM_DIR VERSION");
const goroot = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();

const files = new Map(); // name in dist -> bytes

const digest = (bytes, algorithm, encoding) => createHash(algorithm).update(bytes).digest(encoding);
const integrity = (bytes) => `sha384-${digest(bytes, "sha384", "base64")}`;

/** Adds a file under a name that changes with its content, and returns that name. */
function hashed(name, bytes) {
  const dot = name.lastIndexOf(".");
  const full = `${name.slice(0, dot)}-${digest(bytes, "sha256", "hex").slice(0, 10)}${name.slice(dot)}`;
  files.set(full, Buffer.from(bytes));
  return full;
}

const fromGo = {
  name: "wasm_exec",
  setup(b) {
    b.onResolve({ filter: /^go:wasm_exec$/ }, () => ({ path: join(goroot, "lib/wasm/wasm_exec.js") }));
  },
};

/** Bundles one entry and returns its bytes. */
async function bundle(entry, options = {}) {
  const result = await build({
    entryPoints: [source(entry)],
    bundle: true,
    minify: true,
    write: false,
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
    plugins: [fromGo],
    ...options,
    loader: { ".css": entry.endsWith(".css") ? "css" : "text" },
    define: { __VERSION__: JSON.stringify(version), ...options.define },
  });
  return result.outputFiles[0].contents;
}

/** The strings, for the words in the HTML. */
async function strings() {
  const code = await bundle("strings.ts", { format: "esm" });
  return (await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`)).t;
}

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;" };
const escape = (text) => text.replace(/[&<>"\n]/g, (c) => escapes[c]);

const wasm = (name) => {
  const bytes = readFileSync(join(wasmDir, `${name}.wasm`));
  return { url: hashed(`${name}.wasm`, bytes), size: bytes.length };
};

// A page that is hosted elsewhere may talk to the companion on this machine as
// well; what mcpmend serves itself is held to the narrower policy by a header.
const csp = readFileSync(join(here, "csp.txt"), "utf8").trim().replace("connect-src 'self'", "connect-src 'self' http://127.0.0.1:*");
for (const name of readdirSync(source("static"))) files.set(name, readFileSync(source("static", name)));
const core = wasm("core");
const schema = wasm("schema");
const packs = JSON.parse(readFileSync(join(wasmDir, "packs", "packs.json"), "utf8")).map((manifest) => ({
  manifest,
  url: hashed(`pack-${manifest.name}.wasm`, readFileSync(join(wasmDir, "packs", `${manifest.name}.wasm`))),
}));
const runner = hashed("runner.js", await bundle("wasi-worker.ts", { format: "iife" }));
const worker = hashed("worker.js", await bundle("worker/main.ts", { format: "iife" }));
const editorBytes = await bundle("editor/rich.ts", { format: "esm" });
const editor = { url: hashed("editor.js", editorBytes), integrity: integrity(editorBytes) };
const styleBytes = await bundle("style/page.css");
const style = { url: hashed("page.css", styleBytes), integrity: integrity(styleBytes) };

// The script cannot hold its own name; it adds that from the document.
const program = [...files.keys()];
const scriptBytes = await bundle("main.ts", {
  format: "esm",
  define: { __FILES__: JSON.stringify({ core, schema, packs, runner, worker, editor }), __PROGRAM__: JSON.stringify(program) },
});
const script = { url: hashed("page.js", scriptBytes), integrity: integrity(scriptBytes) };

const words = { ...(await strings()), csp, core, style, script };
const html = readFileSync(source("index.html"), "utf8").replace(/\{\{([\w.]+)\}\}/g, (_, path) => {
  const value = path.split(".").reduce((at, key) => at?.[key], words);
  if (typeof value !== "string") throw new Error(`index.html asks for ${path}, which is no string`);
  return escape(value);
});
files.set("index.html", Buffer.from(html));
// A new build has a new list of files, and so a new service worker.
const kept = [...files.keys()].filter((name) => name !== "index.html");
files.set("sw.js", Buffer.from(await bundle("sw/main.ts", { format: "iife", define: { __PROGRAM__: JSON.stringify(kept), __BUILD__: JSON.stringify(digest(html, "sha256", "hex").slice(0, 10)) } })));

// For hosts that read it; others set the same by hand, see docs.
files.set(
  "_headers",
  Buffer.from(
    `/*\n  Content-Security-Policy: ${csp}; frame-ancestors 'none'\n  X-Content-Type-Options: nosniff\n  Referrer-Policy: no-referrer\n  Permissions-Policy: loopback-network=(self), local-network=()\n  Cross-Origin-Opener-Policy: same-origin\n  Cross-Origin-Resource-Policy: same-origin\n` +
      [...files.keys()].filter((name) => /-[0-9a-f]{10}\./.test(name)).map((name) => `/${name}\n  Cache-Control: public, max-age=31536000, immutable\n`).join(""),
  ),
);
files.set("SHA256SUMS", Buffer.from([...files].map(([name, bytes]) => `${digest(bytes, "sha256", "hex")}  ${name}\n`).sort().join("")));

for (const name of readdirSync(dist)) if (name !== ".gitkeep") rmSync(join(dist, name), { recursive: true });
mkdirSync(dist, { recursive: true });
const packable = /\.(?:html|js|css|svg|wasm|webmanifest)$/;
await Promise.all(
  [...files].map(async ([name, bytes]) => {
    writeFileSync(join(dist, name), bytes);
    if (!packable.test(name)) return;
    const params = { [constants.BROTLI_PARAM_QUALITY]: Number(process.env.MCPMEND_BROTLI ?? 11), [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes, { params }), promisify(gzip)(bytes, { level: 9 })]);
    writeFileSync(join(dist, `${name}.br`), br);
    writeFileSync(join(dist, `${name}.gz`), gz);
  }),
);
