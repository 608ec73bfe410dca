import { cart, changed, inStep, keep, onCart, total } from "./cart.js";
import { price, standing } from "./catalogue.js";
import { byId, el, notice } from "./elements.js";
import { isNotBrought } from "./bringing.js";
import { openOrderForm } from "./order_form.js";
import { onOrdered, reread, save } from "./saving.js";
import { leave } from "./sheets.js";
import { drawWaiting, onRefused, orderOrKeep, startWaiting } from "./waiting.js";
import { call, mayOpen, ownLink } from "./wire.js";
import { facts, say } from "./words.js";

const LOOK_MS = 3000;
const LOOK_FOR_MS = 15 * 60 * 1000;
const ROUND_MS = 5000;
const SURE_ROUNDS = 12;
// An order that is over stays in sight for a while.
const SHOWN_MS = 30 * 60 * 1000;
let looking = null;
// Whether this phone may open what the cart is sent with; nothing while that is not known.
const way = { opens: null, asking: null };

const ready = () => inStep() && !cart.view.troubles.length && cart.lines.length > 0 && !cart.refused;

// What can be done with the cart: send it with the app, or order right here. What has the same key does the same.
export function drawSending() {
  if (!cart.lines.length) return [];
  const blocked = !standing.takes_orders || needsTable() || Boolean(cart.view?.troubles.length) || Boolean(cart.refused) || isNotBrought();
  const words = say("send_for", { price: price(inStep() ? total() : 0) });
  const link = inStep() && way.opens !== false ? ownLink(cart.view.link) : null;
  let send = null;
  if (link && way.opens && ready() && !blocked) {
    send = el("a", { class: "primary", "data-key": "link", href: link, target: "_blank", rel: "noopener", onclick: () => sent() }, words);
  } else if (link || (!inStep() && way.opens !== false)) {
    send = el("button", { type: "button", class: "primary", "data-key": "send", disabled: blocked, onclick: sendWhenSaved },
      inStep() ? words : say("send"));
  }
  // Where there is no app to send with, or this phone may not open it, this is the one way.
  const kind = send ? "secondary" : "primary";
  const here = el("button", { type: "button", class: kind, "data-key": "here", disabled: blocked, onclick: orderHere }, say("order_here"));
  const told = cart.sent_ms ? el("p", { class: "waiting", role: "status", "data-key": "told" }, say("waiting_for_message")) : null;
  const waiting = drawWaiting(orderHere);
  if (waiting) waiting.dataset.key = "waiting";
  return [waiting, needsTable() ? askTable() : null, send, here, told].filter(Boolean);
}

const orderHere = () => openOrderForm(orderOrKeep);

// Asked as soon as there is something to send; without an answer it is asked again.
async function askWay() {
  const link = cart.view?.link;
  if (!link || way.opens !== null) return way.opens;
  way.asking ??= mayOpen(link).then((opens) => Object.assign(way, { opens, asking: null }));
  await way.asking;
  if (way.opens !== null) changed();
  return way.opens;
}

async function sendWhenSaved() {
  if ((await save()) && (await askWay()) && ready()) {
    sent();
    location.assign(ownLink(cart.view.link));
  } else if (way.opens === false) {
    orderHere();
  } else if (!inStep() || way.opens === null) {
    notice(say("kept_for_later"), "bad");
  }
}

function sent() {
  cart.sent_ms = Date.now();
  keep();
  // Redrawn a moment later, so that the tap still reaches the link it was meant for.
  setTimeout(changed, 300);
  look();
}

// The message takes its own way to the restaurant; we see here when it has become an order.
export function look() {
  clearTimeout(looking);
  if (!cart.sent_ms || Date.now() - cart.sent_ms > LOOK_FOR_MS) return;
  looking = setTimeout(async () => {
    if (document.visibilityState === "visible") await reread();
    look();
  }, LOOK_MS);
}

const needsTable = () => cart.order_type === "dine_in" && !facts.table;

