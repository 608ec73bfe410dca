// The board: orders arrive by themselves, ring until somebody touches them, and move on with one tap.
import { refresh } from "./live.js";
import { toast } from "./toast.js";
import { ringing, silent } from "./ringing.js";

const said = JSON.parse(document.getElementById("board-words").textContent);
const board = document.getElementById("board");
// The server's clock is what orders were stamped with; a tablet's may be minutes off.
const ahead = Number(document.documentElement.dataset.now) - Date.now();
// Cards that were tapped, and when the server had the tap: what was asked for before then knows nothing of it.
const sending = new Map();

// What somebody has touched does not ring. The first visit of a browser begins in silence.
const SEEN = "tablegram-board-seen";
const MOST_SEEN = 1000;
const keys = () => [...board.querySelectorAll("[data-key]")].map((one) => one.dataset.key);
let seen = new Set(read(SEEN) ?? keys());

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

function remember() {
  // Also what this view does not show: another station's orders do not ring again when all are looked at.
  seen = new Set([...seen].slice(-MOST_SEEN));
  try {
    localStorage.setItem(SEEN, JSON.stringify([...seen]));
  } catch {
    // A browser that keeps nothing still shows the board.
  }
}

// Whoever works by keys stays at the order they were at; where it is gone, at the one in its place.
let leading = false;
function keepingFocus(change) {
  const card = document.activeElement?.closest("#board [data-key]");
  const at = card && { key: card.dataset.key, list: card.parentElement, place: [...card.parentElement.children].indexOf(card) };
  change();
  if (!at || document.activeElement?.closest("#board [data-key]")) return;
  const now = board.querySelector(`[data-key="${CSS.escape(at.key)}"]`) ?? at.list.children[at.place] ?? at.list.lastElementChild;
  // The one in its place has not been looked at by that.
  leading = now?.dataset.key !== at.key;
  (now?.querySelector("[data-act] button") ?? now?.querySelector("a, button"))?.focus({ preventScroll: true });
  leading = false;
}
// A key that is held down acts once: what it did may have brought another button below it.
board.addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter" && event.target.closest("[data-act]")) event.preventDefault();
});

function touch(card) {
  if (leading || !card || seen.has(card.dataset.key)) return;
  seen.add(card.dataset.key);
  delete card.dataset.new;
  hint();
  remember();
  if (!board.querySelector("[data-key][data-new]")) silent();
}

function mark() {
  let fresh = 0;
  for (const card of board.querySelectorAll("[data-key]")) {
    const isNew = !seen.has(card.dataset.key) && (card.matches(".ring") || ["awaiting_confirmation", "sent_to_kitchen"].includes(card.dataset.state));
    if (isNew) fresh += 1;
    card.toggleAttribute("data-new", isNew);
  }
  hint();
  remember();
  if (fresh) ringing();
  else silent();
}

// A new card may be out of sight, further down or in another column: its column says so.
function hint() {
  for (const list of board.querySelectorAll(".column [data-list]")) {
    const some = Boolean(list.querySelector("[data-new]"));
    board.querySelectorAll(`[data-count-of="${list.dataset.list}"]`).forEach((one) => one.toggleAttribute("data-new", some));
  }
  watchNew();
}

// What is new and out of sight has a button at the foot of the screen, one for each column, which leads to it.
const unseen = new Set();
const sight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) isIntersecting ? unseen.delete(target) : unseen.add(target);
  pointTo();
  // The upper edge of a card alone tells nobody what is on it.
}, { rootMargin: "0px 0px -72px 0px" });

function watchNew() {
  const fresh = board.querySelectorAll(".ticket[data-new]");
  for (const card of unseen) if (!card.isConnected || !("new" in card.dataset)) unseen.delete(card);
  sight.disconnect();
  fresh.forEach((card) => sight.observe(card));
  pointTo();
}

const firstNew = (column) => [...column.querySelectorAll(".ticket[data-new]")].sort((one, other) => unseen.has(other) - unseen.has(one))[0];

function pointTo() {
  const place = document.getElementById("to-new");
  for (const column of board.querySelectorAll(".column")) {
    const many = [...unseen].filter((card) => column.contains(card)).length;
    const known = place.querySelector(`[data-column="${column.dataset.column}"]`);
    if (!many) {
      known?.remove();
      continue;
    }
    const button = known ?? place.appendChild(Object.assign(document.createElement("button"), { type: "button" }));
    button.dataset.column = column.dataset.column;
    const name = column.querySelector("h2").firstChild.textContent.trim();
    const top = firstNew(column).getBoundingClientRect().top;
    put(button, `${said.new_below.replace("{column}", name).replace("{n}", many)} ${top < 0 ? "↑" : "↓"}`);
  }
}

// Time goes on without the server.
function tick() {
  const now = Date.now() + ahead;
  const again = [];
  for (const card of board.querySelectorAll("[data-created]")) {
    const minutes = Math.max(0, Math.floor((now - Number(card.dataset.created)) / 60000));
    const hours = minutes >= 100;
    put(card.querySelector("[data-minutes]"), String(hours ? Math.floor(minutes / 60) : minutes));
    put(card.querySelector("[data-unit]"), hours ? said.hours : said.min);
    if (card.dataset.expires) put(card.querySelector("[data-left]"), said.expires_in.replace("{n}", Math.max(0, Math.floor((Number(card.dataset.expires) - now) / 60000))));
    if (!card.dataset.late || card.dataset.tone === "still") continue;
    const tone = now >= Number(card.dataset.late) ? "red" : now >= Number(card.dataset.promised) ? "amber" : "calm";
    if (tone !== card.dataset.tone && card.dataset.expires && tone !== "calm") again.push(card);
    card.dataset.tone = tone;
  }
  // An order that nobody has accepted rings again when it turns urgent, although somebody has looked at it.
  if (!again.length) return;
  again.forEach((card) => seen.delete(card.dataset.key));
  mark();
}

