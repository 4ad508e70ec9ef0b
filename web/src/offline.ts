// Offline use. A page served from this computer gets no service worker and no
// storage: the next program on that port would inherit both.

import { ownScript } from "./trusted";

export function isLocal(): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(location.hostname);
}

/** store is where the theme is kept, or undefined where nothing may be. */
export function store(): Storage | undefined {
  if (isLocal()) return undefined;
  try {
    return localStorage;
  } catch {
    return undefined; // storage is switched off
  }
}

export function keepForOffline(): void {
  if (isLocal() || !("serviceWorker" in navigator)) return;
  // The worker is an address of our own; the type is only known to browsers that have trusted types.
  navigator.serviceWorker.register(ownScript("sw.js") as string).catch(() => undefined);
}