// Without a code's table the guest says it themselves; the page opens again there, and the cart comes along.
let asking = null;

function askTable() {
  // Who may not say it is not asked.
  if (facts.venue.needs_code) return el("p", { class: "waiting", "data-key": "scan" }, say("problem.table_needed"));
  // Drawn once: what is being typed stays.
  if (asking) return asking;
  const along = Object.entries({ venue: facts.place.venue, lang: facts.language });
  const hidden = along.map(([name, value]) => el("input", { type: "hidden", name, value }));
  asking = el("form", { class: "ask-table", "data-key": "table", method: "get", action: location.pathname },
    el("label", { for: "table" }, say("which_table")), ...hidden,
    el("div", { class: "row" },
      el("input", { id: "table", name: "table", required: true, maxlength: "40", autocomplete: "off" }),
      el("button", { class: "secondary" }, say("sit_here"))));
  return asking;
}

// At this page's own address, and in its language.
function statusLink(order) {
  const { pathname } = new URL(order.status_url, location.href);
  return `${pathname}?lang=${facts.language}`;
}

// What its own page is called by.
const tokenOf = (order) => decodeURIComponent(new URL(order.status_url, location.href).pathname.split("/").pop());

// The newest order, always in sight, with a way to its own page.
function drawOrders() {
  const box = byId("orders");
  const shown = cart.orders.filter((order) => !order.over_ms || Date.now() - order.over_ms < SHOWN_MS).slice(0, 3);
  box.hidden = shown.length === 0;
  box.replaceChildren(...shown.map((order) => el("a", { class: `placed state-${order.status}`, href: statusLink(order) },
    el("strong", {}, order.order_id), el("span", {}, say(`status.${order.status}`)))));
}

const CLOSED = ["completed", "cancelled", "rejected", "expired"];

// Somebody at the table may take it into their own order.
const mayBeTaken = () => Boolean(facts.table && cart.code) && cart.lines.length > 0 && !cart.dirty;
let rounds = 0;

const living = () => cart.orders.filter((order) => !CLOSED.includes(order.status)).slice(0, 3);

// The orders that the page's stream tells of.
export const followed = () => living().map(tokenOf);

export function heardOf(token, status) {
  const order = living().find((one) => tokenOf(one) === token);
  if (order) movedOn(order, status);
}

function movedOn(order, status) {
  if (status === order.status) return;
  order.status = status;
  if (CLOSED.includes(status)) order.over_ms = Date.now();
  notice(`${order.order_id}: ${say(`status.${status}`)}`);
  changed();
}

async function askForOrders() {
  for (const order of living()) {
    const before = order.status;
    try {
      const { status } = await call("GET", new URL(order.status_url, location.href).pathname);
      // The stream may have told more meanwhile.
      if (order.status === before) movedOn(order, status);
    } catch {
      // It is asked again in a moment.
    }
  }
}

// The stream tells how orders go on. Where there is none they are asked for; and now and then all the same, to be sure.
async function followOrders() {
  if (document.visibilityState === "visible") {
    const isTold = document.documentElement.dataset.live === "yes";
    if (!isTold || rounds % SURE_ROUNDS === 0) await askForOrders();
    if (rounds++ % 2 && mayBeTaken()) await reread();
  }
  setTimeout(followOrders, ROUND_MS);
}

export function startSending() {
  onOrdered((order) => {
    clearTimeout(looking);
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    // It is paid on its own page, and the kitchen waits for that.
    if (order.status === "awaiting_payment") return leave(statusLink(order));
    notice(say("order_received", { order: order.order_id }), "good");
    byId("orders").scrollIntoView({ block: "center" });
  });
  // Not over a dish that is being looked at: the bar says it too.
  onRefused(() => {
    const others = document.querySelectorAll("dialog[open]:not(.cart)");
    if (cart.refusal.errors.length && !others.length) orderHere();
  });
  startWaiting();
  onCart(drawOrders);
  onCart(askWay);
  drawOrders();
  askWay();
  look();
  followOrders();
}