function put(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

// New markup is put in place card by card, and never while a finger is down: a tap must hit what was seen.
let held = false;
let later = null;

board.addEventListener("arriving", (event) => {
  event.preventDefault();
  if (held) later = event.detail;
  else settle(event.detail);
});

const settle = (arrived) => keepingFocus(() => putInPlace(arrived));

function putInPlace({ html, asked }) {
  later = null;
  for (const [key, had] of sending) if (had <= asked) sending.delete(key);
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const known = new Map([...board.querySelectorAll("[data-key]")].map((card) => [card.dataset.key, card]));
  for (const list of fresh.content.querySelectorAll("[data-list]")) {
    const here = board.querySelector(`[data-list="${list.dataset.list}"]`);
    const wanted = [...list.children].filter((card) => !sending.has(card.dataset.key)).map((card) => {
      const old = known.get(card.dataset.key);
      // What the page has as it is comes without its words, and the card that is there stays.
      return old && old.dataset.mark === card.dataset.mark ? old : card;
    });
    const kept = new Set(wanted);
    for (const card of [...here.children]) if (!kept.has(card) && !sending.has(card.dataset.key)) card.remove();
    wanted.forEach((card, place) => {
      const now = [...here.children].filter((one) => !sending.has(one.dataset.key))[place];
      if (now !== card) here.insertBefore(card, now ?? null);
    });
  }
  counts();
  mark();
  tick();
}

function counts() {
  for (const list of board.querySelectorAll(".column [data-list]")) {
    const many = String(list.querySelectorAll(".ticket").length);
    board.querySelectorAll(`[data-count-of="${list.dataset.list}"]`).forEach((one) => put(one, many));
  }
  put(board.querySelector('[data-count-of="paying"]'), String(board.querySelectorAll('[data-list="paying"] > *').length));
}

document.addEventListener("pointerdown", (event) => {
  held = true;
  touch(event.target.closest?.("#board [data-key]"));
});
for (const name of ["pointerup", "pointercancel"]) {
  document.addEventListener(name, () => setTimeout(() => {
    held = false;
    if (later !== null) settle(later);
  }, 60));
}
board.addEventListener("focusin", (event) => touch(event.target.closest("[data-key]")));

// One tap: the card goes at once, and comes back where it was when somebody else was faster.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-act]")) return;
  event.preventDefault();
  act(form, event.submitter);
});

async function act(form, button) {
  const card = form.closest("#board [data-key]");
  const key = card?.dataset.key;
  if (key && sending.has(key)) return;
  if (form.dataset.sent) return;
  form.dataset.sent = "1";
  const body = new URLSearchParams(new FormData(form, button ?? undefined));
  const undo = card ? advance(card, form) : () => {};
  if (key) sending.set(key, Infinity);
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
    if (answer.status === 401) return location.assign((await answer.json()).location);
    const told = await answer.json().catch(() => ({}));
    if (!answer.ok) {
      sending.delete(key);
      undo();
      toast(told.detail ?? said.failed, "bad");
    } else {
      document.getElementById("sheet")?.close();
      if (told.toast) toast(told.toast);
    }
  } catch {
    sending.delete(key);
    undo();
    toast(said.no_line, "bad");
  } finally {
    delete form.dataset.sent;
    if (sending.has(key)) sending.set(key, performance.now());
    delete card?.dataset.sending;
    refresh(board);
  }
}

function advance(card, form) {
  const home = card.parentElement;
  const next = card.nextElementSibling;
  card.dataset.sending = "1";
  const goal = form.dataset.to && board.querySelector(`.column [data-list="${form.dataset.to}"]`);
  keepingFocus(() => {
    if (goal) goal.prepend(card);
    else if (form.hasAttribute("data-answers")) card.remove();
  });
  counts();
  return () => {
    delete card.dataset.sending;
    // The cards around it may be others by now; the next look puts it right.
    keepingFocus(() => home.insertBefore(card, next?.parentElement === home ? next : null));
    counts();
  };
}

// Columns on small screens: a phone shows one of them, a tablet goes to it.
const COLUMN = "tablegram-board-column";
function choose(column) {
  board.dataset.column = column;
  board.querySelectorAll(".board-tabs a").forEach((tab) => {
    if (tab.dataset.column === column) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  });
}
document.addEventListener("click", (event) => {
  const tab = event.target.closest(".board-tabs a, #to-new button");
  if (!tab) return;
  event.preventDefault();
  choose(tab.dataset.column);
  sessionStorage.setItem(COLUMN, tab.dataset.column);
  const column = document.getElementById(`column-${tab.dataset.column}`);
  const fresh = firstNew(column);
  (fresh ?? column).scrollIntoView({ inline: "nearest", block: fresh ? "center" : "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
});
const filled = [...board.querySelectorAll(".column")].find((column) => column.querySelector(".ticket"));
choose(sessionStorage.getItem(COLUMN) ?? filled?.dataset.column ?? "new");

mark();
tick();
setInterval(tick, 1000);
