// Brings the rich editor once the page has time for it. Its integrity is checked
// by a preload with its hash: an import alone cannot name one.

import { h } from "../dom";

export type Rich = typeof import("./rich");

let bring: () => void;
const wanted = new Promise<void>((resolve) => (bring = resolve));
let loading: Promise<Rich> | undefined;

/** bringRich lets the editor come; until then it would be in the way of the first diagnosis. */
export function bringRich(): void {
  bring();
}

/** rich is the editor, when it has come. */
export function rich(): Promise<Rich> {
  loading ??= wanted.then(async () => {
    const { url, integrity } = __FILES__.editor;
    const address = new URL(url, document.baseURI).href;
    document.head.append(h("link", { rel: "modulepreload", href: address, integrity }));
    return (await import(/* @vite-ignore */ address)) as Rich;
  });
  return loading;
}
