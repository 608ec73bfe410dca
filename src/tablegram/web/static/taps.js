// Taps that are not lost: each is kept until the server has it, and has a key of its own, so that it acts once.
// A page of its own keeps its own: `data-taps` on the document names them.
const KEPT = document.documentElement.dataset.taps ?? "tablegram-taps";
const AGAIN_MS = 2000;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

let queue = read();
let busy = false;
let timer = 0;
const hears = {
  settled: () => {},
  changed: () => {},
  // How a tap is put into words for the server, and where to go when it no longer knows who taps.
  written: (tap) => ({ body: new URLSearchParams({ ...tap.fields, once: tap.once, csrf: document.documentElement.dataset.csrf }), headers: {} }),
  unknown: (told) => location.assign(told.location),
};

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? [];
  } catch {
    return [];
  }
}

function keep() {
  try {
    localStorage.setItem(KEPT, JSON.stringify(queue));
  } catch {
    // They wait for as long as the page is open.
  }
  hears.changed(queue.length);
}

export const newKey = () => [...crypto.getRandomValues(new Uint8Array(20))].map((one) => LETTERS[one % LETTERS.length]).join("");

/** Which taps wait for the server. */
export const waiting = () => queue;

/** `settled(tap, answer)` after each, with what the server said; `changed(n)` when more or fewer wait; `written` and `unknown` where a page has its own way. */
export function listenToTaps(listener) {
  Object.assign(hears, listener);
  hears.changed(queue.length);
  send();
}

/** Keep a tap and send it: `url`, `fields`, and what the page wants to know about it later. */
export function put(tap) {
  queue.push({ ...tap, once: newKey() });
  keep();
  send();
  return queue.at(-1).once;
}

/** Take back what has not left yet. Answers whether it was still here. */
export function drop(once) {
  const place = queue.findIndex((one) => one.once === once);
  if (place < 0 || (place === 0 && busy)) return false;
  queue.splice(place, 1);
  keep();
  return true;
}

/** Send what waits, in its order, one after another. */
export async function send() {
  clearTimeout(timer);
  if (busy || !queue.length) return;
  busy = true;
  const tap = queue[0];
  try {
    const { body, headers } = hears.written(tap);
    const answer = await fetch(tap.url, { method: "POST", body, headers: { Accept: "application/json", ...headers } });
    const told = await answer.json().catch(() => ({}));
    if (answer.status === 401) return hears.unknown(told);
    // The server is busy, starts again or is still at it: the same tap is sent once more, under the same key.
    if (answer.status >= 500 || answer.status === 429 || told.code === "idempotency_in_flight") throw new Error(String(answer.status));
    queue.shift();
    keep();
    hears.settled(tap, { ok: answer.ok, ...told });
  } catch {
    hears.changed(queue.length, true);
    timer = setTimeout(send, AGAIN_MS);
    return;
  } finally {
    busy = false;
  }
  send();
}

/** Forget what waits: nobody may send it any more. */
export function dropAll() {
  queue = [];
  keep();
}

addEventListener("online", send);
