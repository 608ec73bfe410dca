// A station's display: the oldest first, moved on by taps, keys and bump bars; it goes on without a connection.
import { refresh } from "./live.js";
import { ringing, silent } from "./ringing.js";
import { drop, listenToTaps, put, waiting } from "./taps.js";
import { toast } from "./toast.js";

const said = JSON.parse(document.getElementById("board-words").textContent);
const root = document.getElementById("kitchen");
const grid = () => root.querySelector(".kt-grid");
const tickets = () => [...grid().querySelectorAll(".kt:not([hidden])")];
const ahead = Number(document.documentElement.dataset.now) - Date.now();
const UNDO_MS = 10_000;
const MOST_UNDO = 3;

// Large, or as many as the screen holds.
const DENSITY = "tablegram-kitchen-large";
const density = document.querySelector("[data-density]");
function setDensity(large) {
  root.toggleAttribute("data-large", large);
  density.setAttribute("aria-pressed", String(large));
  fit();
}
density.addEventListener("click", () => {
  const large = !root.hasAttribute("data-large");
  localStorage.setItem(DENSITY, large ? "1" : "");
  setDensity(large);
});

// No row stays empty while a ticket has lines to show; an opened ticket takes a column.
function rows() {
  const style = getComputedStyle(grid());
  const most = Number(style.getPropertyValue("--rows")) || 1;
  const all = tickets();
  const open = all.filter((one) => one.hasAttribute("data-open")).length;
  const columns = style.gridTemplateColumns.split(" ").length - open;
  const needed = columns > 0 ? Math.ceil((all.length - open) / columns) : most;
  grid().style.setProperty("--fit", String(Math.min(most, Math.max(1, needed))));
}

// What does not fit is counted; opened, a ticket shows all of it and each line can be tapped.
function fit() {
  const large = root.hasAttribute("data-large");
  rows();
  tickets().forEach((ticket, place) => {
    text(ticket.querySelector(".kt-key"), place < 9 ? String(place + 1) : "");
    const list = ticket.querySelector(".kt-lines");
    const more = ticket.querySelector("[data-more]");
    const open = large || ticket.hasAttribute("data-open");
    list.inert = !open;
    more.hidden = true;
    if (open) {
      more.hidden = large;
      text(more, said.less);
      return;
    }
    if (list.scrollHeight <= list.clientHeight + 1) return;
    more.hidden = false;
    const end = list.getBoundingClientRect().bottom;
    text(more, said.more.replace("{n}", [...list.children].filter((one) => one.getBoundingClientRect().bottom > end + 1).length));
  });
}

function text(element, words) {
  if (element && element.textContent !== words) element.textContent = words;
}

// Time goes on without the server.
function tick() {
  const now = Date.now() + ahead;
  for (const ticket of tickets()) {
    const minutes = Math.max(0, Math.floor((now - Number(ticket.dataset.created)) / 60000));
    text(ticket.querySelector("[data-minutes]"), String(minutes >= 100 ? Math.floor(minutes / 60) : minutes));
    text(ticket.querySelector("[data-unit]"), minutes >= 100 ? said.hours : said.min);
    ticket.dataset.tone = now >= Number(ticket.dataset.late) ? "red" : now >= Number(ticket.dataset.promised) ? "amber" : "calm";
  }
}

// What a tap does is seen at once, whatever the connection does.
function show(tap) {
  const ticket = grid().querySelector(`.kt[data-key="${tap.order}"]`);
  if (!ticket) return;
  const [action, line] = tap.fields.tap.split(":");
  ticket.dataset.sending = "1";
  const lines = [...ticket.querySelectorAll(".kt-line:not(.kt-foreign)")].filter((one) => !line || one.dataset.line === line);
  const after = { start: "cooking", finish: "done", recall: "cooking" }[action];
  for (const one of lines) {
    if (action === "start" && one.dataset.state !== "waiting") continue;
    one.dataset.state = after;
    text(one.querySelector(".kt-mark"), { cooking: "◐", done: "✓" }[after]);
  }
  const states = [...ticket.querySelectorAll(".kt-line:not(.kt-foreign)")].map((one) => one.dataset.state);
  ticket.dataset.state = states.every((one) => one === "done") ? "done" : states.every((one) => one === "waiting") ? "waiting" : "cooking";
  ticket.querySelector(".kt-start")?.toggleAttribute("hidden", ticket.dataset.state !== "waiting");
  ticket.hidden = ticket.dataset.state === "done";
}

