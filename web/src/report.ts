// The report as the core writes it. The keys are the contract of all faces.

export type Severity = "error" | "warning" | "note";

export interface Report {
  version: number;
  client: string;
  format: string;
  diagnoses: Diagnosis[];
  config?: ConfigReport;
}

export interface Diagnosis {
  code: string;
  category: string;
  severity: Severity;
  server: string;
  file: string;
  title: string;
  original_error: string;
  explanation: string;
  suggested_fix: string;
  confidence: number;
  names: Record<string, string> | null;
  symptoms: string[] | null;
  evidence: Evidence[] | null;
  fixes: Fix[] | null;
}

export interface Evidence {
  in: "text" | "config";
  role: "cause" | "symptom" | "context";
  /** In the core's report these count UTF-8 bytes; the worker turns them into positions in a string. */
  start: number;
  end: number;
  line: number;
  column: number;
  quote: string;
}

export interface Fix {
  id: string;
  title: string;
  description: string;
  patch: Op[] | null;
  install_command: string;
  env_var_hint: string;
  requires_user_action: boolean;
  help_url: string;
  safety: "safe" | "review";
  confidence: number;
  by: string;
}

export interface Op {
  op: string;
  path: string;
  from?: string;
  value?: unknown;
}

export interface ConfigReport {
  servers: { name: string; pointer: string; transport: string }[] | null;
  repaired: string;
  edits: { start: number; end: number; insert: string; why?: string }[] | null;
}
