// The page: starts the doctor, then puts the views together. The order counts:
// the worker and the Go program are on their way before anything is drawn.

import { toast } from "./copy";
import { byId, fill, h } from "./dom";
import { Doctor } from "./doctor";
import { bringRich } from "./editor/load";
import type { Example } from "./examples";
import { acceptDrops, choose, read } from "./files";
import { listen, showKeys } from "./keys";
import { isModule, Modules } from "./modules";
import { keepForOffline } from "./offline";
import type { ClientDoc } from "./protocol";
import { requests } from "./requests";
import { maxText, Session } from "./session";
import { t } from "./strings";
import { themeButton } from "./theme";
import { argumentsView } from "./views/arguments";
import { machineView } from "./views/machine";
import { tryModules } from "./views/module";
import { privacyView } from "./views/privacy";
import { rulesView } from "./views/rules";
import { start } from "./views/start";
import { work } from "./views/work";

const doctor = new Doctor();
requests.start();
const modules = new Modules(doctor);
const session = new Session(doctor, modules);
let clients: ClientDoc[] = [];
let asked: Promise<unknown> | undefined; // for the clients

/** The places in the header, each with the views that belong to it. */
const places: { label: string; hash: string; views: string[] }[] = [
  { label: t.page.doctor, hash: "#", views: ["start", "work"] },
  { label: t.page.arguments, hash: "#arguments", views: ["arguments"] },
  { label: t.page.rules, hash: "#rules", views: ["rules"] },
  { label: t.page.machine, hash: "#machine", views: ["machine"] },
];

const main = byId("main");
const startView = start(session, { chooseFiles, example });
const workView = work(session, doctor, () => clients, startOver);
const args = argumentsView(doctor);
const rules = rulesView(doctor, session, () => go("#"));
const privacy = privacyView();
const machine = machineView();
const views: Record<string, HTMLElement> = { start: startView.element, work: workView.element, arguments: args.element, rules: rules.element, machine: machine.element, privacy: privacy.element };
main.append(...Object.values(views).filter((view) => !view.isConnected));

function go(hash: string): void {
  location.hash = hash;
  route(); // the event comes later, and what follows a call wants to see the view
}

/** route shows the view that the address names. */
function route(): void {
  const hash = location.hash.slice(1);
  if (hash.startsWith("s=")) return void openLink(hash.slice(2));
  if (hash.startsWith("pair=")) return void pairWith(hash.slice(5));
  if (hash === "main") return main.focus();
  const [place, rest = ""] = hash.split("/", 2) as [string, string?];
  const view = place in views && place !== "start" && place !== "work" ? place : session.isEmpty ? "start" : "work";
  for (const [name, element] of Object.entries(views)) element.hidden = name !== view;
  document.body.dataset["view"] = view;
  document.title = t.page.title;
  for (const link of byId("places").children) link.toggleAttribute("aria-current", places.find((p) => p.hash === link.getAttribute("href"))!.views.includes(view));
  byId("foot").hidden = view !== "start" && view !== "rules" && view !== "privacy";
  if (view === "arguments") args.show();
  if (view === "rules") rules.show(decodeURIComponent(rest));
  if (view === "privacy") privacy.show();
  if (view === "machine") machine.show();
  scrollTo(0, 0);
}

function example(chosen: Example): void {
  if (chosen.arguments) {
    args.open(chosen.arguments.schema, chosen.arguments.arguments);
    go("#arguments");
  } else session.open(chosen.input!, false);
}

function chooseFiles(): void {
  choose((files) => void takeFiles(files));
}

async function takeFiles(files: File[]): Promise<void> {
  const dropped = files.filter(isModule);
  if (dropped.length > 0) await tryModules(dropped, modules, session);
  const input = await read(files.filter((file) => !isModule(file)));
  if (!input) return;
  const { state } = session;
  // A file dropped beside a paste joins it: a log beside its config, a config beside its log.
  if (state.input.text && !state.input.config && input.config && !input.text) session.open({ ...input, text: state.input.text }, true);
  else if (state.input.config && !state.input.text && input.text && !input.config) session.open({ ...state.input, text: input.text }, true);
  else session.open(input, Boolean(input.text && input.config));
  go("#");
}

