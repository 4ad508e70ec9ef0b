// What page and worker say to each other. The worker keeps the last thing it
// examined, so that later questions about it (mend, share, copy) are short.

import type { DiffLine } from "./diff";
import type { Fix, Report } from "./report";
import type { System } from "./system";

export interface Input {
  text: string;
  config: string;
  /** The config's file name, a hint for its client and format. */
  file: string;
  client: string;
  facts: Facts;
}

/** What the user told about the machine; the page cannot see it. */
export interface Facts {
  commands?: Record<string, string>;
}

/** A run of the pasted text that is one thing: a config, or everything else. */
export interface Part {
  kind: "text" | "config";
  start: number;
  end: number;
}

export interface Reading {
  report: Report;
  /** How many diagnoses and servers there are; the report holds the first few hundred. */
  diagnoses: number;
  servers: number;
  parts: Part[];
  /** The operating system that the text is from, by the paths in it. */
  system: System | undefined;
  milliseconds: number;
}

/** Fixes by place in the report: diagnosis, then fix. Repair stands for the mended syntax. */
export interface Choices {
  repair: boolean;
  fixes: [diagnosis: number, fix: number][];
}

export interface Mended {
  text: string;
  format: string;
  changes: number;
  diff: DiffLine[];
  /** Chosen fixes that do not go together with the others. */
  refused: [diagnosis: number, fix: number][];
  /** What a second reading of the mended text finds. */
  again: { errors: number; warnings: number; first: string; servers: number };
}

export interface Converted {
  text: string;
  file: string;
  losses: Loss[];
  notes: Loss[];
}

/** Something that another client cannot say, or says in another way. */
export interface Loss {
  server: string;
  field: string;
  why: string;
}

export interface Explained {
  tool: string;
  draft: string;
  /** The text of schema and arguments that the explanation is about, cut out of what was pasted. */
  arguments: string;
  valid: boolean;
  error: SchemaError | null;
  example: string;
  /** The corrected call, proven valid; empty when there is none. */
  repaired: string;
  /** The corrected call has values that were not the caller's. */
  guessed: boolean;
  diff: DiffLine[];
  markdown: string;
  places: { start: number; end: number }[];
}

export interface SchemaError {
  type: string;
  summary: string;
  issues: SchemaIssue[] | null;
  suggestions: unknown;
}

export interface SchemaIssue {
  field: string;
  problem: string;
  received: unknown;
  expected: string;
  fix: string;
  patch?: unknown;
}

export interface RuleDoc {
  code: string;
  category: string;
  severity: string;
  title: string;
  why: string;
  remedy: string;
  /** A text or config that shows it. */
  before: string;
  /** The config mended; empty for what a log says. */
  after: string;
  /** Whose config it is and what its file is called, where that matters. */
  client?: string;
  file?: string;
}

export interface ClientDoc {
  id: string;
  name: string;
  format: string;
  file: string;
  files: { os: string; path: string }[] | null;
  logs: { os: string; path: string }[] | null;
  after_edit: string;
  writable: boolean;
}

export interface Opened {
  text: string;
  config: string;
  file: string;
}

/** What a fix module says of itself. */
export interface Manifest {
  abi: number;
  name: string;
  version: string;
  /** Codes, categories or package names. */
  handles: string[];
  clients: string[];
  license: string;
}

/** A fix module that keeps to the limits, and the code to run of it. */
export interface Scanned {
  manifest: Manifest;
  code: Uint8Array<ArrayBuffer>;
}

/** Every question with its answer. */
export interface Calls {
  examine: { ask: Input; answer: Reading };
  mend: { ask: Choices; answer: Mended };
  convert: { ask: { text: string; file: string; to: string; system: string }; answer: Converted };
  markdown: { ask: null; answer: string };
  agent: { ask: null; answer: string };
  share: { ask: null; answer: string };
  open: { ask: string; answer: Opened };
  explain: { ask: { schema: string; arguments: string }; answer: Explained };
  rules: { ask: null; answer: RuleDoc[] };
  clients: { ask: null; answer: ClientDoc[] };
  moduleScan: { ask: Uint8Array; answer: Scanned };
  /** Empty where the module is not made for the diagnosis. */
  moduleRequest: { ask: { diagnosis: number; manifest: Manifest }; answer: string };
  /** All fixes of the diagnosis, the module's among them. */
  moduleAnswer: { ask: { diagnosis: number; name: string; answer: string }; answer: Fix[] };
}

export type Call = keyof Calls;

export interface Request<C extends Call = Call> {
  id: number;
  call: C;
  ask: Calls[C]["ask"];
}

export type FromWorker =
  | { kind: "answer"; id: number; answer: unknown }
  | { kind: "error"; id: number; message: string }
  | { kind: "progress"; loaded: number; total: number }
  | { kind: "ready"; milliseconds: number }
  | { kind: "lost"; message: string }
  | { kind: "requests"; count: number };
