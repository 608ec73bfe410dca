import { cart, changed, inStep, keep, onCart, total } from "./cart.js";
import { price, standing } from "./catalogue.js";
import { byId, el, notice, sheet } from "./elements.js";
import { cartPath, onOrdered, ordered, reread, save } from "./saving.js";
import { call } from "./wire.js";
import { explain, facts, say } from "./words.js";

const LOOK_MS = 3000;
const LOOK_FOR_MS = 15 * 60 * 1000;
// An order that is over stays in sight for a while.
const SHOWN_MS = 30 * 60 * 1000;
// A kept order: a network that is back may still lose the first request, and a server's trouble ends without a sign.
const AGAIN_MS = 5000;
// Who waited longer than this may have eaten elsewhere: he is asked to send it himself.
const WAITS_MS = 15 * 60 * 1000;
let looking = null;
let again = null;

const ready = () => inStep() && !cart.view.troubles.length && cart.lines.length > 0 && !cart.refused;

// What can be done with the cart: send it with the app, or order right here.
export function drawSending(close) {
  const place = el("div", { class: "sending" });
  if (!cart.lines.length) return place;
  const blocked = !standing.takes_orders || needsTable() || Boolean(cart.view?.troubles.length) || Boolean(cart.refused);
  if (needsTable()) place.append(askTable());
  const words = say("send_for", { price: price(inStep() ? cart.view.total : 0) });
  if (ready() && cart.view.link && !blocked) {
    const { link } = cart.view;
    place.append(el("a", { class: "primary", href: link, target: "_blank", rel: "noopener", onclick: () => sent() }, words));
  } else if (!inStep() || cart.view.link) {
    place.append(el("button", { type: "button", class: "primary", disabled: blocked, onclick: sendWhenSaved },
      inStep() ? words : say("send")));
  }
  // Where there is no app to send with, this is the one way.
  const kind = inStep() && !cart.view.link ? "primary" : "secondary";
  const order = () => orderHere(close);
  place.append(el("button", { type: "button", class: kind, disabled: blocked, onclick: order }, say("order_here")));
  if (cart.waiting_order) {
    place.prepend(el("div", { class: "waiting" }, el("p", { role: "status" }, say("order_waits_hint")),
      el("button", { type: "button", class: "link", onclick: () => withdraw("order_withdrawn") }, say("order_withdraw"))));
  }
  if (cart.sent_ms) place.append(el("p", { class: "waiting", role: "status" }, say("waiting_for_message")));
  return place;
}

function withdraw(why) {
  clearTimeout(again);
  cart.waiting_order = null;
  changed();
  notice(say(why), "", 8000);
  // Its answer may have been lost only; then it is there, and shows.
  reread();
}

async function sendWhenSaved() {
  if ((await save()) && ready() && cart.view.link) {
    const { link } = cart.view;
    sent();
    location.assign(link);
  } else if (!inStep()) {
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

// Without a code's table the guest says it himself; the page opens again there, and the cart comes along.
let asking = null;

function askTable() {
  // Who may not say it is not asked.
  if (facts.venue.needs_code) return el("p", { class: "waiting" }, say("problem.table_needed"));
  // Drawn once: what is being typed stays.
  if (asking) return asking;
  const along = Object.entries({ venue: facts.place.venue, lang: facts.language });
  const hidden = along.map(([name, value]) => el("input", { type: "hidden", name, value }));
  asking = el("form", { class: "ask-table", method: "get", action: location.pathname },
    el("label", { for: "table" }, say("which_table")), ...hidden,
    el("div", { class: "row" },
      el("input", { id: "table", name: "table", required: true, maxlength: "40", autocomplete: "off" }),
      el("button", { class: "secondary" }, say("sit_here"))));
  return asking;
}

function field(name, attributes) {
  const input = el(attributes.rows ? "textarea" : "input", { id: `order-${name}`, name, ...attributes });
  const wrong = el("p", { class: "wrong", id: `order-${name}-wrong` });
  const need = attributes.required ? null : el("small", {}, say("optional"));
  const label = el("label", { for: `order-${name}` }, say(`order.${name}`), need);
  return el("div", { class: "field", "data-field": name }, label, input, wrong);
}

function askPayment(methods) {
  const choices = methods.map((value, at) => el("label", { class: "choice" },
    el("input", { type: "radio", name: "payment_method", value, checked: at === 0 }), el("span", {}, say(`payment.${value}`))));
  return el("fieldset", { class: "types" }, el("legend", {}, say("order.payment_method")), ...choices);
}

function orderHere(close) {
  const { body, foot, dialog, close: closeForm } = sheet("order", say("order_here"));
  const type = cart.order_type;
  const methods = standing.payment_methods?.[type] ?? [];
  const atTable = type === "dine_in" && Boolean(facts.place.t);
  const form = el("form", { id: "order-form", novalidate: true },
    field("name", { autocomplete: "name", maxlength: "80", required: type !== "dine_in" }),
    field("phone", { type: "tel", inputmode: "tel", autocomplete: "tel", maxlength: "30", required: !atTable,
      placeholder: facts.venue.phone_example }),
    type === "delivery" && field("address", { rows: "3", autocomplete: "street-address", maxlength: "300", required: true }),
    methods.length > 1 && askPayment(methods),
    el("p", { class: "hint" }, say("order_hint")));
  const done = el("button", { class: "primary", form: "order-form" }, say("order_for", { price: price(total()) }));
  body.append(form);
  foot.append(done);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const given = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
    if (methods.length === 1) [given.payment_method] = methods;
    if (!checked(form)) return;
    done.disabled = true;
    try {
      await place(given);
      dialog.isConnected && closeForm();
      close();
    } catch (trouble) {
      if (trouble.passing) {
        // It is ordered as soon as the server answers: one cart is one order, however often it is sent.
        Object.assign(cart, { waiting_order: given, waiting_ms: Date.now() });
        changed();
        again = setTimeout(placeWaiting, AGAIN_MS);
        closeForm();
        notice(say("order_kept"), "bad");
      } else {
        done.disabled = false;
        showWrong(form, trouble);
      }
    }
  });
}