function tapped(order, url, station, what, place) {
  const [action, line] = what.split(":");
  const tap = { url, order, place, fields: { tap: what, station } };
  tap.once = put(tap);
  show(tap);
  offerUndo(tap, said[`did_${action}`].replace("{place}", place), line);
  fit();
  silence();
}

// Ten seconds to think better of it.
const undos = document.getElementById("undo");
function offerUndo(tap, words) {
  const row = document.createElement("p");
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: said.undo });
  row.append(Object.assign(document.createElement("span"), { textContent: words }), button);
  row.dataset.once = tap.once;
  undos.append(row);
  while (undos.children.length > MOST_UNDO) undos.firstChild.remove();
  setTimeout(() => row.remove(), UNDO_MS);
  button.addEventListener("click", () => {
    row.remove();
    if (drop(tap.once)) return again(tap.order);
    put({ url: `${tap.url}/undo`, order: tap.order, place: tap.place, undoes: tap.once, fields: { tap_id: done.get(tap.once) ?? "" } });
  });
}
// The taps that the server has, by their keys.
const done = new Map();
// Tickets that were tapped, and when the server had it: what was asked for before then knows nothing of it.
const tappedAt = new Map();

function again(order) {
  const ticket = grid().querySelector(`.kt[data-key="${order}"]`);
  // Another mark than any that there is: the server draws it again.
  if (ticket) ticket.dataset.mark = "0";
  tappedAt.set(order, performance.now());
  delete ticket?.dataset.sending;
  refresh(root);
}

let wasKept = false;
listenToTaps({
  settled(tap, answer) {
    if (answer.tap_id && !tap.undoes) {
      done.set(tap.once, answer.tap_id);
      for (const one of waiting()) if (one.undoes === tap.once) one.fields.tap_id = answer.tap_id;
    }
    if (!answer.ok) toast(answer.detail ?? said.failed, "bad");
    if (waiting().some((one) => one.order === tap.order)) return;
    again(tap.order);
  },
  changed(many, failed) {
    if (failed && many) {
      wasKept = true;
      text(document.getElementById("kept"), said.kept.replace("{n}", many));
    } else if (!many) {
      text(document.getElementById("kept"), "");
      if (wasKept) toast(said.sent_late);
      wasKept = false;
    }
  },
});

// New tickets are put in place one by one, and never while a finger is down: a tap must hit what was seen.
let held = false;
let arrived = null;
root.addEventListener("arriving", (event) => {
  event.preventDefault();
  if (held) arrived = event.detail;
  else settle(event.detail);
});

function settle({ html, asked }) {
  arrived = null;
  for (const [order, had] of tappedAt) if (had <= asked) tappedAt.delete(order);
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const known = new Map([...grid().children].map((one) => [one.dataset.key, one]));
  const pending = new Set([...tappedAt.keys(), ...waiting().map((one) => one.order)]);
  const wanted = [...fresh.content.querySelector(".kt-grid").children].map((one) => {
    const old = known.get(one.dataset.key);
    if (!old) return one;
    if (pending.has(one.dataset.key) || old.dataset.mark === one.dataset.mark) return old;
    one.toggleAttribute("data-open", old.hasAttribute("data-open"));
    return one;
  });
  const focused = document.activeElement?.closest?.(".kt")?.dataset.key;
  const kept = new Set(wanted);
  for (const one of [...grid().children]) if (!kept.has(one)) one.remove();
  wanted.forEach((one, place) => grid().children[place] !== one && grid().insertBefore(one, grid().children[place] ?? null));
  for (const name of ["counts", "bumped"]) root.querySelector(`[data-list="${name}"]`).replaceWith(fresh.content.querySelector(`[data-list="${name}"]`));
  if (focused && !document.activeElement?.closest?.(".kt")) (grid().querySelector(`.kt[data-key="${focused}"] .kt-finish`) ?? tickets()[0]?.querySelector(".kt-finish"))?.focus({ preventScroll: true });
  drawBumped();
  tick();
  fit();
  ring();
}

