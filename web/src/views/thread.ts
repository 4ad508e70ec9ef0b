// The way from what was seen to what caused it, with the evidence under it.

import { h, prose } from "../dom";
import type { Diagnosis, Evidence } from "../report";
import { t } from "../strings";

export interface EvidenceHooks {
  go(evidence: Evidence, tag: number | undefined): void;
  point(tag: number | undefined): void;
}

/** unexplained tells that only the symptom is known, so that nothing is claimed as its cause. */
export function unexplained(diagnosis: Diagnosis): boolean {
  return diagnosis.category === "unknown" || diagnosis.category === "connection_closed";
}

/**
 * numbered are the pieces of evidence that carry a tag, in the order of their
 * strength. Of two causes, one in the other, the larger says all; what stands
 * around a cause is on the screen beside it anyway.
 */
export function numbered(diagnosis: Diagnosis): Evidence[] {
  const all = diagnosis.evidence ?? [];
  const tagged = unexplained(diagnosis) ? all : all.filter((evidence) => evidence.role !== "symptom");
  const causes = outermost(tagged.filter((evidence) => evidence.role !== "context"));
  const beside = outermost(tagged.filter((evidence) => evidence.role === "context" && !causes.some((cause) => meet(cause, evidence))));
  return [...causes, ...beside].slice(0, 9);
}

function outermost(pieces: Evidence[]): Evidence[] {
  return pieces.filter((piece, i) => !pieces.some((other, j) => i !== j && holds(other, piece) && !(holds(piece, other) && i < j)));
}

/** inWords is the quote of a piece of evidence, or its whole line where the quote is a bracket or a comma. */
function inWords(piece: Evidence, diagnosis: Diagnosis): string {
  if (/[\p{L}\p{N}]/u.test(piece.quote)) return piece.quote;
  const around = diagnosis.evidence?.find((other) => other !== piece && holds(other, piece));
  return around?.quote.split("\n")[piece.line - around.line]?.trim() || piece.quote;
}

/** holds tells that one piece of evidence says all that another does. */
function holds(outer: Evidence, inner: Evidence): boolean {
  return outer.in === inner.in && outer.start <= inner.start && inner.end <= outer.end;
}

function meet(a: Evidence, b: Evidence): boolean {
  return a.in === b.in && a.start < b.end && b.start < a.end;
}

export function thread(diagnosis: Diagnosis, twoPanes: boolean, hooks: EvidenceHooks): HTMLElement {
  const symptoms = unexplained(diagnosis) ? [] : (diagnosis.evidence ?? []).filter((evidence) => evidence.role === "symptom").slice(0, 3);
  const place = (evidence: Evidence) => (twoPanes && evidence.in === "config" ? t.card.inConfig(evidence.line) : t.card.line(evidence.line));
  const steps = symptoms.map((symptom, i) =>
    h(
      "li",
      {},
      h("span", { class: "lab" }, i === 0 ? t.card.saw : t.card.because),
      h("p", {}, `“${short(symptom.quote)}”`),
      h("button", { type: "button", class: "ref", on: { click: () => hooks.go(symptom, undefined) } }, place(symptom)),
    ),
  );
  const evidence = numbered(diagnosis).map((piece, i) =>
    h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          "data-tag": i + 1,
          on: {
            click: () => hooks.go(piece, i + 1),
            mouseenter: () => hooks.point(i + 1),
            mouseleave: () => hooks.point(undefined),
            focus: () => hooks.point(i + 1),
            blur: () => hooks.point(undefined),
          },
        },
        h("span", { class: "tag" }, i + 1),
        h("code", {}, inWords(piece, diagnosis)),
        h("span", { class: "ref" }, place(piece)),
      ),
    ),
  );
  return h(
    "ol",
    { class: "thread" },
    steps,
    h(
      "li",
      { class: unexplained(diagnosis) ? "" : "last" },
      h("span", { class: "lab" }, unexplained(diagnosis) ? t.card.saw : t.card.cause),
      h("p", {}, prose(diagnosis.title)),
      h("span"),
      evidence.length > 0 && h("ol", { class: "evi", "aria-label": t.card.evidence }, evidence),
    ),
  );
}

function short(quote: string): string {
  const line = quote.split("\n", 1)[0]!.trim();
  return line.length > 120 ? line.slice(0, 119) + "…" : line;
}
