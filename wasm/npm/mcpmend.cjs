#!/usr/bin/env node
// Runs the mcpmend command, compiled to WebAssembly, under Node. Nothing is
// downloaded and nothing is started: files, arguments, environment and the
// three streams are all that it gets.
"use strict";

const fs = require("node:fs");
const path = require("node:path");

// What Go's own support for Node expects to find.
globalThis.fs = fs;
globalThis.path = path;
require("./wasm_exec.js");

const go = new Go();
go.argv = ["mcpmend", ...process.argv.slice(2)];
go.env = { TMPDIR: require("node:os").tmpdir(), ...process.env };
go.exit = (code) => process.exit(code);

WebAssembly.instantiate(fs.readFileSync(path.join(__dirname, "mcpmend.wasm")), go.importObject)
  .then(({ instance }) => go.run(instance))
  .catch((error) => {
    process.stderr.write(`mcpmend: ${error.message}\n`);
    process.exit(2);
  });