function drawBumped() {
  const list = document.getElementById("bumped");
  list.replaceChildren(root.querySelector('[data-list="bumped"]').content.cloneNode(true));
  document.getElementById("bumped-none").hidden = list.children.length > 0;
}

document.addEventListener("pointerdown", () => (held = true));
for (const name of ["pointerup", "pointercancel"]) {
  document.addEventListener(name, () => setTimeout(() => {
    held = false;
    if (arrived !== null) settle(arrived);
  }, 60));
}

// A ticket that nobody has begun rings until somebody touches the screen.
let heard = new Set(tickets().map((one) => one.dataset.key));
function ring() {
  const fresh = tickets().filter((one) => !heard.has(one.dataset.key));
  fresh.forEach((one) => one.setAttribute("data-new", ""));
  heard = new Set([...heard, ...tickets().map((one) => one.dataset.key)].slice(-1000));
  if (fresh.length) ringing();
}
function silence() {
  grid().querySelectorAll("[data-new]").forEach((one) => one.removeAttribute("data-new"));
  silent();
}
document.addEventListener("pointerdown", silence);

const placeOf = (ticket) => ticket.querySelector(".kt-place").textContent.trim().replace(/\s+/g, " ");

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.matches("[data-tap]") && !event.submitter?.hasAttribute("data-accept")) {
    event.preventDefault();
    const ticket = form.closest(".kt");
    const order = form.getAttribute("action").split("/").pop();
    const place = ticket ? placeOf(ticket) : form.closest("li").querySelector("b").textContent.trim();
    tapped(order, form.getAttribute("action"), form.elements.station.value, event.submitter?.value || "finish", place);
    form.closest("dialog")?.close();
  } else if (form.matches("[data-sells]")) {
    event.preventDefault();
    await sell(form);
  } else if (event.submitter?.hasAttribute("data-accept")) {
    event.preventDefault();
    const ticket = form.closest(".kt");
    put({ url: event.submitter.getAttribute("formaction"), order: ticket.dataset.key, fields: {} });
  }
});

async function sell(form) {
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { Accept: "application/json" } });
    const told = await answer.json().catch(() => ({}));
    toast(told.toast ?? told.detail ?? said.failed, answer.ok ? "ok" : "bad");
    await drawDishes();
  } catch {
    toast(said.failed, "bad");
  }
}

async function drawDishes() {
  const list = document.getElementById("dish-list");
  const address = new URL(list.dataset.from, location.href);
  address.searchParams.set("part", "dishes");
  try {
    const answer = await fetch(address);
    if (answer.ok) list.innerHTML = await answer.text();
    else list.textContent = said.load_failed;
  } catch {
    list.textContent = said.load_failed;
  }
}

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener?.dataset.opens === "dishes") drawDishes();
  const ticket = event.target.closest(".kt");
  if (!ticket || event.target.closest(".kt-foot, .kt-tap")) return;
  if (root.hasAttribute("data-large")) return;
  ticket.toggleAttribute("data-open");
  fit();
});

// 1 to 9 finish a ticket, with Shift they begin it; the arrows choose, Enter finishes, 0 calls back, U takes back.
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  const number = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1] ?? (/^\d$/.test(event.key) ? event.key : null);
  if (number === "0" || event.key === "Backspace") {
    event.preventDefault();
    return document.querySelector('#bumped [name="tap"]')?.click();
  }
  if (number) {
    event.preventDefault();
    const ticket = tickets()[Number(number) - 1];
    const start = event.shiftKey && ticket?.querySelector(".kt-start:not([hidden])");
    return (start || ticket?.querySelector(".kt-finish"))?.click();
  }
  if (event.key.toLowerCase() === "u") return undos.lastElementChild?.querySelector("button").click();
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const all = tickets();
  const now = all.indexOf(document.activeElement?.closest?.(".kt"));
  all[(now + step + all.length) % all.length]?.querySelector(".kt-finish").focus();
});

for (const tap of waiting()) if (tap.fields.tap) show(tap);
setDensity(localStorage.getItem(DENSITY) === "1");
drawBumped();
tick();
setInterval(tick, 1000);
addEventListener("resize", fit);
