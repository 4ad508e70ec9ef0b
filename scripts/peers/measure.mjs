// Does with jsonrepair, json-schema-faker and ajv what ./scripts/bench does with
// mcpmend: reads the cases from standard input, prints what came out and the
// time of one pass over all of them, in nanoseconds, the best of several.
//
// ajv is also the referee of both sides' examples.
import { isDeepStrictEqual } from "node:util";
import Ajv from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { generateSync } from "json-schema-faker";
import { jsonrepair } from "jsonrepair";

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { passes, during, repairs, schemas, calls } = JSON.parse(Buffer.concat(chunks));

function best(pass, prepare = () => {}) {
  let least = Infinity;
  const begin = Date.now();
  for (let i = 0; i < passes || Date.now() - begin < during; i++) {
    const prepared = prepare();
    const start = process.hrtime.bigint();
    pass(prepared);
    least = Math.min(least, Number(process.hrtime.bigint() - start));
  }
  return least;
}

function attempt(make) {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function mended({ text, want }) {
  const fixed = attempt(() => jsonrepair(text));
  return fixed !== undefined && isDeepStrictEqual(attempt(() => JSON.parse(fixed)), want) ? fixed : undefined;
}

// compiler keeps one ajv for each draft, as a program would. The first schema
// makes it compile its metaschema, which is not counted.
function compiler() {
  const instances = [Ajv, Ajv2020].map((make) => addFormats(new make({ strict: false, allErrors: true, logger: false })));
  for (const ajv of instances) ajv.compile({});
  return (schema) => {
    const ajv = instances[/draft-0[67]/.test(schema.$schema ?? "") ? 0 : 1];
    return attempt(() => ajv.compile(schema));
  };
}

const compile = compiler();
const checks = schemas.map(({ schema }) => compile(schema));
const made = schemas.map(({ schema }) => attempt(() => generateSync(schema, { seed: 1 })));
const callChecks = calls.map(({ schema }) => compile(schema));

console.log(
  JSON.stringify({
    repair: {
      exact: repairs.filter(mended).length,
      comments: repairs.filter((test) => test.comment && mended(test)?.includes(test.comment)).length,
      ns: best(() => repairs.forEach(({ text }) => attempt(() => jsonrepair(text)))),
    },
    example: {
      valid: made.filter((value, i) => value !== undefined && checks[i]?.(value)).length,
      oursValid: schemas.filter(({ example }, i) => example != null && checks[i]?.(example)).length,
      usable: checks.filter(Boolean).length,
      ns: best(() => schemas.forEach(({ schema }) => attempt(() => generateSync(schema, { seed: 1 })))),
    },
    validate: {
      verdicts: calls.map(({ arguments: text }, i) => callChecks[i]?.(JSON.parse(text)) ?? null),
      ns: best(() => calls.forEach(({ arguments: text }, i) => callChecks[i]?.(JSON.parse(text)))),
      compileNs: best((compile) => calls.forEach(({ schema }) => compile(schema)), compiler),
    },
  }),
);
