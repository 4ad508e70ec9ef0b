// Fix modules that were dropped on the page: what each says of itself, and what
// came of asking it.

import { button, fill, h, type Child } from "../dom";
import { TooSlow } from "../doctor";
import type { Modules } from "../modules";
import type { Manifest } from "../protocol";
import type { Session } from "../session";
import { t } from "../strings";

/** tryModules takes the files in turn, shows what they are, and has them asked about what is on the page. */
export async function tryModules(files: File[], modules: Modules, session: Session): Promise<void> {
  const dialog = document.querySelector<HTMLDialogElement>("#module[open]") ?? opened();
  const rows = files.map((file) => ({ file, row: h("section", { class: "module" }, heading(file.name), h("p", {}, t.module.reading)) }));
  dialog.querySelector(".list")!.append(...rows.map(({ row }) => row));
  const asked: (() => void)[] = [];
  for (const { file, row } of rows) {
    try {
      asked.push(accepted(row, await modules.add(file), dialog, modules, session));
    } catch (error) {
      fill(row, heading(file.name), h("p", {}, h("b", {}, t.module.refused)), h("p", { class: "refusal" }, reason(error)));
    }
  }
  if (asked.length === 0 || session.isEmpty) return;
  for (const ask of asked) ask();
  session.again();
}

function opened(): HTMLDialogElement {
  document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
  document.querySelector("#module")?.remove(); // closed, and its event is still to come
  const dialog = h(
    "dialog",
    { class: "tried", id: "module", "aria-labelledby": "module-title", on: { close: () => dialog.remove() } },
    h("div", { class: "bar" }, h("h2", { id: "module-title" }, t.module.title), button(t.module.close, () => dialog.close(), { class: "btn push" })),
    h("div", { class: "list", "aria-live": "polite" }),
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** accepted shows a module that is taken, and gives what to do when it is being asked. */
function accepted(row: HTMLElement, manifest: Manifest, dialog: HTMLDialogElement, modules: Modules, session: Session): () => void {
  const { name } = manifest;
  const show = (verdict: string) => fill(row, heading(name, remove), facts(manifest), h("p", { class: "verdict" }, verdict));
  const remove = button(t.module.remove, () => {
    modules.remove(name);
    row.remove();
    if (!dialog.querySelector(".module")) dialog.close();
    session.again();
  }, { class: "btn tiny push" });
  // A newer module of that name has taken the place of the older one.
  for (const older of dialog.querySelectorAll<HTMLElement>(".module")) if (older.dataset["module"] === name) older.remove();
  row.dataset["module"] = name;
  show(t.module.idle);
  const stop = session.on("modules", () => (row.isConnected ? show(verdict(session, name)) : stop()));
  return () => show(t.module.asking);
}

function heading(name: string, remove?: HTMLElement): HTMLElement {
  return h("div", { class: "row hd3" }, h("h3", {}, name), remove);
}

function reason(error: unknown): string {
  if (error instanceof TooSlow) return t.module.long;
  return error instanceof Error ? error.message : String(error);
}

function facts(manifest: Manifest): HTMLElement {
  const rows: [string, Child][] = [
    [t.module.version, manifest.version],
    [t.module.handles, manifest.handles.join(", ")],
    [t.module.clients, manifest.clients.includes("*") ? t.module.allClients : manifest.clients.join(", ")],
    [t.module.license, manifest.license],
  ];
  return h("dl", {}, rows.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

function verdict(session: Session, name: string): string {
  const said = session.state.modules.get(name);
  if (!said) return t.module.notAsked;
  if (said.error) return t.module.gaveUp(said.error);
  return said.fixes > 0 ? t.module.proposes(said.fixes) : t.module.nothing;
}
