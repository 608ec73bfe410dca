// Keeps the empty page and its files, so that it opens without a network. What stands on it is no business of this.
const PREFIX = "tablegram-courier-";
const KEPT = PREFIX + "{version}";
const FILES = ["{files}"];
const PATIENCE_MS = 4000;

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    await (await caches.open(KEPT)).addAll(FILES);
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== KEPT) await caches.delete(name);
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (event.request.mode === "navigate") event.respondWith(page(event.request));
  else if (url.pathname.startsWith("/courier/static/")) event.respondWith(file(event.request));
});

async function page(request) {
  const store = await caches.open(KEPT);
  const before = await store.match(request.url);
  try {
    const answer = await fetch(request, before ? { signal: AbortSignal.timeout?.(PATIENCE_MS) } : {});
    if (answer.ok) await store.put(request.url, answer.clone());
    else if (answer.status === 404) await store.delete(request.url);
    return answer;
  } catch (error) {
    if (before) return before;
    throw error;
  }
}

async function file(request) {
  const store = await caches.open(KEPT);
  return (await store.match(request.url)) ?? fetch(request);
}
