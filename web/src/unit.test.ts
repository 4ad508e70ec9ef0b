// Tests of what needs no browser: node --test runs them, see unit_test.go.

import assert from "node:assert/strict";
import test from "node:test";
import { changes, diff, type DiffLine } from "./diff";
import { tokens } from "./editor/tokens";
import { systemOf } from "./system";
import { positions } from "./worker/positions";
import { maxLink, pack, unpack } from "./worker/share";

/** A diff as text, the way diff -u would print it. */
function printed(lines: DiffLine[]): string[] {
  const sign = { same: " ", add: "+", del: "-", fold: "~" };
  return lines.map((line) => sign[line.kind] + (line.kind === "fold" ? line.number : line.pieces.map((p) => (p.changed && p.text ? `[${p.text}]` : p.text)).join("")));
}

test("diff: nothing changed", () => assert.deepEqual(diff("a\nb\n", "a\nb\n"), []));

test("diff: a changed word is marked", () => {
  assert.deepEqual(printed(diff('{\n  "command": "npx",\n}', '{\n  "command": "/usr/bin/npx",\n}')), [" {", '-  "command": "npx",', '+  "command": "[/usr/bin/]npx",', " }"]);
});

test("diff: added and removed lines", () => {
  assert.deepEqual(printed(diff("a\nb\nc", "a\nx\ny\nc")), [" a", "-[b]", "+[x]", "+[y]", " c"]);
  assert.deepEqual(printed(diff("a\nb", "a")), [" a", "-[b]"]);
});

test("diff: a line that is added after a changed one leaves the change in its words", () => {
  assert.deepEqual(printed(diff('{\n  "a": 1\n}', '{\n  "a": 1,\n  "b": 2\n}')), [" {", '-  "a": 1', '+  "a": 1[,]', '+  ["b": 2]', " }"]);
});

test("diff: CRLF and LF are the same line", () => assert.deepEqual(printed(diff("a\r\nb\r\n", "a\nc\n")), [" a", "-[b]", "+[c]"]));

test("diff: long unchanged runs are folded and can be opened", () => {
  const many = Array.from({ length: 30 }, (_, i) => `line ${i}`);
  const lines = diff(many.join("\n"), [...many.slice(0, 15), "new", ...many.slice(15)].join("\n"));
  assert.deepEqual(printed(lines), ["~13", " line 13", " line 14", "+[new]", " line 15", " line 16", "~13"]);
  assert.equal(lines[0]!.folded!.length, 13);
  assert.equal(changes(lines), 1);
});

test("diff: numbers count old lines for removed, new lines for the rest", () => {
  assert.deepEqual(diff("a\nb\nc", "a\nc\nd").map((line) => [line.kind, line.number]), [["same", 1], ["del", 2], ["same", 2], ["add", 3]]);
});

test("diff: rebuilding the new text from a diff, for random edits", () => {
  let seed = 7;
  const random = (n: number) => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % n;
  for (let round = 0; round < 300; round++) {
    const before = Array.from({ length: random(12) + 1 }, () => "abc"[random(3)]!);
    const after = [...before];
    for (let i = 0; i < 3; i++) after.splice(random(after.length + 1), random(2), ..."xy".slice(0, random(3)));
    const open = (lines: DiffLine[]): DiffLine[] => lines.flatMap((line) => (line.kind === "fold" ? open(line.folded!) : [line]));
    const lines = open(diff(before.join("\n"), after.join("\n")));
    if (lines.length === 0) continue;
    const text = (kind: string) => lines.filter((l) => l.kind === "same" || l.kind === kind).map((l) => l.pieces.map((p) => p.text).join(""));
    assert.deepEqual(text("add"), trimmed(after));
    assert.deepEqual(text("del"), trimmed(before));
  }
});

/** A last empty line is the end of the line before it. */
function trimmed(lines: string[]): string[] {
  const all = lines.length === 0 ? [""] : lines;
  return all.length > 1 && all[all.length - 1] === "" ? all.slice(0, -1) : all;
}

test("diff: a million pairs and more are shown as replaced", () => {
  const a = Array.from({ length: 3000 }, (_, i) => `a${i}`).join("\n");
  const b = Array.from({ length: 3000 }, (_, i) => `b${i}`).join("\n");
  assert.ok(diff(a, b).length <= 4001);
});

test("positions: bytes to units", () => {
  const text = "aé€😀\ud800z";
  const bytes = [0, 1, 3, 6, 10, 13, 14];
  assert.deepEqual([...positions(text, bytes).values()], [0, 1, 2, 3, 5, 6, 7]);
  for (const [byte, unit] of positions("naïve → 🧵 npx", [0, 6, 11, 17])) assert.equal(new TextEncoder().encode("naïve → 🧵 npx".slice(0, unit)).length >= byte, true);
});

test("share: what is packed comes out", async () => {
  const what = { text: "spawn npx ENOENT → 🧵", config: "{}\r\n", file: "mcp.json" };
  assert.deepEqual(await unpack(await pack(what)), what);
});

test("share: too long is refused", async () => {
  const noise = Array.from({ length: 80_000 }, (_, i) => String.fromCharCode(33 + ((i * 7919 + ((i * i) % 8191)) % 90))).join("");
  await assert.rejects(pack({ text: noise, config: "", file: "" }), /too-long/);
  await assert.rejects(unpack("A".repeat(maxLink + 1)), /bad-link/);
});

test("share: a link that unpacks to more than a megabyte is refused", async () => {
  const stream = new Blob([new Uint8Array(8 << 20)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const packed = Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url");
  assert.ok(packed.length < maxLink);
  await assert.rejects(unpack(packed), /bad-link/);
});

test("share: anything else is refused", async () => {
  for (const bad of ["", "!", "AAAA", "eyJ2IjoxfQ", Buffer.from("x").toString("base64url")]) await assert.rejects(unpack(bad), /bad-link/, bad);
});

test("tokens: keys, strings, numbers, comments", () => {
  const kinds = (line: string) => tokens(line).map((token) => [token.kind, line.slice(token.from, token.to)]);
  assert.deepEqual(kinds('  "args": ["-y", 3],'), [["key", '"args"'], ["dim", "["], ["string", '"-y"'], ["dim", ","], ["number", "3"], ["dim", "],"]]);
  assert.deepEqual(kinds("command = \"npx\""), [["key", "command"], ["string", '"npx"']]);
  assert.deepEqual(kinds("2026-11-14T09:12:41.236Z [github] [error] spawn npx ENOENT"), [["dim", "2026-11-14T09:12:41.236Z [github] "], ["bad", "[error]"]]);
  assert.deepEqual(kinds("There were 112 of them: all gone"), []);
});

test("tokens: in order and apart, whatever the line", () => {
  for (const line of ['"'.repeat(500), "{[".repeat(900), "a: ".repeat(400), "\\".repeat(999) + '"', "2026-11-14T09:12:41 [error] [error]"]) {
    let at = 0;
    for (const token of tokens(line)) {
      assert.ok(token.from >= at && token.to > token.from && token.to <= line.length, line.slice(0, 20));
      at = token.to;
    }
  }
});

test("system: by the paths in a text", () => {
  assert.equal(systemOf("C:\\Users\\you\\AppData\\Roaming\\Claude"), "windows");
  assert.equal(systemOf("/Users/you/notes"), "macos");
  assert.equal(systemOf("/home/you/.nvm"), "linux");
  assert.equal(systemOf("nothing to see"), undefined);
});
