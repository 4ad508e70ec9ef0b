// Files that are chosen or dropped. They are read here and go nowhere.

import { h } from "./dom";
import { maxText } from "./session";
import type { Input } from "./protocol";
import { toast } from "./copy";
import { t } from "./strings";

const configName = /\.(?:json|jsonc|json5|toml|ya?ml)$/i;

/** choose opens the browser's own file dialog. */
export function choose(take: (files: File[]) => void): void {
  const input = h("input", { type: "file", multiple: true, on: { change: () => take([...(input.files ?? [])]) } });
  input.click();
}

/** read makes an input of files: one config stands in its own place, everything else is text. */
export async function read(files: File[]): Promise<Partial<Input> | undefined> {
  const input = { text: "", config: "", file: "" };
  for (const file of files) {
    if (file.size > maxText) {
      toast(t.pane.big((file.size / 1024 / 1024).toFixed(0)));
      continue;
    }
    const text = decode(new Uint8Array(await file.arrayBuffer()));
    if (text === undefined) {
      toast(t.pane.binary(file.name));
      continue;
    }
    if (configName.test(file.name) && !input.config) Object.assign(input, { config: text, file: file.name });
    else input.text += (input.text && !input.text.endsWith("\n") ? "\n" : "") + text;
  }
  return input.text || input.config ? input : undefined;
}

/** decode reads UTF-8, or UTF-16 with its mark; the mark stays, because it may be what is wrong. */
function decode(bytes: Uint8Array): string | undefined {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
  if (!wide && bytes.subarray(0, 8192).includes(0)) return undefined;
  return new TextDecoder(wide ?? "utf-8", { ignoreBOM: true }).decode(bytes);
}

/** acceptDrops takes files dropped anywhere, and marks the page while they hover. */
export function acceptDrops(take: (files: File[]) => void): void {
  let depth = 0;
  const has = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  const mark = (on: boolean) => (on ? document.body.setAttribute("data-drag", t.start.dropHere) : document.body.removeAttribute("data-drag"));
  addEventListener("dragenter", (event) => has(event) && mark(++depth > 0));
  addEventListener("dragleave", (event) => has(event) && mark(--depth > 0));
  addEventListener("dragover", (event) => has(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!has(event)) return;
    event.preventDefault();
    mark((depth = 0) > 0);
    take([...(event.dataTransfer?.files ?? [])]);
  });
}
