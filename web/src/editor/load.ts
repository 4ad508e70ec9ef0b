// Brings the rich editor after first paint. Its integrity is checked by a
// preload with its hash: an import alone cannot name one.

import { h } from "../dom";

export type Rich = typeof import("./rich");

let loading: Promise<Rich> | undefined;

export function loadRich(): Promise<Rich> {
  loading ??= (async () => {
    const { url, integrity } = __FILES__.editor;
    const address = new URL(url, document.baseURI).href;
    document.head.append(h("link", { rel: "modulepreload", href: address, integrity }));
    return (await import(/* @vite-ignore */ address)) as Rich;
  })().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
