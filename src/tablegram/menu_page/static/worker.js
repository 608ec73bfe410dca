// Keeps the page, its files and the pictures that were seen, so that a reload works without a network.
const BASE = "/api/v1/menu";
const PREFIX = "tablegram-menu-";
const KEPT = PREFIX + "{version}";
const PICTURES = "tablegram-menu-pictures";
const MOST_PICTURES = 120;
// On a network that is there but does not answer, what is kept is better than an empty screen.
const PATIENCE_MS = 4000;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith(PREFIX) && name !== KEPT && name !== PICTURES) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (event.request.mode === "navigate" && url.pathname === BASE) event.respondWith(page(event.request));
  else if (url.pathname.startsWith(`${BASE}/static/`)) event.respondWith(kept(event.request, KEPT));
  else if (url.pathname.startsWith(`${BASE}/images/`)) event.respondWith(kept(event.request, PICTURES));
});

async function page(request) {
  const store = await caches.open(KEPT);
  const before = await store.match(request.url);
  try {
    const answer = await fetch(request, before ? { signal: AbortSignal.timeout?.(PATIENCE_MS) } : {});
    if (answer.ok) await store.put(request.url, answer.clone());
    return answer;
  } catch (error) {
    if (before) return before;
    throw error;
  }
}

async function kept(request, name) {
  const store = await caches.open(name);
  const before = await store.match(request.url);
  if (before) return before;
  const answer = await fetch(request);
  if (answer.ok) {
    await store.put(request.url, answer.clone());
    if (name === PICTURES) await trim(store);
  }
  return answer;
}

async function trim(store) {
  const known = await store.keys();
  for (const old of known.slice(0, Math.max(0, known.length - MOST_PICTURES))) await store.delete(old);
}
