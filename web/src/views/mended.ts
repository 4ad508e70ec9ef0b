// The mended config: as a diff, or in the shape of another client.

import { copy, download, toast } from "../copy";
import { button, fill, h, prose, type Child } from "../dom";
import type { Doctor } from "../doctor";
import type { ClientDoc, Converted } from "../protocol";
import { Session } from "../session";
import { t } from "../strings";
import { asksFor } from "./fixes";
import { diffLines, listing } from "./lines";

export interface MendedPane {
  readonly element: HTMLElement;
  draw(): void;
  copy(): void;
  download(): void;
}

export function mendedPane(session: Session, doctor: Doctor, clients: () => ClientDoc[]): MendedPane {
  const count = h("span", { class: "dim nw" });
  const heading = h("h2", {}, t.mended.title);
  const targets = h("div", { class: "targets" });
  const menu = h("details", { class: "menu" }, h("summary", { class: "btn bare" }, t.mended.convert), targets);
  const back = button(t.mended.back, () => show(undefined), { class: "btn bare", hidden: true });
  const downloadButton = button(t.mended.download, () => downloadNow());
  const copyButton = button(t.mended.copy, () => copyNow(), { class: "btn main wide" });
  const body = h("div", { class: "code", tabindex: "0", role: "region", "aria-label": t.mended.region });
  const foot = h("div", { class: "note", role: "status" });
  const element = h(
    "section",
    { class: "card pane", id: "mended", "aria-label": t.mended.title },
    h("div", { class: "bar" }, heading, count, h("div", { class: "row push" }, back, menu, downloadButton, copyButton)),
    body,
    foot,
  );
  let converted: { client: ClientDoc; result: Converted } | undefined;

  /** whole tells that there is something to take away; the keys ask for it also where no button is. */
  function whole(): boolean {
    const { mended } = session.state;
    if (mended && !converted && mended.changes === 0) toast(unchanged());
    return Boolean(converted ?? mended?.changes);
  }

  function copyNow(): void {
    if (whole()) void copy(converted?.result.text ?? session.state.mended!.text, t.copied.done(converted ? t.copied.converted : t.copied.config));
  }

  function downloadNow(): void {
    const { mended, input, reading } = session.state;
    if (!whole()) return;
    if (converted) download(converted.result.text, baseName(converted.result.file) || `mcp.${extension(converted.client.format)}`);
    else {
      const own = clients().find((client) => client.id === reading?.report.client)?.file;
      download(mended!.text, baseName(input.file || own || "") || `mcp.${extension(mended!.format)}`);
    }
  }

  async function convert(client: ClientDoc): Promise<void> {
    menu.open = false;
    const { mended, input, reading } = session.state;
    if (!mended) return;
    try {
      show({ client, result: await doctor.ask("convert", { text: mended.text, file: input.file, to: client.id, system: reading?.system ?? "" }) });
    } catch (error) {
      fill(foot, h("b", { class: "bad" }, t.mended.failed), " ", h("span", {}, error instanceof Error ? error.message : String(error)));
    }
  }

  function show(next: typeof converted): void {
    converted = next;
    draw();
  }

  function draw(): void {
    const { mended } = session.state;
    element.hidden = !mended;
    if (!mended) return;
    if (targets.childElementCount === 0) {
      fill(targets, clients().filter((client) => client.writable).map((client) => h("button", { type: "button", on: { click: () => void convert(client) } }, client.name, " ", h("span", { class: "dim" }, baseName(client.file)))));
    }
    back.hidden = !converted;
    downloadButton.hidden = copyButton.hidden = !converted && mended.changes === 0;
    heading.textContent = converted ? t.mended.converted(converted.client.name) : t.mended.title;
    copyButton.textContent = converted ? t.mended.copyConverted : t.mended.copy;
    if (converted) {
      count.textContent = baseName(converted.result.file);
      body.classList.add("from0");
      fill(body, listing(converted.result.text));
      const { losses, notes } = converted.result;
      fill(
        foot,
        h("b", { class: losses.length > 0 ? "care" : "" }, losses.length > 0 ? t.mended.lost(losses.length) : t.mended.carried),
        h("ul", {}, [...losses, ...notes].slice(0, 40).map((loss) => h("li", {}, loss.server && h("code", {}, loss.field ? `${loss.server}.${loss.field}` : loss.server), " ", prose(loss.why)))),
      );
      return;
    }
    body.classList.remove("from0");
    const fixes = session.choices().fixes.length - mended.refused.length + (session.repair && (session.state.reading?.report.config?.edits?.length ?? 0) > 0 ? 1 : 0);
    count.textContent = mended.changes > 0 ? t.mended.count(fixes, mended.changes) : "";
    fill(body, mended.changes > 0 ? diffLines(mended.diff) : h("p", { class: "empty" }, unchanged()));
    fill(foot, h("b", {}, t.mended.again), " ", verdict());
  }

  /** Why there is nothing to see: a fix was refused, one waits for an answer, or none is needed. */
  function unchanged(): string {
    const { diagnoses, config } = session.state.reading!.report;
    if ((config?.edits?.length ?? 0) > 0 || diagnoses.some((diagnosis) => Session.patchable(diagnosis).length > 0)) return t.mended.none;
    return diagnoses.some((diagnosis) => asksFor(session, diagnosis)) ? t.mended.waits : t.mended.noneToMake;
  }

  function verdict(): Child {
    const { mended, reading } = session.state;
    const left = mended!.again.errors + mended!.again.warnings;
    const name = clients().find((client) => client.id === reading?.report.client)?.name ?? "";
    return h("span", {}, left === 0 ? t.mended.valid(name) : prose(t.mended.left(left, mended!.again.first)));
  }

  session.on("input", () => show(undefined));
  return { element, draw, copy: copyNow, download: downloadNow };
}

function baseName(path: string): string {
  return path.split(/[\\/]/).pop() ?? "";
}

function extension(format: string): string {
  return { toml: "toml", yaml: "yaml", jsonc: "jsonc" }[format] ?? "json";
}
