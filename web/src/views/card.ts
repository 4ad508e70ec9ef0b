// The diagnosis card: cause, how sure, the thread, fixes, steps, and what else
// was found, each of these closed under its title.

import { toast } from "../copy";
import { button, fill, h, prose, type Child } from "../dom";
import type { ClientDoc, Mended } from "../protocol";
import type { Diagnosis } from "../report";
import type { Session } from "../session";
import { t } from "../strings";
import { thisSystem, type System } from "../system";
import { collect } from "./collect";
import { fixRows, showRefused } from "./fixes";
import { thread, unexplained, type EvidenceHooks } from "./thread";

export interface Card {
  readonly element: HTMLElement;
  draw(): void;
  drawMended(mended: Mended | undefined): void;
  focus(diagnosis: number): void;
}

export function card(session: Session, clients: () => ClientDoc[], hooks: EvidenceHooks): Card {
  const element = h("article", { class: "card dx first", id: "dx", tabindex: "0", "aria-label": t.card.label });

  function draw(): void {
    const { reading, active } = session.state;
    if (!reading) return;
    const { diagnoses } = reading.report;
    keepFocus(element, () => {
      if (diagnoses.length === 0) return fill(element, nothing(reading.servers));
      fill(
        element,
        diagnoses.map((diagnosis, i) => (i === 0 ? open(diagnosis, i, h("h1", { class: "cause" }, prose(diagnosis.title))) : undefined)),
        diagnoses.length > 1 && h("section", { class: "sec also" }, h("h2", {}, t.card.also), diagnoses.slice(1).map((diagnosis, i) => other(diagnosis, i + 1, i + 1 === active))),
        [...session.state.modules].filter(([, said]) => said.error).map(([name, said]) => h("p", { class: "sec soft" }, t.module.failed(name, said.error), said.missing && [" ", button(t.module.again, () => session.again(), { class: "btn tiny" })])),
        reading.diagnoses > diagnoses.length && h("p", { class: "sec soft" }, t.card.more(reading.diagnoses - diagnoses.length)),
      );
    });
  }

  function open(diagnosis: Diagnosis, index: number, title: Child): Child[] {
    return [
      h("header", {}, meta(diagnosis, index === 0), title, confidence(diagnosis)),
      (diagnosis.evidence?.length ?? 0) > 0 && h("section", { class: "sec" }, h("h2", {}, unexplained(diagnosis) ? t.card.known : t.card.thread), thread(diagnosis, session.state.twoPanes, hooks)),
      diagnosis.original_error && (diagnosis.evidence?.length ?? 0) === 0 && h("section", { class: "sec" }, h("h2", {}, t.card.said), h("pre", { class: "quote", tabindex: "0" }, diagnosis.original_error)),
      fixSection(diagnosis, index),
      unexplained(diagnosis) && index === 0 && clients().length > 0 ? collect(collecting(diagnosis), clients()) : todo(diagnosis, index === 0),
    ];
  }

  function fixSection(diagnosis: Diagnosis, index: number): Child {
    const rows = fixRows(session, diagnosis, index);
    if (!rows) return undefined;
    const all = index === 0 && session.mendable > 1 && button(t.fix.all, () => toast(t.fix.allDone(session.acceptAll())), { class: "btn tiny push", id: "accept-all", hidden: session.allAccepted });
    return h("section", { class: "sec" }, h("div", { class: "row hd3" }, h("h2", {}, rows.querySelector("input") ? t.card.fixes : t.card.fixesOther), all), rows);
  }

  /** Steps that the file itself does not show: what the rule says, and what makes the client read the file again. */
  function todo(diagnosis: Diagnosis, withClient: boolean): Child {
    const { report } = session.state.reading!;
    const own = diagnosis.suggested_fix.split("\n").map((line) => line.replace(/^\s*(?:\d+[.)]|[-*])\s+/, "").trim()).filter(Boolean);
    const then: string[] = []; // once a fix is accepted
    if (withClient && report.config) {
      const client = clients().find((c) => c.id === report.client);
      const path = client && pathOf(client, system());
      then.push(path ? t.step.save(path) : t.step.saveFile);
      if (client?.after_edit) then.push(client.after_edit);
    }
    if (own.length + then.length === 0) return undefined;
    const step = (text: string, props = {}) => h("li", props, h("span", {}, prose(text)));
    return h("section", { class: "sec" }, h("h2", {}, t.card.steps), h("ol", { class: "todo" }, own.map((text) => step(text)), then.map((text) => step(text, { class: "then", hidden: true }))));
  }

  function system(): System {
    return session.state.reading?.system ?? thisSystem();
  }

  /** A system that the text does not name is one where the client has a log at all. */
  function collecting(diagnosis: Diagnosis) {
    const { client } = session.state.reading!.report;
    const logs = clients().find((c) => c.id === client)?.logs ?? [];
    const known = session.state.reading!.system;
    const here = thisSystem();
    const possible = logs.length === 0 || logs.some((log) => log.os === here || log.os === "") ? here : (logs[0]!.os as System);
    return { client, system: known ?? possible, server: diagnosis.server };
  }

  function other(diagnosis: Diagnosis, index: number, isOpen: boolean): HTMLElement {
    const details: HTMLDetailsElement = h(
      "details",
      {
        class: "other",
        "data-diagnosis": index,
        open: isOpen,
        on: {
          toggle: () => {
            if (details.open) session.activate(index);
            else if (session.state.active === index) session.activate(0);
          },
        },
      },
      h("summary", {}, h("span", { class: `sev ${diagnosis.severity}` }, severity(diagnosis, false)), h("span", {}, prose(diagnosis.title)), h("code", {}, diagnosis.code)),
      h("div", {}, open(diagnosis, index, undefined)),
    );
    return details;
  }

  return {
    element,
    draw,
    drawMended(mended) {
      showRefused(element, mended?.refused ?? []);
      element.querySelector("#accept-all")?.toggleAttribute("hidden", session.allAccepted);
      for (const step of element.querySelectorAll<HTMLElement>(".then")) step.hidden = !mended || mended.changes === 0;
    },
    focus(diagnosis) {
      const details = element.querySelector<HTMLDetailsElement>(`[data-diagnosis="${diagnosis}"]`);
      if (details) details.open = true;
      (details ?? element.querySelector("header"))?.scrollIntoView({ block: "nearest" });
    },
  };
}