function checked(form) {
  const empty = [...form.querySelectorAll("[required]")].filter((input) => {
    const wrong = input.closest(".field").querySelector(".wrong");
    wrong.textContent = input.value.trim() ? "" : say("field_needed");
    input.setAttribute("aria-invalid", String(!input.value.trim()));
    input.setAttribute("aria-describedby", wrong.id);
    return !input.value.trim();
  });
  empty[0]?.focus();
  return empty.length === 0;
}

function showWrong(form, trouble) {
  let shown = false;
  for (const error of trouble.errors) {
    const box = form.querySelector(`[data-field="${CSS.escape(error.field)}"]`);
    if (!box) continue;
    box.querySelector(".wrong").textContent = explain(error);
    box.querySelector("input, textarea").focus();
    shown = true;
  }
  if (!shown) notice(explain(trouble), "bad");
}

async function place(given) {
  const late = !inStep() && !(await save());
  // The server has an older cart then, which is not what was ordered.
  if (cart.refused) throw Object.assign(new Error(), { ...cart.refused, errors: [] });
  if (late) throw Object.assign(new Error(), { passing: true });
  const { code } = cart;
  const order = await call("POST", cartPath("/order"), { holder: cart.holder, body: given });
  // Another try was faster, and what is in the cart now was chosen since.
  if (cart.code === code) ordered(order);
}

async function placeWaiting() {
  clearTimeout(again);
  if (!cart.waiting_order) return;
  if (Date.now() - cart.waiting_ms > WAITS_MS) {
    withdraw("order_too_late");
    return;
  }
  try {
    await place(cart.waiting_order);
  } catch (trouble) {
    if (trouble.passing) {
      again = setTimeout(placeWaiting, AGAIN_MS);
      return;
    }
    cart.waiting_order = null;
    changed();
    notice(explain(trouble), "bad");
  }
}

// The newest order, always in sight, with a way to its own page.
function drawOrders() {
  const box = byId("orders");
  const shown = cart.orders.filter((order) => !order.over_ms || Date.now() - order.over_ms < SHOWN_MS).slice(0, 3);
  box.hidden = shown.length === 0;
  box.replaceChildren(...shown.map((order) => el("a", { class: `placed state-${order.status}`, href: order.status_url },
    el("strong", {}, order.order_id), el("span", {}, say(`status.${order.status}`)))));
}

const CLOSED = ["completed", "cancelled", "rejected", "expired"];

// Somebody at the table may take it into his own order.
const mayBeTaken = () => Boolean(facts.table && cart.code) && cart.lines.length > 0 && !cart.dirty;
let rounds = 0;

async function followOrders() {
  const living = cart.orders.filter((order) => !CLOSED.includes(order.status)).slice(0, 3);
  if (document.visibilityState === "visible") {
    for (const order of living) {
      try {
        const found = await call("GET", new URL(order.status_url, location.href).pathname);
        if (found.status !== order.status) {
          order.status = found.status;
          if (CLOSED.includes(order.status)) order.over_ms = Date.now();
          notice(`${order.order_id}: ${say(`status.${order.status}`)}`);
          changed();
        }
      } catch {
        // It is asked again in a moment.
      }
    }
  }
  if (document.visibilityState === "visible" && rounds++ % 2 && mayBeTaken()) await reread();
  setTimeout(followOrders, 5000);
}

export function startSending() {
  onOrdered((order) => {
    clearTimeout(looking);
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    notice(say("order_received", { order: order.order_id }), "good");
    byId("orders").scrollIntoView({ block: "center" });
  });
  addEventListener("online", placeWaiting);
  placeWaiting();
  onCart(drawOrders);
  drawOrders();
  look();
  followOrders();
}
