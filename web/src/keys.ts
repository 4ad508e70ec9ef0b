// The keyboard, and the table that tells it.

import { button, h } from "./dom";
import { store } from "./offline";
import { t } from "./strings";

export interface Keys {
  chooseFiles(): void;
  nextFinding(step: 1 | -1): void;
  quickFix(): void;
  evidence(tag: number): void;
  acceptSafe(): void;
  copyMended(): void;
  downloadMended(): void;
  nextPane(step: 1 | -1): void;
  findRule(): void;
  pasted(text: string): void;
  /** Whether a diagnosis is on the screen; most keys mean something only then. */
  working(): boolean;
}

const key = "mcpmend.single-keys";
let single = store()?.getItem(key) !== "off";

const mac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function listen(keys: Keys): void {
  addEventListener("keydown", (event) => {
    const run = action(event, keys);
    if (!run) return;
    event.preventDefault();
    run();
  });
  // Pasting works wherever the focus is, except in a field, which takes it itself.
  addEventListener("paste", (event) => {
    if (inField(event)) return;
    const text = event.clipboardData?.getData("text/plain");
    if (text) keys.pasted(text);
  });
}

function action(event: KeyboardEvent, keys: Keys): (() => void) | undefined {
  const mod = mac ? event.metaKey : event.ctrlKey;
  const step = event.shiftKey ? -1 : 1;
  if (mod && event.key.toLowerCase() === "o") return keys.chooseFiles;
  if (single && !mod && !event.altKey && !inField(event)) {
    if (event.key === "/") return keys.findRule;
    if (event.key === "?") return showKeys;
  }
  if (!keys.working()) return undefined;
  if (event.key === "F8") return () => keys.nextFinding(step);
  if (event.key === "F6") return () => keys.nextPane(step);
  if (event.altKey && !mod && /^Digit[1-9]$/.test(event.code)) return () => keys.evidence(Number(event.code.slice(5)));
  if (!mod) return undefined;
  if (event.key === ".") return keys.quickFix;
  if (event.key === "Enter") return keys.copyMended;
  if (event.key.toLowerCase() === "s" && !event.shiftKey) return keys.downloadMended;
  if (event.key.toLowerCase() === "a" && event.shiftKey) return keys.acceptSafe;
  return undefined;
}

/** inField looks into shadow roots: the editor is in one. */
function inField(event: Event): boolean {
  const target = event.composedPath()[0];
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select"));
}

export function showKeys(): void {
  if (document.querySelector("dialog[open]")) return;
  const box = h("input", {
    type: "checkbox",
    class: "sw",
    role: "switch",
    id: "single",
    on: {
      change: () => {
        single = box.checked;
        if (single) store()?.removeItem(key);
        else store()?.setItem(key, "off");
      },
    },
  });
  box.checked = single;
  const dialog = h(
    "dialog",
    { class: "keys", "aria-labelledby": "keys-title", on: { close: () => dialog.remove() } },
    h("div", { class: "bar" }, h("h2", { id: "keys-title" }, t.keys.title), button(t.keys.close, () => dialog.close(), { class: "btn push" })),
    h("dl", {}, t.keys.rows.map(([key, does]) => [h("dt", {}, key.replace("Mod", mac ? "Cmd" : "Ctrl").split(/(, | … )/).map((part) => (/^(, | … )$/.test(part) ? part : h("kbd", {}, part)))), h("dd", {}, does)])),
    h("p", {}, box, h("label", { for: "single" }, t.keys.single)),
  );
  document.body.append(dialog);
  dialog.showModal();
}