function meta(diagnosis: Diagnosis, first: boolean): HTMLElement {
  return h(
    "p",
    { class: "meta" },
    h("span", { class: `root ${fine(diagnosis) ? "ok" : unexplained(diagnosis) ? "q" : diagnosis.severity}` }, severity(diagnosis, first)),
    diagnosis.code && h("a", { href: `#rules/${encodeURIComponent(diagnosis.code)}` }, diagnosis.code),
    !fine(diagnosis) && h("code", {}, diagnosis.category),
    diagnosis.server && h("span", {}, diagnosis.server),
  );
}

/** fine tells that a config was read and nothing is wrong with it. */
function fine(diagnosis: Diagnosis): boolean {
  return diagnosis.category === "unknown" && diagnosis.severity === "note";
}

/** severity in a word; what comes first and is an error is the root cause. */
function severity(diagnosis: Diagnosis, first: boolean): string {
  if (fine(diagnosis)) return t.card.fine;
  if (unexplained(diagnosis)) return t.card.unknown;
  return { error: first ? t.card.root : t.card.error, warning: t.card.warning, note: t.card.note }[diagnosis.severity];
}

/** How sure, in words; where only the symptom is known nothing is claimed. */
function confidence(diagnosis: Diagnosis): HTMLElement {
  if (unexplained(diagnosis)) return h("p", { class: "conf" }, prose(diagnosis.explanation));
  const word = t.card.sure.find(([from]) => diagnosis.confidence >= from)![1];
  return h("p", { class: "conf" }, h("b", {}, t.card.confidence(word, diagnosis.confidence)), " ", prose(diagnosis.explanation));
}

function nothing(servers: number): Child[] {
  return [
    h("header", {}, h("p", { class: "meta" }, h("span", { class: "root ok" }, t.card.fine)), h("h1", { class: "cause" }, t.card.nothing(servers)), h("p", { class: "conf" }, t.card.nothingMore)),
  ];
}

function pathOf(client: ClientDoc, system: System): string | undefined {
  return (client.files?.find((file) => file.os === system) ?? client.files?.find((file) => file.os === ""))?.path;
}

/**
 * keepFocus draws anew and puts the focus back on the element of the same id.
 * What is being typed there is newer than what was drawn, and stays.
 */
function keepFocus(parent: Element, draw: () => void): void {
  const before = document.activeElement;
  const id = before && parent.contains(before) ? before.id : "";
  const typed = before instanceof HTMLInputElement && before.type === "text" ? before : null;
  const caret = typed ? typed.selectionEnd : null;
  draw();
  const after = id ? document.getElementById(id) : null;
  if (!after || after === parent) return;
  after.focus({ preventScroll: true });
  if (!typed || !(after instanceof HTMLInputElement)) return;
  after.value = typed.value;
  if (caret !== null) after.setSelectionRange(caret, caret);
}
