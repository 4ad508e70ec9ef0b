// An editor as the panes see it. There are two: a plain text area, which is
// there at once, and the rich one, which takes its place when it has arrived.

import type { Severity } from "../report";

export interface Mark {
  from: number;
  to: number;
  /** A wavy line for a finding; none for what is only shown as evidence. */
  squiggle: Severity | undefined;
  /** The number of the highlighter tag, for evidence of the active diagnosis. */
  tag: number | undefined;
  diagnosis: number;
}

export interface Lens {
  at: number;
  severity: Severity;
  message: string;
  actions: { label: string; run(): void }[];
}

export interface Strip {
  at: number;
  label: string;
  name: string;
}

export interface Findings {
  marks: Mark[];
  lens: Lens | undefined;
  strips: Strip[];
}

export const none: Findings = { marks: [], lens: undefined, strips: [] };

export interface Editor {
  readonly element: HTMLElement;
  /** The text as it is now. */
  text(): string;
  lines(): number;
  setText(text: string): void;
  setLabel(label: string): void;
  show(findings: Findings): void;
  /** Brings a range into view; with focus the cursor goes there too. */
  reveal(from: number, to: number, focus: boolean): void;
  /** Marks one piece of evidence while its partner in the list is pointed at. */
  point(tag: number | undefined): void;
  focus(): void;
  hasFocus(): boolean;
  /** The cursor, to be kept when one editor takes another's place. */
  cursor(): number;
}

export interface Hooks {
  changed(): void;
  /** A marker was clicked, or the cursor was moved into it. */
  picked(diagnosis: number, tag: number | undefined): void;
  pointed(tag: number | undefined): void;
}
