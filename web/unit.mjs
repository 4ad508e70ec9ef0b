// Runs src/*.test.ts under Node: bundled first, because they import TypeScript.

import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const out = mkdtempSync(join(tmpdir(), "mcpmend-unit-"));
try {
  await build({ entryPoints: ["src/unit.test.ts"], bundle: true, platform: "node", format: "esm", outfile: join(out, "unit.test.mjs"), logLevel: "warning" });
  process.exitCode = spawnSync(process.execPath, ["--test", join(out, "unit.test.mjs")], { stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(out, { recursive: true });
}
