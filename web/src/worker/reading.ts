// From the core's report to what the page shows: positions in the string, and
// no more of it than a person can read.

import type { Input, Part, Reading } from "../protocol";
import type { Report } from "../report";
import { systemOf } from "../system";
import { positions } from "./positions";

const maxDiagnoses = 200;
const maxServers = 500;
const maxEdits = 500;
const maxString = 4000;
const maxName = 120;

export function reading(report: Report, parts: Part[], input: Input, milliseconds: number): Reading {
  const diagnoses = report.diagnoses.length;
  const servers = report.config?.servers?.length ?? 0;
  report.diagnoses = report.diagnoses.slice(0, maxDiagnoses).map((d) => ({ ...shortened(d), server: short(d.server, maxName) }));
  if (report.config) {
    // The repaired text stays with the core, which applies the fixes to it.
    report.config = {
      servers: (report.config.servers ?? []).slice(0, maxServers).map((server) => ({ ...server, name: short(server.name, maxName), pointer: "" })),
      repaired: "",
      edits: (report.config.edits ?? []).slice(0, maxEdits).map((edit) => ({ ...edit, insert: "" })),
    };
  }

  const evidence = report.diagnoses.flatMap((d) => d.evidence ?? []);
  for (const [kind, source] of [["text", input.text], ["config", input.config]] as const) {
    const here = evidence.filter((e) => e.in === kind);
    const ranges = kind === "text" ? [...here, ...parts] : here;
    const at = positions(source, ranges.flatMap((r) => [r.start, r.end]));
    for (const range of ranges) {
      range.start = at.get(range.start)!;
      range.end = at.get(range.end)!;
    }
  }
  return { report, diagnoses, servers, parts, system: systemOf(input.text + input.config), milliseconds };
}

/** shortened cuts every string in a value: a name in a config can have a megabyte. */
export function shortened<T>(value: T): T {
  if (typeof value === "string") return short(value, maxString) as T;
  if (Array.isArray(value)) return value.map(shortened) as T;
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, key === "patch" ? member : shortened(member)])) as T;
  return value;
}

function short(text: string, limit: number): string {
  return text.length > limit ? text.slice(0, limit) + "…" : text;
}
