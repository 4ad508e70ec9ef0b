// A fix module that was dropped on the page: what it says of itself, and what
// came of asking it.

import { button, fill, h, type Child } from "../dom";
import { TooSlow } from "../doctor";
import type { Modules } from "../modules";
import type { Manifest } from "../protocol";
import type { Session } from "../session";
import { t } from "../strings";

/** tryModule takes the file, shows what it is, and has it asked about what is on the page. */
export async function tryModule(file: File, modules: Modules, session: Session): Promise<void> {
  document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
  const body = h("div", { "aria-live": "polite" });
  const remove = button(t.module.remove, () => dialog.close("remove"), { class: "btn push", hidden: true });
  const dialog = h(
    "dialog",
    { class: "tried", id: "module", "aria-labelledby": "module-title", on: { close: () => dialog.remove() } },
    h("div", { class: "bar" }, h("h2", { id: "module-title" }, t.module.title), remove, button(t.module.close, () => dialog.close(), { class: "btn" })),
    body,
  );
  fill(body, h("p", {}, t.module.reading));
  document.body.append(dialog);
  dialog.showModal();
  let manifest: Manifest;
  try {
    manifest = await modules.add(file);
  } catch (error) {
    fill(body, h("p", {}, h("b", {}, t.module.refused(file.name))), h("p", { class: "refusal" }, reason(error)));
    return;
  }
  const show = (verdict: string) => fill(body, facts(manifest), h("p", { class: "verdict" }, verdict));
  remove.hidden = false;
  dialog.addEventListener("close", () => {
    if (dialog.returnValue !== "remove") return;
    modules.remove(manifest.name);
    session.again();
  });
  if (session.isEmpty) return show(t.module.idle);
  show(t.module.asking);
  dialog.addEventListener("close", session.on("modules", () => show(verdict(session, manifest.name))));
  session.again();
}

function reason(error: unknown): string {
  if (error instanceof TooSlow) return t.module.long;
  return error instanceof Error ? error.message : String(error);
}

function facts(manifest: Manifest): HTMLElement {
  const rows: [string, Child][] = [
    [t.module.name, manifest.name],
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
