// The courier's page: what the server said last, with the taps on top that it does not have yet.
import { doneRow, freeCard, shiftCard, stopCard } from "./cards.js";
import { byId, el, explain, say } from "./elements.js";
import { drop, dropAll, listenToTaps, put, send, waiting } from "./taps.js";
import { turns } from "./turns.js";

const { base: BASE, mark } = document.documentElement.dataset;
const KEPT = `tablegram-courier-${mark}`;
const UNDO_MS = 10_000;
const SURE_MS = 30_000;
const STREAM_AGAIN_MS = 3_000;
// A phone that nobody has opened for so long shows nothing of anybody any more.
const OLD_MS = 24 * 3_600_000;
const PATIENCE_MS = 15_000;

let page = recall();
let drawn = "";
let held = false;
let reached = true;
let stream = null;
const doneTaps = new Map();
const askForPage = turns();

function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT));
    return kept && Date.now() - kept.at < OLD_MS ? kept.page : null;
  } catch {
    return null;
  }
}

function remember() {
  try {
    if (page) localStorage.setItem(KEPT, JSON.stringify({ at: Date.now(), page }));
    else localStorage.removeItem(KEPT);
  } catch {
    // It is there for as long as the page is open.
  }
}

// Whose it was goes when its time is over, also where nobody answers.
function forget() {
  if (!page) return;
  let changed = false;
  page.done = page.done.map((one) => {
    if (!one.forget_ms || one.forget_ms > Date.now() || !(one.address || one.phone || one.guest)) return one;
    changed = true;
    return { ...one, guest: "", phone: "", address: "", route_url: "" };
  });
  if (changed) remember();
}

function known(fresh) {
  page = fresh;
  forget();
  remember();
  draw();
}

// The page as it will be once the server has every tap.
function ahead() {
  const shown = structuredClone(page);
  for (const tap of waiting()) {
    const { fields } = tap;
    const stop = shown.stops.find((one) => one.delivery_id === fields.delivery_id);
    if (fields.order_id) {
      const order = shown.free.find((one) => one.order_id === fields.order_id);
      shown.free = shown.free.filter((one) => one !== order);
      if (order) shown.stops.push({ ...order, delivery_id: order.order_id, state: "assigned", taking: true, actions: [] });
    } else if (fields.action === "pick_up" && stop) stop.state = "picked_up";
    else if (fields.action && stop) {
      shown.stops = shown.stops.filter((one) => one !== stop);
      const state = fields.action === "deliver" ? "delivered" : "brought_back";
      const took = fields.paid && stop.collect ? { took: stop.collect, took_by: fields.paid } : { took: "", took_by: "" };
      shown.done.unshift({ ...stop, ...took, state, ended: "", sending: true });
    } else if ("working" in fields) shown.shift = fields.working ? shown.shift ?? { since: "", cash: "", card: "", orders: 0 } : null;
  }
  for (const one of [...shown.stops, ...shown.free]) one.late = Boolean(one.promised_ms && one.promised_ms < Date.now());
  return shown;
}

function draw() {
  // Never while a finger is down: a tap must hit what was seen.
  if (!page || held) return;
  const shown = ahead();
  const now = JSON.stringify(shown);
  if (now === drawn) return;
  drawn = now;
  byId("enter").hidden = true;
  const root = byId("page");
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const open = new Set([...root.querySelectorAll("details[open]")].map((one) => one.dataset.name));
  const part = (name, none, list) => el("section", { "aria-labelledby": name }, el("h2", { id: name }, say(name), list.length ? el("span", { class: "count" }, String(list.length)) : null), list.length ? list : el("p", { class: "hint" }, say(none)));
  root.replaceChildren(
    el("header", { class: "top" }, el("h1", { dir: "auto" }, shown.name), el("p", { class: "hint", dir: "auto" }, shown.venue)),
    shiftCard(shown, acts),
    ...(shown.shift ? [
      part("stops", "no_stops", shown.stops.map((one) => stopCard(one, acts))),
      ...shown.route_urls.map((url, place, all) => el("a", { class: "button tour", href: url, target: "_blank", rel: "noopener noreferrer" }, all.length > 1 ? say("tour_part", { n: place + 1 }) : say("tour"))),
      part("free", "no_free", shown.free.map((one) => freeCard(one, acts))),
    ] : []),
    ...(shown.done.length ? [el("section", { "aria-labelledby": "done" }, el("h2", { id: "done" }, say("done")), el("ul", { class: "done" }, shown.done.map(doneRow)))] : []),
  );
  for (const one of root.querySelectorAll("details")) one.open = open.has(one.dataset.name);
  if (focused) ([...root.querySelectorAll("[data-key]")].find((one) => one.dataset.key === focused) ?? root).focus({ preventScroll: true });
}

