import { byId, el, notice } from "./elements.js";
import { giftCard } from "./gift.js";
import { turns } from "./turns.js";
import { call, mayOpen, ownLink } from "./wire.js";
import { BASE, explain, facts, money, say } from "./words.js";

// Without a stream, and to be sure with one.
const LOOK_MS = 4000;
const SURE_MS = 30000;
const STREAM_AGAIN_MS = 3000;
const CLOSED = ["completed", "cancelled", "rejected", "expired"];
const path = `${BASE}/orders/${encodeURIComponent(facts.token)}`;
let { order } = facts;
let stream = null;
let heard = false;
let looking = null;
const ask = turns();
const askForPage = turns();

// The server draws the page; a change of the order fetches it anew and puts it in its place. Answers whether it did.
async function renew() {
  const isLatest = askForPage();
  const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store", credentials: "omit" });
  if (!answer.ok) return false;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!isLatest()) return false;
  byId("order").replaceChildren(...fresh.getElementById("order").children);
  document.title = fresh.title;
  listen();
  return true;
}

async function look() {
  clearTimeout(looking);
  const isLatest = ask();
  try {
    if (document.visibilityState === "visible") {
      const found = await call("GET", path);
      byId("offline").hidden = true;
      // What could not be drawn is still news the next time.
      if (isLatest() && JSON.stringify(found) !== JSON.stringify(order) && (await renew())) {
        order = found;
        byId("notice").textContent = say(`status.${order.status}`);
      }
    }
  } catch (trouble) {
    byId("offline").hidden = !trouble.offline;
  }
  clearTimeout(looking);
  if (!CLOSED.includes(order.status)) looking = setTimeout(look, heard ? SURE_MS : LOOK_MS);
  else stream?.close();
}

// The server tells when the order has moved on; what it is now is asked for.
function followOrder() {
  if (CLOSED.includes(order.status)) return;
  stream = new EventSource(`${path}/live`);
  stream.addEventListener("order", (event) => {
    heard = true;
    const { status, updated_ms } = JSON.parse(event.data);
    if (status !== order.status || updated_ms !== order.updated_ms) look();
  });
  stream.addEventListener("error", () => {
    // Asked for by itself until the stream is back.
    if (heard) look();
    heard = false;
    if (stream.readyState === EventSource.CLOSED) setTimeout(followOrder, STREAM_AGAIN_MS * (1 + 2 * Math.random()));
  });
}

// Back to the very place from which it was ordered, where this phone knows it.
function leadBack() {
  try {
    const place = localStorage.getItem(`tablegram-place:${order.venue.id}`);
    if (place !== null) byId("back").href = BASE + place;
  } catch {
    // The link leads to the menu in any case.
  }
}

// Who may not open the practice network's phone is not sent there.
async function leadToProof() {
  const link = document.querySelector(".prove a");
  if (!link) return;
  link.href = ownLink(link.href);
  link.parentElement.hidden = (await mayOpen(link.href)) === false;
}

// Pays what is left, or a part of it; the rest stays as it was to be paid.
function drawGift() {
  const box = byId("gift");
  if (!box) return;
  const price = (amount) => money(amount, order.currency, facts.decimals);
  const button = el("button", { class: "secondary" });
  const pay = async (wish) => {
    const done = await call("POST", `${path}/gift`, { body: wish });
    ({ order } = done);
    ask();
    await renew();
    notice(say("gift.paid", { amount: price(done.paid.amount), left: price(done.paid.gift_left) }), "good");
  };
  const { paying, venue } = order;
  const gift = giftCard({ left: paying.left, place: { venue: venue.id }, price, decimals: facts.decimals, pay,
    redraw: () => { button.textContent = gift.words(); } });
  const form = el("form", { class: "pay", novalidate: true }, gift.field, button);
  button.textContent = gift.words();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    await gift.tap();
    button.disabled = false;
  });
  box.append(form);
  box.hidden = false;
}

function listen() {
  leadBack();
  drawGift();
  leadToProof();
  for (const way of document.querySelectorAll("[data-pay]")) way.addEventListener("click", () => choose(way));
  const button = byId("cancel");
  if (!button) return;
  button.addEventListener("click", () => {
    // A second tap at the same place keeps the order: nobody cancels by accident.
    const sure = el("button", { type: "button", class: "secondary bad", onclick: cancel }, say("cancel_sure"));
    const keep = el("button", { type: "button", class: "secondary", onclick: () => {
      sure.remove();
      keep.replaceWith(button);
      button.focus();
    } }, say("cancel_keep"));
    button.replaceWith(keep, sure);
    keep.focus();
  });
}

// A new link, or money into somebody's hand.
async function choose(way) {
  way.disabled = true;
  try {
    order = await call("POST", `${path}/pay`, { body: { way: way.dataset.pay } });
    // What was asked for before is older than this.
    ask();
  } catch (trouble) {
    notice(trouble.passing ? say("pay.failed") : explain(trouble), "bad");
    way.disabled = false;
    if (trouble.passing) return;
  }
  await renew();
  byId("pay")?.focus();
}

async function cancel(event) {
  event.target.disabled = true;
  try {
    order = await call("POST", `${path}/cancel`, { body: {} });
    // What was asked for before is older than this.
    ask();
  } catch (trouble) {
    notice(trouble.passing ? say("cancel_failed") : explain(trouble), "bad");
    event.target.disabled = false;
    if (trouble.passing) return;
  }
  await renew();
}

listen();
looking = setTimeout(look, LOOK_MS);
followOrder();
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look());