function startOver(): void {
  session.open({}, false);
  startView.clear();
  go("#");
}

async function openLink(packed: string): Promise<void> {
  history.replaceState(null, "", location.pathname + location.search); // the text is in the page now, not in the address
  try {
    const opened = await doctor.ask("open", packed);
    session.open(opened, Boolean(opened.text && opened.config));
    toast(t.copied.opened);
  } catch {
    toast(t.copied.badLink);
  }
  route();
}

/** pairWith uses the code of a link from the terminal, which works once and so leaves the address at once. */
async function pairWith(link: string): Promise<void> {
  history.replaceState(null, "", `${location.pathname}#machine`);
  route();
  await machine.pair(link);
  route();
}

session.on("input", route);
doctor.onProgress = workView.progress;
doctor.onReady = () => {
  if (session.isEmpty) rest();
};
doctor.onLost = bringRich;
session.on("reading", () => {
  if (session.state.reading || session.state.trouble) rest();
});

/** rest brings what the first diagnosis does not need: the editor, the fix modules, the list of clients. */
function rest(): void {
  bringRich();
  if (!doctor.ready) return;
  if (modules.list.length === 0) modules.load();
  asked ??= doctor.ask("clients", null).then(
    (list) => {
      clients = list;
      drawFoot();
      session.redraw();
    },
    () => (asked = undefined), // the worker was ended; the next reading asks again
  );
}

doctor.onRequests = (count) => requests.add(count);

fill(byId("places"), places.map((place) => h("a", { href: place.hash }, place.label)));
const promise = byId("promise");
requests.on(({ other, machine }) => {
  const [count, word] = t.page.requests(other);
  if (machine > 0 && other === 0) fill(promise, h("span", {}, h("b", {}, t.page.onlyHere)));
  else fill(promise, h("span", {}, h("b", {}, count), ` ${word} `, h("span", { class: "hide-s" }, t.page.sinceLoad)));
  promise.title = t.page.howToCheck;
  promise.hidden = false;
});
function drawFoot(): void {
  fill(
    byId("foot"),
    h("span", {}, `mcpmend ${__VERSION__}`),
    clients.length > 0 && h("span", {}, t.page.foot(clients.length)),
    h("a", { href: "#rules" }, t.page.allRules),
    h("span", {}, t.page.terminal, " ", h("code", {}, "mcpmend check")),
    h("button", { type: "button", class: "as-link push", on: { click: showKeys } }, t.page.keys),
    h("a", { href: "#privacy" }, t.page.privacy),
  );
}
drawFoot();
themeButton();

listen({
  chooseFiles,
  nextFinding: workView.nextFinding,
  quickFix: workView.quickFix,
  evidence: workView.evidence,
  acceptSafe: () => toast(t.fix.allSafeDone(session.acceptSafe())),
  copyMended: workView.copyMended,
  downloadMended: workView.downloadMended,
  nextPane: workView.nextPane,
  findRule: () => (go("#rules"), rules.find()),
  pasted(text) {
    if (text.length > maxText) return toast(t.pane.big((text.length / 1024 / 1024).toFixed(0)));
    session.open({ text }, false);
    go("#");
  },
  working: () => document.body.dataset["view"] === "work",
});
acceptDrops((files) => void takeFiles(files));
addEventListener("hashchange", route);
// menus close when something else is pressed
addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>("details.menu[open]")) if (!menu.contains(event.target as Node)) menu.open = false;
});
addEventListener("load", keepForOffline);
addEventListener("offline", () => toast(t.page.offline));
addEventListener("online", () => doctor.ready && modules.load());

route();
startView.take();
setTimeout(bringRich, 1500); // on a slow line the doctor takes longer than the editor
