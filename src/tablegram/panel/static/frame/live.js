// Notices from the server that something changed. Parts of the page that show it are fetched again, in place.
import { here, words } from "./words.js";

const listeners = new Map();
const waiting = new Map();
const loading = new Map();
let lostTimer = 0;

/** Call `fn({topic, ids})` when something of the topic changed. Returns a function that stops it. */
export function listen(topic, fn) {
  if (!listeners.has(topic)) listeners.set(topic, new Set());
  listeners.get(topic).add(fn);
  return () => listeners.get(topic).delete(fn);
}

/** Fetch a part of this page again and put it in place; what changed gets a short mark. Done when what is shown is new. */
export function refresh(element) {
  // One at a time: what changed while it was on its way is asked for once more, and whoever waits, waits for that too.
  if (loading.has(element)) element.dataset.again = "1";
  else loading.set(element, Promise.resolve(element).then(load));
  return loading.get(element);
}

async function load(element) {
  do {
    delete element.dataset.again;
    try {
      const address = new URL(element.dataset.from ?? here(), location.href);
      address.searchParams.set("part", element.dataset.part);
      // What the page has as it is need not be drawn and sent again.
      const known = [...element.querySelectorAll("[data-mark]:not([data-sending])")].map((one) => one.dataset.mark);
      if (known.length) address.searchParams.set("known", known.join("."));
      const asked = performance.now();
      const answer = await fetch(address, { headers: { "X-Part": element.dataset.part } });
      if (answer.status === 401) location.assign((await answer.json()).location);
      if (answer.ok) swap(element, await answer.text(), asked);
    } catch {
      // The line to the server is down; its own sign says so, and the next notice tries again.
    }
  } while (element.dataset.again);
  loading.delete(element);
}

/** Put new markup in place without taking the focus away or jumping; rows are told apart by data-key. */
export function swap(element, html, asked) {
  // A page that knows a better way to put it in place does it itself; it is told when this was asked for.
  if (!element.dispatchEvent(new CustomEvent("arriving", { cancelable: true, detail: { html, asked } }))) return;
  // The same again stays as it is: a finger that is on its way to a button meets that button.
  const arrived = document.createElement("template");
  arrived.innerHTML = html;
  // Here scripts run. What comes by one would otherwise bring the buttons that are for whoever has none.
  arrived.content.querySelectorAll("noscript").forEach((one) => one.remove());
  // A table that somebody has opened behind a chart stays open.
  for (const open of element.querySelectorAll("details[open][data-name]")) {
    const same = [...arrived.content.querySelectorAll("details")].find((one) => one.dataset.name === open.dataset.name);
    if (same) same.open = true;
  }
  if (unmarked(arrived.content).innerHTML === unmarked(element).innerHTML) return;
  const before = new Map([...element.querySelectorAll("[data-key]")].map((row) => [row.dataset.key, fingerprint(row)]));
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  // Whoever is typing or has something open in this part keeps it; the next notice comes soon.
  if (focused?.matches("input:not([type=hidden]), textarea, select") || element.querySelector("dialog[open], .dragged")) return;
  const key = focused?.closest("[data-key]")?.dataset.key;
  const href = focused?.getAttribute("href");
  const scroll = element.scrollTop;
  element.replaceChildren(arrived.content);
  element.scrollTop = scroll;
  for (const row of element.querySelectorAll("[data-key]")) {
    if (before.get(row.dataset.key) !== fingerprint(row)) row.classList.add("changed");
  }
  if (focused) {
    const row = key && [...element.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
    const target = href && [...element.querySelectorAll("a")].find((one) => one.getAttribute("href") === href);
    (target || row?.querySelector("a, button") || row)?.focus?.({ preventScroll: true });
  }
  element.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
}

// Relative times move by themselves and are no change.
function fingerprint(row) {
  const copy = unmarked(row);
  copy.content.querySelectorAll("time").forEach((time) => time.replaceChildren(time.dateTime));
  return copy.innerHTML;
}

/** What is inside a part, without the marks that were put on its rows here and what is for those without scripts. */
function unmarked(part) {
  const copy = document.createElement("template");
  copy.content.append(...[...part.childNodes].map((node) => node.cloneNode(true)));
  copy.content.querySelectorAll("noscript").forEach((one) => one.remove());
  for (const row of copy.content.querySelectorAll(".changed")) {
    row.classList.remove("changed");
    if (!row.classList.length) row.removeAttribute("class");
  }
  return copy;
}

function announce(notice) {
  for (const fn of listeners.get(notice.topic) ?? []) fn(notice);
  for (const element of document.querySelectorAll("[data-live]")) {
    if (!element.dataset.live.split(" ").includes(notice.topic) || waiting.has(element)) continue;
    waiting.set(element, setTimeout(() => {
      waiting.delete(element);
      if (element.isConnected) refresh(element);
    }, 50));
  }
}

// What is written down on the way, such as the calls of the API, tells nobody: these parts look by themselves.
for (const element of document.querySelectorAll("[data-every]")) {
  setInterval(() => {
    if (!document.hidden && element.isConnected) refresh(element);
  }, Math.max(5, Number(element.dataset.every)) * 1000);
}

/** Hold a line to the server for as long as the page is open. `wasLost`: there was one before, and it is gone. */
export function follow(wasLost = false) {
  const offline = document.getElementById("offline");
  // Told from the moment on in which this page was made.
  const { since = "" } = document.documentElement.dataset;
  const source = new EventSource(`/panel/live?since=${wasLost ? "" : since}`);
  source.addEventListener("ready", (event) => {
    clearTimeout(lostTimer);
    lostTimer = 0;
    if (offline) offline.hidden = true;
    document.documentElement.dataset.live = "on";
    // Who was away, or asks somebody who does not know what happened meanwhile, looks at everything again.
    if (wasLost || JSON.parse(event.data).anything) document.querySelectorAll("[data-live][data-part]").forEach(refresh);
    wasLost = false;
  });
  source.addEventListener("change", (event) => announce(JSON.parse(event.data)));
  source.addEventListener("ended", () => {
    source.close();
    location.reload();
  });
  source.addEventListener("error", () => {
    wasLost = true;
    document.documentElement.dataset.live = "off";
    // A restart of the server takes a moment and is nobody's business.
    if (!lostTimer) lostTimer = setTimeout(() => {
      if (offline) {
        offline.textContent = words.offline;
        offline.hidden = false;
      }
    }, 5000);
    if (source.readyState === EventSource.CLOSED) setTimeout(again, 5000);
  });
  window.addEventListener("pagehide", () => source.close(), { once: true });
}

// The browser gave up, because of an answer that was no stream: a server that is just starting, or a session that ended.
async function again() {
  const probe = new AbortController();
  try {
    const answer = await fetch("/panel/live", { headers: { Accept: "application/json" }, signal: probe.signal });
    if (answer.status === 401) return location.reload();
  } catch {
    // Still away.
  } finally {
    probe.abort();
  }
  follow(true);
}
