// The start view: one thing to do. Its text area is in the HTML, so that it
// can be typed into before this script has run.

import { toast } from "../copy";
import { append, button, byId, h } from "../dom";
import { examples, type Example } from "../examples";
import { maxText, type Session } from "../session";
import { t } from "../strings";

export interface StartHooks {
  chooseFiles(): void;
  example(example: Example): void;
}

export interface Start {
  readonly element: HTMLElement;
  clear(): void;
  /** Takes what was typed before the script came. */
  take(): void;
}

export function start(session: Session, hooks: StartHooks): Start {
  const element = byId("start");
  const paste = byId("paste");
  const area = byId<HTMLTextAreaElement>("in");
  const config = h("textarea", { id: "in-config", class: "second", spellcheck: "false", autocapitalize: "off", autocomplete: "off", hidden: true, "aria-label": t.pane.config, placeholder: t.pane.config });
  area.before(config);

  const read = () => {
    if (area.value.trim() || config.value.trim()) session.open({ text: area.value, config: config.value }, !config.hidden);
  };
  for (const field of [area, config]) {
    let timer = 0;
    field.addEventListener("input", () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => config.hidden && read(), 700); // typing by hand is let finish a thought
    });
    field.addEventListener("change", () => config.hidden && read());
    field.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain");
      if (!text) return;
      if (text.length > maxText) {
        event.preventDefault();
        toast(t.pane.big((text.length / 1024 / 1024).toFixed(0)));
        return;
      }
      if (!config.hidden && !(field === area ? config : area).value.trim()) return; // the other pane is still to come
      event.preventDefault(); // a text area would lose CRLF, and choke on a long log
      const whole = field.value ? field.value.slice(0, field.selectionStart) + text + field.value.slice(field.selectionEnd) : text;
      session.open(field === area ? { text: whole, config: config.value } : { config: whole, text: area.value }, !config.hidden);
    });
  }

  const two = button(t.start.two, () => {
    config.hidden = !config.hidden;
    paste.classList.toggle("split", !config.hidden);
    area.placeholder = config.hidden ? t.start.placeholder : t.pane.text;
    two.textContent = config.hidden ? t.start.two : t.start.one;
    (config.hidden ? area : config).focus();
  }, { class: "btn bare push" });
  const go = button(t.start.read, read, { class: "btn", hidden: true });
  two.addEventListener("click", () => (go.hidden = config.hidden));

  append(paste, [h("div", { class: "bar" }, button(t.start.choose, hooks.chooseFiles), h("span", { class: "dim hide-s" }, t.start.drop), two, go)]);
  append(element, [
    h(
      "div",
      { class: "eg" },
      h("h2", { id: "eg" }, t.start.examples),
      h("ul", { "aria-labelledby": "eg" }, examples.map((example) => h("li", {}, h("button", { type: "button", on: { click: () => hooks.example(example) } }, h("span", {}, example.label), h("code", {}, example.shows))))),
    ),
    h("p", { class: "promise" }, h("span", {}, h("b", {}, t.start.promise), " ", t.start.promiseMore, " ", h("a", { href: "#privacy" }, t.start.check))),
  ]);

  return {
    element,
    clear() {
      area.value = config.value = "";
      area.focus();
    },
    take: read,
  };
}
