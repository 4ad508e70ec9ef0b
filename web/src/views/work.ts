// The working view: what was recognised on top, what was pasted and the mended
// config on the left, the diagnosis on the right; on a phone the cause first.

import { copy, say, toast } from "../copy";
import { button, fill, h, type Child } from "../dom";
import type { Doctor, Progress } from "../doctor";
import type { Findings, Hooks, Lens, Mark } from "../editor/editor";
import type { ClientDoc } from "../protocol";
import type { Diagnosis, Evidence } from "../report";
import { Session } from "../session";
import { t } from "../strings";
import { card } from "./card";
import { emptied, loading, troubled } from "./loading";
import { mendedPane } from "./mended";
import { pane, type Pane } from "./pane";
import { numbered, unexplained } from "./thread";

export interface Work {
  readonly element: HTMLElement;
  progress(progress: Progress): void;
  nextFinding(step: 1 | -1): void;
  evidence(tag: number): void;
  quickFix(): void;
  nextPane(step: 1 | -1): void;
  copyMended(): void;
  downloadMended(): void;
}

export function work(session: Session, doctor: Doctor, clients: () => ClientDoc[], over: () => void): Work {
  const { state } = session;
  const hooks = (which: "text" | "config"): Hooks => ({
    changed: () => session.edit(() => ({ [which]: panes[which].editor.text() })),
    picked(diagnosis, tag) {
      session.activate(diagnosis);
      diagnosisCard.focus(diagnosis);
      light(tag);
    },
    pointed: light,
  });
  const panes: Record<"text" | "config", Pane> = {
    config: pane(t.pane.config, "pasted-config", hooks("config")),
    text: pane(t.pane.pasted, "pasted", hooks("text")),
  };
  panes.text.hint(t.pane.edit);
  const diagnosisCard = card(session, clients, {
    go(evidence, tag) {
      if (tag !== undefined) point(tag);
      reveal(evidence, true);
    },
    point,
  });
  const mended = mendedPane(session, doctor, clients);
  const more = addMore(session);
  const aside = h("div", { class: "aside", id: "answer" }, diagnosisCard.element);
  const waiting = loading();
  const seen = h("div", { class: "seen" });
  const left = h("div", { class: "stack" }, panes.config.element, panes.text.element, mended.element, more);
  const jumpCopy = button(t.mended.copy, () => mended.copy(), { class: "btn main push" });
  const jump = h(
    "nav",
    { class: "jump", "aria-label": t.jump.label },
    ([["dx", t.jump.cause], ["mended", t.jump.diff], ["pasted", t.jump.pasted]] as const).map(([id, label]) =>
      button(label, () => document.getElementById(id)?.scrollIntoView({ block: "start" }), { class: "btn bare", "data-to": id }),
    ),
    jumpCopy,
  );
  const element = h("section", { class: "fill", id: "work" }, seen, h("div", { class: "work" }, left, aside), jump);

  function drawInput(): void {
    panes.config.setText(session.isEmpty ? "" : state.input.config);
    panes.text.setText(session.isEmpty ? "" : state.input.text);
    panes.config.element.hidden = !state.twoPanes && state.input.config === "";
    panes.text.element.hidden = !state.twoPanes && state.input.text === "" && state.input.config !== "";
    panes.config.hint(state.input.file || t.pane.edit);
    panes.text.element.querySelector("h2")!.textContent = panes.config.element.hidden ? t.pane.pasted : t.pane.text;
    drawReading();
  }

  function drawReading(): void {
    const { reading, trouble } = state;
    drawSeen();
    if (trouble) fill(aside, troubled(trouble, () => session.again()));
    else if (session.isEmpty) fill(aside, emptied());
    else if (!reading) fill(aside, waiting.element);
    else {
      if (!diagnosisCard.element.isConnected) fill(aside, diagnosisCard.element);
      diagnosisCard.draw();
      say(reading.report.diagnoses[0]?.title ?? t.card.nothing(reading.servers), 500);
    }
    const first = reading?.report.diagnoses[0];
    more.hidden = !first || !unexplained(first);
    if (!reading) drawMended();
    drawFindings();
  }

  function drawMended(): void {
    mended.draw();
    diagnosisCard.drawMended(state.mended);
    left.classList.toggle("two", Boolean(state.mended) || !more.hidden);
    jump.querySelector<HTMLElement>("[data-to=mended]")!.hidden = !state.mended;
    jumpCopy.hidden = !state.mended?.changes;
  }

  function drawFindings(): void {
    const lensed = lens();
    for (const which of ["text", "config"] as const) {
      panes[which].show({
        marks: marks(which),
        lens: lensed?.in === which ? lensed.lens : undefined,
        strips: which === "text" ? strips() : [],
      } satisfies Findings);
    }
  }

  function marks(which: "text" | "config"): Mark[] {
    return (state.reading?.report.diagnoses ?? []).flatMap((diagnosis, index) => {
      const tags = index === state.active ? numbered(diagnosis) : [];
      return (diagnosis.evidence ?? [])
        .filter((evidence) => evidence.in === which && (evidence.role === "cause" || tags.includes(evidence)))
        .map((evidence): Mark => ({
          from: evidence.start,
          to: evidence.end,
          squiggle: evidence.role === "cause" && !unexplained(diagnosis) ? diagnosis.severity : undefined,
          tag: tags.indexOf(evidence) + 1 || undefined,
          diagnosis: index,
        }));
    });
  }

  /** The strips above each part of a mixed paste. */
  function strips() {
    const parts = state.reading?.parts ?? [];
    if (parts.length < 2) return [];
    return parts.map((part) => ({ at: part.start, label: part.kind === "config" ? t.pane.partConfig : t.pane.partText, name: part.kind === "config" ? clientName() : "" }));
  }

  /** One lens is open: under the place in the config that the active diagnosis would change. */
  function lens(): { in: "text" | "config"; lens: Lens } | undefined {
    const diagnosis = state.reading?.report.diagnoses[state.active];
    if (!diagnosis) return undefined;
    const fixes = Session.patchable(diagnosis);
    const tagged = numbered(diagnosis);
    const inConfig = tagged.find((evidence) => evidence.in === "config" || inConfigPart(evidence)) ?? tagged[0];
    if (!inConfig || fixes.length === 0) return undefined;
    return {
      in: inConfig.in,
      lens: {
        at: inConfig.end,
        severity: diagnosis.severity,
        message: diagnosis.title,
        actions: fixes.slice(0, 3).map((fix) => ({
          label: fix.title,
          run() {
            session.choose(diagnosis, fix);
            diagnosisCard.draw();
          },
        })),
      },
    };
  }

  function inConfigPart(evidence: Evidence): boolean {
    return (state.reading?.parts ?? []).some((part) => part.kind === "config" && part.start <= evidence.start && evidence.end <= part.end);
  }

  function clientName(): string {
    return clients().find((client) => client.id === state.reading?.report.client)?.name ?? "";
  }

  function drawSeen(): void {
    const { reading } = state;
    if (!reading) {
      fill(seen, h("span", { class: "lab" }, state.trouble || doctor.ready ? "" : t.seen.wait), button(t.seen.over, over, { class: "btn push" }));
      return;
    }
    const { system } = reading;
    const server = reading.report.diagnoses[0]?.server;
    const facts: [string, Child, string?][] = [];
    if (clientName()) facts.push([t.seen.client, clientName()]);
    if (system) facts.push([t.seen.system, t.seen.likely(t.collect.systems[system]!)]);
    if (server) facts.push([t.seen.server, server]);
    else if (reading.servers > 0) facts.push([t.seen.servers, reading.servers]);
    facts.push([t.seen.time, t.seen.ms(reading.milliseconds), "hide-s"]);
    const acts = [
      [t.seen.markdown, () => copy(doctor.ask("markdown", null), t.copied.done(t.copied.markdown))],
      [t.seen.agent, () => copy(doctor.ask("agent", null), t.copied.done(t.copied.agent))],
      [t.seen.share, share],
    ] as [string, () => Promise<void>][];
    fill(
      seen,
      h("dl", { "aria-label": t.seen.label }, facts.map(([name, value, hide]) => h("div", { class: hide }, h("dt", {}, name), h("dd", {}, value)))),
      h(
        "div",
        { class: "row tight push acts" },
        h("details", { class: "menu narrow" }, h("summary", { class: "btn bare" }, t.seen.menu), h("div", {}, acts.map(([label, run]) => h("button", { type: "button", on: { click: () => void run() } }, label)))),
        acts.map(([label, run]) => button(label, () => void run(), { class: "btn bare wide" })),
        button(t.seen.over, over),
      ),
    );
  }

  async function share(): Promise<void> {
    try {
      const packed = await doctor.ask("share", null);
      const address = new URL(location.href);
      address.hash = `s=${packed}`;
      await copy(address.href, t.copied.link);
    } catch {
      toast(t.copied.tooLong);
    }
  }

  function reveal(evidence: Evidence, focus: boolean): void {
    const target = panes[evidence.in];
    target.element.scrollIntoView({ block: "nearest" });
    target.editor.reveal(evidence.start, evidence.end, focus);
  }

  function point(tag: number | undefined): void {
    panes.text.editor.point(tag);
    panes.config.editor.point(tag);
  }

  function light(tag: number | undefined): void {
    for (const made of diagnosisCard.element.querySelectorAll("[data-tag]")) made.classList.toggle("hit", made.getAttribute("data-tag") === String(tag));
  }

  session.on("input", drawInput);
  session.on("reading", drawReading);
  session.on("mended", drawMended);
  session.on("active", drawFindings);

  return {
    element,
    progress: waiting.progress,
    nextFinding(step) {
      const diagnoses = state.reading?.report.diagnoses ?? [];
      if (diagnoses.length === 0) return;
      session.activate((state.active + step + diagnoses.length) % diagnoses.length);
      diagnosisCard.focus(state.active);
      const evidence = first(diagnoses[state.active]!);
      if (evidence) reveal(evidence, true);
    },
    evidence(tag) {
      const diagnosis = state.reading?.report.diagnoses[state.active];
      const evidence = diagnosis && numbered(diagnosis)[tag - 1];
      if (!evidence) return;
      reveal(evidence, true);
      light(tag);
    },
    quickFix() {
      const host = [panes.config, panes.text].map((p) => p.editor.element.shadowRoot?.querySelector<HTMLElement>(".lens .quick")).find(Boolean);
      (host ?? element.querySelector<HTMLElement>(".fix input"))?.focus();
    },
    nextPane(step) {
      const stops = [panes.config, panes.text].filter((p) => !p.element.hidden).map((p) => ({ has: () => p.editor.hasFocus(), focus: () => p.editor.focus() }));
      for (const region of [mended.element.hidden ? undefined : mended.element.querySelector<HTMLElement>(".code"), diagnosisCard.element]) {
        if (region?.isConnected) stops.push({ has: () => region.contains(document.activeElement), focus: () => region.focus() });
      }
      const at = stops.findIndex((stop) => stop.has());
      stops[(at + step + stops.length) % stops.length]?.focus();
    },
    copyMended: mended.copy,
    downloadMended: mended.download,
  };
}

function first(diagnosis: Diagnosis): Evidence | undefined {
  return numbered(diagnosis)[0] ?? diagnosis.evidence?.[0];
}

/** A place to add what was collected, without losing the first text. */
function addMore(session: Session): HTMLElement {
  const area = h("textarea", {
    class: "plain",
    "aria-label": t.pane.moreLabel,
    placeholder: t.pane.morePlaceholder,
    spellcheck: "false",
    on: {
      paste: (event) => {
        const text = event.clipboardData?.getData("text/plain");
        if (!text) return;
        event.preventDefault();
        add(text);
      },
      change: () => add(area.value),
    },
  });
  function add(text: string): void {
    if (text.trim() === "") return;
    const { input, twoPanes } = session.state;
    session.open({ ...input, text: `${input.text.replace(/\n*$/, "")}\n\n${text}` }, twoPanes);
    area.value = "";
  }
  return h("section", { class: "card pane", id: "more", "aria-label": t.pane.more, hidden: true }, h("div", { class: "bar" }, h("h2", {}, t.pane.more), h("span", { class: "dim" }, t.pane.moreHint)), area);
}
