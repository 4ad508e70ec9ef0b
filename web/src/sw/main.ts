// The service worker: keeps the files of the page, and answers from them. It
// knows the files of this build by name and fetches nothing else.

declare const self: ServiceWorkerGlobalScope;
declare const __PROGRAM__: string[];
declare const __BUILD__: string;

const name = `mcpmend-${__BUILD__}`;

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(name);
      await cache.addAll(["./", ...__PROGRAM__]);
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const old of await caches.keys()) if (old.startsWith("mcpmend-") && old !== name) await caches.delete(old);
      await self.clients.claim();
    })(),
  );
});

// The page itself comes from the network where there is one, so that a new
// build is seen at once; its files have hashed names and never change.
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== self.location.origin) return;
  event.respondWith(event.request.mode === "navigate" ? fetch(event.request).catch(() => kept("./")) : kept(event.request));
});

async function kept(request: RequestInfo): Promise<Response> {
  const cache = await caches.open(name);
  return (await cache.match(request, { ignoreSearch: false })) ?? fetch(request);
}

export {};
