// From the core's report to what the page shows: positions in the string, and
// no more of it than a person can read.

import type { Input, Part, Reading } from "../protocol";
import type { Report } from "../report";
import { systemOf } from "../system";
import { positions } from "./positions";

const maxDiagnoses = 200;
const maxServers = 500;

export function reading(report: Report, parts: Part[], input: Input, milliseconds: number): Reading {
  const diagnoses = report.diagnoses.length;
  const servers = report.config?.servers?.length ?? 0;
  report.diagnoses = report.diagnoses.slice(0, maxDiagnoses);
  if (report.config?.servers) report.config.servers = report.config.servers.slice(0, maxServers);

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
