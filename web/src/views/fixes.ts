// The fixes of one diagnosis: switches, alternatives, what only a person can do.

import { copy } from "../copy";
import { button, h, link, prose, type Child } from "../dom";
import type { Diagnosis, Fix } from "../report";
import { Session } from "../session";
import { t } from "../strings";

/** fixRows gives the list, or nothing when a diagnosis has none. */
export function fixRows(session: Session, diagnosis: Diagnosis, index: number): HTMLElement | undefined {
  const patchable = Session.patchable(diagnosis);
  const others = (diagnosis.fixes ?? []).filter((fix) => !patchable.includes(fix));
  const rows = [
    ...repairRow(session, diagnosis, index),
    ...(patchable.length > 1 ? alternatives(session, diagnosis, patchable, index) : patchable.map((fix) => switchRow(session, diagnosis, fix, index))),
    ...askRow(session, diagnosis),
    ...others.map(handRow),
  ];
  return rows.length > 0 ? h("ul", { class: "fix" }, rows) : undefined;
}

/** The repair of the syntax is not a patch: a text that does not parse has no data to patch. */
function repairRow(session: Session, diagnosis: Diagnosis, index: number): HTMLElement[] {
  const edits = session.state.reading?.report.config?.edits ?? [];
  const first = session.state.reading?.report.diagnoses.findIndex((d) => d.category === "config_syntax");
  if (diagnosis.category !== "config_syntax" || edits.length === 0 || index !== first) return [];
  const why = [...new Set(edits.map((edit) => edit.why ?? "").filter(Boolean))].join(", ");
  const box = h("input", { class: "sw", type: "checkbox", role: "switch", id: "repair", on: { change: () => (session.repair = box.checked) } });
  box.checked = session.repair;
  return [row(box, h("label", { for: "repair" }, t.fix.repair), why && t.fix.repairWhy(edits.length, why), badge("safe"))];
}

function switchRow(session: Session, diagnosis: Diagnosis, fix: Fix, index: number): HTMLElement {
  const id = `fix-${index}`;
  const box = h("input", { class: "sw", type: "checkbox", role: "switch", id, on: { change: () => session.choose(diagnosis, box.checked ? fix : undefined) } });
  box.checked = session.chosen(diagnosis) === fix;
  return patchRow(box, id, fix, index, (diagnosis.fixes ?? []).indexOf(fix));
}

function alternatives(session: Session, diagnosis: Diagnosis, fixes: Fix[], index: number): HTMLElement[] {
  const chosen = session.chosen(diagnosis);
  const pick = (id: string, fix: Fix | undefined) => {
    const radio = h("input", { class: "pick", type: "radio", name: `fix-${index}`, id, on: { change: () => session.choose(diagnosis, fix) } });
    radio.checked = chosen === fix;
    return radio;
  };
  const rows = fixes.map((fix, i) => {
    const id = `fix-${index}-${i}`;
    const made = patchRow(pick(id, fix), id, fix, index, (diagnosis.fixes ?? []).indexOf(fix));
    made.classList.toggle("or", i > 0);
    return made;
  });
  const id = `fix-${index}-none`;
  const leave = row(pick(id, undefined), h("label", { class: "plain", for: id }, t.fix.leave), "", undefined);
  leave.classList.add("or");
  return [...rows, leave];
}

/** asksFor is the program whose path would make a fix possible, or "". */
export function asksFor(session: Session, diagnosis: Diagnosis): string {
  const program = diagnosis.names?.["command"] ?? "";
  const known = session.state.input.facts.commands?.[program] ?? "";
  const wanted = diagnosis.category === "command_not_found" && /^[\w.+-]{1,64}$/.test(program) && session.state.reading?.report.config;
  if (!wanted || (!known && Session.patchable(diagnosis).length > 1)) return ""; // a choice is there that needs no path
  return program;
}

/** The page cannot see the disk, so it asks for the one fact that names the very path. */
function askRow(session: Session, diagnosis: Diagnosis): HTMLElement[] {
  const program = asksFor(session, diagnosis);
  if (!program) return [];
  const known = session.state.input.facts.commands?.[program] ?? "";
  const windows = session.state.reading?.system === "windows";
  const id = `ask-${program}`;
  const field = h("input", {
    class: "field",
    id,
    value: known,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    on: { input: () => session.edit(() => ({ facts: { commands: { ...session.state.input.facts.commands, [program]: field.value.trim() } } })) },
  });
  return [
    h(
      "li",
      { class: "asks" },
      h("span", { class: "hand", "aria-hidden": "true" }),
      h("div", {}, !known && h("span", { class: "name" }, t.fix.askTitle(program)), h("p", {}, t.fix.askHint)),
      h("div", { class: "ask" }, h("label", { for: id }, h("span", { class: "sr" }, t.fix.askLabel), h("code", {}, windows ? t.fix.askWindows(program) : t.fix.ask(program))), field),
    ),
  ];
}

/** What a program neither tries nor writes: a command to run, a value that only the person has. */
function handRow(fix: Fix): HTMLElement {
  const made = row(h("span", { class: "hand", "aria-hidden": "true" }), h("span", { class: "name" }, prose(fix.title)), fix.description, badge("yours"));
  const more: Child[] = byModule(fix);
  if (fix.install_command) {
    more.push(h("div", { class: "cmd" }, h("code", {}, fix.install_command), button(t.fix.copy, () => void copy(fix.install_command, t.copied.done(t.copied.command)), { class: "btn tiny" })));
  }
  if (fix.env_var_hint) more.push(h("p", { class: "soft" }, prose(fix.env_var_hint)));
  if (fix.help_url) more.push(h("p", {}, link(fix.help_url)));
  if (more.length > 0) made.append(h("div", { class: "extra" }, more));
  return made;
}

function patchRow(control: HTMLElement, id: string, fix: Fix, diagnosis: number, index: number): HTMLElement {
  const made = row(control, h("label", { for: id }, prose(fix.title)), fix.description, badge(fix.safety));
  made.dataset["fix"] = `${diagnosis}/${index}`;
  for (const line of byModule(fix)) made.append(h("div", { class: "extra" }, line));
  if (fix.help_url) made.append(h("p", { class: "extra" }, link(fix.help_url)));
  return made;
}

/** byModule names the module that proposes a fix. */
function byModule(fix: Fix): HTMLElement[] {
  return Session.ofModule(fix) ? [h("p", { class: "dim by" }, t.fix.by(fix.by))] : [];
}

function row(control: HTMLElement, name: HTMLElement, why: string, word: HTMLElement | undefined): HTMLElement {
  return h("li", {}, control, h("div", {}, name, why && h("p", {}, prose(why))), word);
}

function badge(word: "safe" | "review" | "yours"): HTMLElement {
  const [look, text] = { safe: ["good", t.fix.safe], review: ["care", t.fix.review], yours: ["you", t.fix.yours] }[word];
  return h("span", { class: `badge ${look}` }, text);
}

/** showRefused marks the chosen fixes that did not go together with the others. */
export function showRefused(list: Element, refused: [number, number][]): void {
  const keys = new Set(refused.map(([diagnosis, fix]) => `${diagnosis}/${fix}`));
  for (const made of list.querySelectorAll<HTMLElement>("[data-fix]")) {
    made.querySelector(".refused")?.remove();
    if (keys.has(made.dataset["fix"]!)) made.append(h("p", { class: "extra refused" }, t.fix.refused));
  }
}
