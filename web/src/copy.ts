// The clipboard, downloads, and the line that says what happened.

import { byId, h } from "./dom";
import { t } from "./strings";

let timer = 0;

/** say tells a screen reader, once what it says has been still for a moment. */
export function say(text: string, pause = 0): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    byId("said").textContent = text;
  }, pause);
}

/** toast shows a short line and says it. */
export function toast(text: string): void {
  document.querySelector(".toast")?.remove();
  const line = h("p", { class: "toast", "aria-hidden": "true" }, text); // a reader hears it once
  document.body.append(line);
  say(text);
  setTimeout(() => line.remove(), 6000);
}

export async function copy(text: string | Promise<string>, what: string): Promise<void> {
  try {
    // Safari wants the promise inside the click; others take the text.
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": Promise.resolve(text).then((s) => new Blob([s], { type: "text/plain" })) })]);
    toast(what);
  } catch {
    try {
      await navigator.clipboard.writeText(await text);
      toast(what);
    } catch {
      toast(t.copied.failed);
    }
  }
}

export function download(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