// Taps: seen at once, kept until the server has them, sent once.
const acts = {
  take: (order) => tapped("take", { order_id: order.order_id }, order.number, "take"),
  step: (stop, action, paid, reason = "") => tapped("step", { delivery_id: stop.delivery_id, action, paid, reason }, stop.number, action),
  shift: (working) => tapped("shift", { working }),
  bringBack: (stop) => askWhy(stop),
};

function tapped(where, fields, number, did) {
  const tap = { url: `${BASE}/${where}`, fields, number };
  tap.once = put(tap);
  if (did) offerUndo(tap, say(`did_${did}`, { number }), did !== "take");
  draw();
}

function askWhy(stop) {
  const dialog = byId("why");
  byId("why-title").textContent = say("why", { number: stop.number });
  byId("reason").value = "";
  dialog.returnValue = "";
  dialog.addEventListener("close", () => {
    if (dialog.returnValue) acts.step(stop, "bring_back", null, dialog.returnValue === "*" ? byId("reason").value.trim() : dialog.returnValue);
  }, { once: true });
  dialog.showModal();
}

// Ten seconds to think better of it. What somebody has taken they give back at the restaurant.
function offerUndo(tap, words, canUndo) {
  const row = el("p", {}, el("span", {}, words));
  if (canUndo) row.append(el("button", { type: "button", click: () => { row.remove(); takeBack(tap); } }, say("undo")));
  byId("undo").replaceChildren(row);
  setTimeout(() => row.remove(), UNDO_MS);
}

function takeBack(tap) {
  if (!drop(tap.once)) put({ url: `${BASE}/undo`, undoes: tap.once, fields: { delivery_id: tap.fields.delivery_id, step_id: doneTaps.get(tap.once) ?? "" } });
  draw();
}

let wasKept = false;
listenToTaps({
  written: (tap) => ({ body: JSON.stringify({ ...tap.fields, once: tap.once }), headers: { "Content-Type": "application/json" } }),
  unknown: () => askPin(),
  settled(tap, answer) {
    reach(true);
    for (const one of [...waiting()]) {
      if (one.undoes !== tap.once) continue;
      if (answer.ok) one.fields.step_id = answer.step_id;
      else drop(one.once);
    }
    if (answer.ok) doneTaps.set(tap.once, answer.step_id);
    else if (answer.code === "courier_link_unknown") return gone(answer);
    else notice(explain(answer), "bad");
    // What was asked for before it may be older than what it brought.
    askForPage();
    if (answer.page) known(answer.page);
    else look();
  },
  changed(many, failed) {
    if (failed && many) {
      wasKept = true;
      reach(false);
    } else if (!many && wasKept) {
      wasKept = false;
      notice(say("sent_late"));
    }
    strip();
  },
});

function reach(is) {
  reached = is;
  strip();
}

function strip() {
  const many = waiting().length;
  const away = !reached || !navigator.onLine;
  const words = away ? [say("offline"), many ? say(many === 1 ? "kept.one" : "kept.other", { n: many }) : ""].join(" ").trim() : "";
  byId("strip").hidden = !words;
  if (byId("strip").textContent !== words) byId("strip").textContent = words;
}

let noticeTimer = 0;
function notice(words, tone = "ok") {
  const place = byId("notice");
  place.textContent = words;
  place.dataset.tone = tone;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => (place.textContent = ""), 6_000);
}

