// A share link holds everything after its "#", which no browser sends to a
// server. The text is masked by the core before it comes here.
//
// Only deflate is read: 200 bytes of brotli can be 256 MiB. Both sides are
// bounded, and reading stops at the limit, not after it.

import type { Opened } from "../protocol";
import { fromBase64, toBase64 } from "./base64";

export const maxLink = 32 * 1024;
const maxText = 1024 * 1024;

/** pack makes the part of a link after "#s=". */
export async function pack(what: Opened): Promise<string> {
  const json = new TextEncoder().encode(JSON.stringify({ v: 1, t: what.text, c: what.config, f: what.file }));
  if (json.length > maxText) throw new Error("too-long");
  const packed = base64url(await read(pipe(json, new CompressionStream("deflate-raw")), Infinity));
  if (packed.length > maxLink) throw new Error("too-long");
  return packed;
}

/** unpack reads one. Anything that is not exactly such a link is refused. */
export async function unpack(fragment: string): Promise<Opened> {
  if (fragment.length > maxLink || !/^[A-Za-z0-9_-]+$/.test(fragment)) throw new Error("bad-link");
  let data: { v?: unknown; t?: unknown; c?: unknown; f?: unknown };
  try {
    const packed = fromBase64(fragment.replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = await read(pipe(packed, new DecompressionStream("deflate-raw")), maxText);
    data = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Error("bad-link");
  }
  if (data.v !== 1 || typeof data.t !== "string" || typeof data.c !== "string" || typeof data.f !== "string") throw new Error("bad-link");
  return { text: data.t, config: data.c, file: data.f };
}

function pipe(bytes: Uint8Array<ArrayBuffer>, through: GenericTransformStream): ReadableStream<Uint8Array> {
  return new Blob([bytes]).stream().pipeThrough(through as ReadableWritablePair<Uint8Array, Uint8Array<ArrayBuffer>>);
}

async function read(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      throw new Error("bad-link");
    }
    chunks.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function base64url(bytes: Uint8Array): string {
  return toBase64(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
