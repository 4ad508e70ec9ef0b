// Auto, light or dark, in this order.

import { byId } from "./dom";
import { store } from "./offline";
import { t } from "./strings";

const key = "mcpmend.theme";
const order = ["", "light", "dark"];

export function themeButton(): void {
  const made = byId<HTMLButtonElement>("theme");
  const set = (theme: string) => {
    document.documentElement.dataset["theme"] = theme;
    const [word, label] = t.page.themes[theme]!;
    made.textContent = word;
    made.setAttribute("aria-label", label);
  };
  const kept = store()?.getItem(key) ?? "";
  set(order.includes(kept) ? kept : "");
  made.hidden = false;
  made.addEventListener("click", () => {
    const next = order[(order.indexOf(document.documentElement.dataset["theme"] ?? "") + 1) % order.length]!;
    set(next);
    if (next) store()?.setItem(key, next);
    else store()?.removeItem(key);
  });
}
