import { cart, changed, onCart } from "./cart.js";
import { menu, obstacle, readMenu, setStanding, standing, standingWords } from "./catalogue.js";
import { byId } from "./elements.js";
import { reread, venue } from "./saving.js";
import { indexMenu } from "./search.js";
import { followed, heardOf } from "./sending.js";
import { call } from "./wire.js";
import { BASE, facts, say } from "./words.js";

const LONGEST_MS = 10 * 60 * 1000;
// A browser gives up on a stream that was refused once; all pages of a house do not come back in one moment.
const STREAM_AGAIN_MS = 3000;
// How each dish came from the server, before anything was marked on it.
const drawn = new WeakMap();
let boundary = null;
let stream = null;
// The orders that the stream was opened with.
let told = "";

// Mark what cannot be had for the kind of order that is chosen.
export function markDishes() {
  for (const node of byId("list").querySelectorAll(".item")) {
    const why = obstacle(node.dataset.id, cart.order_type);
    node.classList.toggle("gone", Boolean(why));
    const place = node.querySelector(".why");
    if (place.textContent !== why) place.textContent = why;
    node.querySelector(".plus").disabled = Boolean(why);
  }
  const state = byId("standing");
  state.textContent = standingWords();
  state.classList.toggle("shut", !standing.takes_orders);
}

function remember(root) {
  for (const node of root.querySelectorAll(".item")) drawn.set(node, node.outerHTML);
}

// The server draws the list anew; dishes that are the same stay as they are, and what the guest looks at stays where
// it was on their screen.
async function renewList() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-cache", credentials: "omit" });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  // A later answer was faster.
  if (JSON.parse(fresh.getElementById("menu").textContent).version < menu.version) return;
  const list = byId("list");
  const known = new Map([...list.querySelectorAll(".item")].map((node) => [node.dataset.id, node]));
  const anchor = [...known.values()].find((node) => !node.hidden && node.getBoundingClientRect().bottom > 120);
  const before = anchor?.getBoundingClientRect().top;
  const incoming = fresh.getElementById("list");
  remember(incoming);
  for (const node of incoming.querySelectorAll(".item")) {
    const old = known.get(node.dataset.id);
    if (old && drawn.get(old) === drawn.get(node)) node.replaceWith(old);
    else node.classList.add("changed");
  }
  list.replaceChildren(...incoming.children);
  for (const id of ["chips", "tags"]) byId(id).replaceChildren(...fresh.getElementById(id).children);
  byId("menu").textContent = fresh.getElementById("menu").textContent;
  readMenu();
  setStanding(JSON.parse(fresh.getElementById("data").textContent).standing);
  indexMenu();
  const again = anchor && document.getElementById(anchor.id);
  if (again) scrollBy(0, again.getBoundingClientRect().top - before);
  dispatchEvent(new Event("menu-renewed"));
}

export async function catchUp(notice = null) {
  try {
    if (notice?.version === menu.version && notice.standing) setStanding(notice.standing);
    else if (notice && notice.version !== menu.version) await renewList();
    else {
      const found = await call("GET", `/data?${venue}&lang=${facts.language}`);
      if (found.menu.version !== menu.version) await renewList();
      else setStanding(found.standing);
    }
  } catch {
    // No network: what is on the page is what we know. The stream tells when it is back.
    return;
  }
  planBoundary();
  if (cart.code && !cart.dirty) reread();
  changed();
}

// The doors open and close by the clock; nobody has to tell us then.
function planBoundary() {
  clearTimeout(boundary);
  const next = [standing.orders_until_ms, standing.opens_ms, standing.until_ms].filter((ms) => ms && ms > Date.now());
  const wait = Math.min(LONGEST_MS, ...next.map((ms) => ms - Date.now() + 1000));
  boundary = setTimeout(() => catchUp(), wait);
}

export function startLive() {
  remember(byId("list"));
  planBoundary();
  followStream(true);
  onCart(followOrder);
  for (const name of ["online", "offline"]) addEventListener(name, sayOffline);
  sayOffline();
}

// A new order is told of by the same stream, which is opened anew for it. One that is over may stay.
function followOrder() {
  if (!stream || followed().every((token) => told.split(",").includes(token))) return;
  stream.close();
  followStream(true);
}

function followStream(first) {
  told = followed().join();
  const mine = new EventSource(`${BASE}/live?${venue}${told && `&orders=${told}`}`);
  stream = mine;
  stream.addEventListener("open", () => {
    document.documentElement.dataset.live = "yes";
    // After a gap something may have happened that nobody told us.
    if (!first) catchUp();
    first = false;
  });
  stream.addEventListener("error", () => {
    document.documentElement.dataset.live = "no";
    if (mine.readyState === EventSource.CLOSED) {
      stream = null;
      setTimeout(followStream, STREAM_AGAIN_MS * (1 + 2 * Math.random()), false);
    }
  });
  stream.addEventListener("order", (event) => {
    const { token, status } = JSON.parse(event.data);
    heardOf(token, status);
  });
  stream.addEventListener("menu", (event) => {
    const notice = JSON.parse(event.data);
    if (notice.version !== menu.version || JSON.stringify(notice.standing) !== JSON.stringify(standing)) catchUp(notice);
  });
}

function sayOffline() {
  byId("offline").hidden = navigator.onLine;
  byId("offline").textContent = navigator.onLine ? "" : say("offline");
}

// Kept on the phone, so that a reload works where the network does not reach.
export async function startWorker() {
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  try {
    await navigator.serviceWorker.register(`${BASE}/worker.js`, { scope: BASE });
    const [, edition] = /static\/(\w+)\//.exec(import.meta.url);
    const store = await caches.open(`tablegram-menu-${edition}`);
    const nodes = document.querySelectorAll("script[src], link[rel=icon]");
    const files = [...nodes].map((node) => node.href || node.src);
    await Promise.all([location.href.split("#")[0], ...files].map(async (address) => {
      const answer = await fetch(address, { cache: "force-cache", headers: { Accept: "text/html,*/*" } });
      if (answer.ok) await store.put(address, answer);
    }));
    document.documentElement.dataset.kept = "yes";
  } catch {
    // Without it the page works as long as there is a network.
  }
}