// Looking: what the server says counts; asked for when it says that something changed, and now and then to be sure.
async function ask(path, body) {
  const answer = await fetch(`${BASE}/${path}`, {
    method: body ? "POST" : "GET", cache: "no-store", signal: AbortSignal.timeout?.(PATIENCE_MS),
    headers: { Accept: "application/json", ...(body ? { "Content-Type": "application/json" } : {}) }, body: body && JSON.stringify(body),
  });
  return { ok: answer.ok, status: answer.status, told: await answer.json() };
}

let looking = null;
let again = false;
function look() {
  if (looking) again = true;
  else looking = lookOnce().finally(() => {
    looking = null;
    if (again) {
      again = false;
      look();
    }
  });
  return looking;
}

async function lookOnce() {
  const isLatest = askForPage();
  let answer;
  try {
    answer = await ask("page");
  } catch {
    return reach(false);
  }
  if (answer.status === 401) return askPin();
  if (answer.status === 404) return gone(answer.told);
  if (!answer.ok) return reach(answer.status === 429);
  reach(true);
  // Otherwise a tap was answered meanwhile.
  if (isLatest()) known(answer.told);
  else again = true;
  if (!stream) follow();
}

function follow() {
  stream = new EventSource(`${BASE}/live`);
  stream.addEventListener("page", (event) => {
    reach(true);
    send();
    if (JSON.parse(event.data).version !== page?.version) look();
  });
  stream.addEventListener("error", () => {
    if (stream?.readyState !== EventSource.CLOSED) return;
    stream = null;
    setTimeout(look, STREAM_AGAIN_MS);
  });
}

// The PIN: once in a while, and whenever the link or the PIN is a new one. What was tapped waits for it.
function askPin() {
  stream?.close();
  stream = null;
  page = null;
  drawn = "";
  remember();
  byId("page").replaceChildren();
  byId("undo").replaceChildren();
  if (!byId("enter").hidden) return;
  byId("enter").hidden = false;
  byId("pin").focus();
}

byId("enter").addEventListener("submit", async (event) => {
  event.preventDefault();
  const [field, wrong] = [byId("pin"), byId("pin-wrong")];
  wrong.textContent = "";
  try {
    const answer = await ask("enter", { pin: field.value.trim() });
    field.value = "";
    if (answer.status === 404) return gone(answer.told);
    if (!answer.ok) {
      wrong.textContent = explain(answer.told);
      return field.focus();
    }
  } catch {
    wrong.textContent = say("offline");
    return;
  }
  await look();
  send();
  byId("page").focus();
});

// The link was revoked: nothing of anybody stays on this phone.
async function gone(told) {
  stream?.close();
  stream = null;
  page = null;
  drawn = "";
  remember();
  dropAll();
  byId("enter").hidden = true;
  byId("undo").replaceChildren();
  byId("page").replaceChildren(el("section", { class: "shift" }, el("h1", {}, say("problem")), el("p", {}, explain(told))));
  for (const name of (await globalThis.caches?.keys()) ?? []) {
    if (name.startsWith("tablegram-courier-")) await (await caches.open(name)).delete(location.href.split("#")[0]);
  }
}

byId("reason").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  byId("why").close("*");
});

document.addEventListener("pointerdown", () => (held = true));
for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => setTimeout(() => { held = false; draw(); }, 60));
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look());
addEventListener("online", () => { strip(); look(); });
addEventListener("offline", strip);
setInterval(() => { forget(); draw(); }, 5_000);
setInterval(() => document.visibilityState === "visible" && page && look(), SURE_MS);

// Kept on the phone, so that it opens where the network does not reach.
async function startWorker() {
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  try {
    await navigator.serviceWorker.register("/courier/worker.js", { scope: "/courier/" });
    await navigator.serviceWorker.ready;
    const [, edition] = /static\/(\w+)\//.exec(import.meta.url);
    const store = await caches.open(`tablegram-courier-${edition}`);
    const address = location.href.split("#")[0];
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    if (answer.ok) await store.put(address, answer);
    document.documentElement.dataset.kept = "yes";
  } catch {
    // Without it the page works as long as there is a network.
  }
}

forget();
draw();
look();
startWorker();
