// Writes docs/schema-comparison.md: what mcpmend and four other programs say
// about the same wrong calls.
//
//   cd scripts/schema-comparison && npm install && npm run compare
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import betterAjvErrors from "better-ajv-errors";
import { fromJSONSchema, prettifyError } from "zod";
import { registerSchema, setShouldValidateFormat, validate } from "@hyperjump/json-schema/draft-2020-12";
import { BASIC } from "@hyperjump/json-schema/experimental";
import "@hyperjump/json-schema/formats";
import { jsonSchemaErrors } from "@hyperjump/json-schema-errors";
import { cases } from "./cases.mjs";

const root = new URL("../../", import.meta.url).pathname;

setShouldValidateFormat(true);

// Node 20 lacks the set methods that hyperjump calls.
Set.prototype.intersection ??= function (other) {
  return new Set([...this].filter((item) => other.has(item)));
};
Set.prototype.union ??= function (other) {
  return new Set([...this, ...other]);
};
Set.prototype.difference ??= function (other) {
  return new Set([...this].filter((item) => !other.has(item)));
};

function ajvErrors({ schema, arguments: value }) {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats(ajv);
  const check = ajv.compile(schema);
  check(value);
  return { ajv, errors: check.errors };
}

function ajvText(test) {
  const { ajv, errors } = ajvErrors(test);
  return ajv.errorsText(errors, { separator: "\n" });
}

function betterText(test) {
  const { errors } = ajvErrors(test);
  const text = betterAjvErrors(test.schema, test.arguments, errors, { json: JSON.stringify(test.arguments, null, 2) });
  return text.replace(/\x1b\[[0-9;]*m/g, "");
}

function zodText(test) {
  try {
    const result = fromJSONSchema(test.schema).safeParse(test.arguments);
    return result.success ? "(reports the call as valid)" : prettifyError(result.error);
  } catch (error) {
    return `(does not take the schema: ${error.message})`;
  }
}

async function hyperjumpText(test, index) {
  const uri = `https://example.com/comparison/${index}`;
  registerSchema({ $schema: "https://json-schema.org/draft/2020-12/schema", ...test.schema }, uri);
  const output = await validate(uri, test.arguments, BASIC);
  const errors = await jsonSchemaErrors(output, uri, test.arguments);
  const lines = [];
  const add = (list, indent) => {
    for (const error of list) {
      lines.push(`${indent}${error.instanceLocation} ${error.message}`);
      for (const branch of error.alternatives ?? []) add(branch, indent + "  ");
    }
  };
  add(errors, "");
  // The messages carry Unicode isolates, which no reader sees.
  return lines.join("\n").replace(/[\u2066-\u2069]/g, "");
}

function mcpmendTexts() {
  const dir = mkdtempSync(join(tmpdir(), "comparison-"));
  try {
    const program = join(dir, "mcpmend");
    execFileSync("go", ["build", "-o", program, "./cmd/mcpmend"], { cwd: root });
    return cases.map((test) => {
      writeFileSync(join(dir, "schema.json"), JSON.stringify(test.schema));
      writeFileSync(join(dir, "arguments.json"), JSON.stringify(test.arguments));
      const run = spawnSync(program, ["validate", "--format", "markdown", "--schema", "schema.json", "--arguments", "arguments.json"], { cwd: dir, encoding: "utf8" });
      if (run.status !== 1) throw new Error(`${test.name}: exit ${run.status}: ${run.stderr}`);
      return run.stdout;
    });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function fence(text) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}text\n${text.trimEnd()}\n${ticks}\n`;
}

const versions = JSON.parse(readFileSync(new URL("package.json", import.meta.url))).dependencies;
const ours = mcpmendTexts();
const page = [
  "# Argument errors, side by side",
  "",
  "What five programs say about the same twelve wrong tool calls. Made by `scripts/schema-comparison`; run it again after changing a message.",
  "",
  `Compared: mcpmend (the short form); ajv ${versions.ajv} \`errorsText\`; better-ajv-errors ${versions["better-ajv-errors"]} without its colours; zod ${versions.zod} \`prettifyError\` after \`fromJSONSchema\`; hyperjump json-schema-errors ${versions["@hyperjump/json-schema-errors"]}.`,
  "",
];
for (const [index, test] of cases.entries()) {
  page.push(`## ${index + 1}. ${test.name}`, "", "Sent:", "", "```json", JSON.stringify(test.arguments), "```", "");
  for (const [name, text] of [
    ["mcpmend", ours[index]],
    ["ajv", ajvText(test)],
    ["better-ajv-errors", betterText(test)],
    ["zod", zodText(test)],
    ["hyperjump", await hyperjumpText(test, index)],
  ]) {
    page.push(`### ${name}`, "", fence(text));
  }
}
writeFileSync(`${root}docs/schema-comparison.md`, page.join("\n").trimEnd() + "\n");
