import { cart, changed, elsewhere, forgetCode, inStep, keep, lineKey, linesOf, merge, startAgain, takeOver } from "./cart.js";
import { notice } from "./elements.js";
import { call } from "./wire.js";
import { facts, say } from "./words.js";

const FIRST_RETRY_MS = 1500;
const LONGEST_RETRY_MS = 30000;
// Several taps in a row are one change.
const GATHER_MS = 250;
// Nobody expects to read this.
const TAKEN_MS = 12000;
const LOST = ["cart_unknown", "cart_expired", "cart_code_misspelt", "table_code_changed"];

let running = null;
let timer = null;
let pause = FIRST_RETRY_MS;
const asOrdered = new Set();
const ways = { late: false };

export const venue = `venue=${encodeURIComponent(facts.venue.id)}`;
export const isLate = () => ways.late;
export const cartPath = (rest = "") => `/carts/${encodeURIComponent(cart.code)}${rest}?${venue}`;

export function onOrdered(listener) {
  asOrdered.add(listener);
}

// The cart is drawn at once and saved behind the guest's back; what does not arrive is sent again.
export function saveSoon() {
  clearTimeout(timer);
  timer = setTimeout(save, GATHER_MS);
}

export function save() {
  clearTimeout(timer);
  running ??= work().finally(() => (running = null));
  return running;
}

async function work() {
  for (let attempt = 0; cart.dirty && attempt < 6; attempt += 1) {
    if (!cart.code && !cart.lines.length) return true;
    const sent = sentForm();
    try {
      const view = await send();
      // What was tapped meanwhile is sent in the next round.
      cart.dirty = sent !== sentForm() || (!cart.code && !isSame(view));
      take(view);
      cart.language = facts.language;
      if (view.order) return ordered(view.order);
      pause = FIRST_RETRY_MS;
      ways.late = false;
      changed();
    } catch (trouble) {
      if (!(await recover(trouble))) return false;
    }
  }
  return inStep();
}

const sentForm = () => JSON.stringify([cart.lines, cart.notes, cart.offers, cart.order_type, cart.place]);

// A cart that was opened before, though its answer never came, holds what was chosen then.
function isSame(view) {
  const all = (lines) => lines.map((line) => `${lineKey(line)}${line.quantity}`).sort().join();
  return all(linesOf(view)) === all(cart.lines) && view.notes === cart.notes && view.offers === cart.offers && view.order_type === cart.order_type;
}

function send() {
  const { lines, notes, offers, order_type, place, key, code, holder, revision } = cart;
  const fields = { lines, notes, offers, order_type, place, language: facts.language };
  if (!code) return call("POST", "/carts", { body: { ...fields, ...facts.place, key } });
  return call("PATCH", cartPath(), { holder, body: { ...fields, revision } });
}

function take(view) {
  cart.code = view.code;
  cart.holder = view.holder ?? cart.holder;
  cart.revision = view.revision;
  cart.base = linesOf(view);
  cart.view = view;
}

// Whether to try at once again.
async function recover(trouble) {
  if (trouble.passing) {
    ways.late = true;
    timer = setTimeout(save, pause);
    pause = Math.min(LONGEST_RETRY_MS, pause * 2);
    changed();
    return false;
  }
  if (LOST.includes(trouble.code)) {
    forgetCode();
    return true;
  }
  if (trouble.code === "text_unknown") {
    // The house asks no longer, or in other words.
    cart.offers = "";
    return true;
  }
  if (trouble.code === "dish_unknown" && takeOut(trouble.errors)) return true;
  if (trouble.code === "cart_changed" || trouble.code === "cart_ordered") return reread();
  cart.refused = { code: trouble.code, detail: trouble.detail };
  cart.dirty = false;
  changed();
  return false;
}

// What was chosen when the menu was another one: the server names the lines, in the order in which they were sent.
function takeOut(errors) {
  const gone = new Set(errors.map((one) => Number(/^lines\[(\d+)\]/.exec(one.field)?.[1])));
  const rest = cart.lines.filter((_, at) => !gone.has(at));
  if (rest.length === cart.lines.length) return false;
  cart.lines = rest;
  notice(say("dish_gone"), "", TAKEN_MS);
  changed();
  return true;
}

// Ask the server what it has, and put on top of it what was changed here and not yet saved.
export async function reread() {
  const { code } = cart;
  if (!code) return false;
  try {
    const view = await call("GET", cartPath(), { holder: cart.holder });
    // A late answer: the guest has saved or ordered since, and knows better.
    if (cart.code !== code || view.revision < cart.revision) return true;
    if (view.order) {
      ordered(view.order);
      return false;
    }
    adopt(view);
    return true;
  } catch (trouble) {
    if (cart.code !== code || !LOST.includes(trouble.code) || !cart.lines.length) return false;
    forgetCode();
    saveSoon();
    return true;
  }
}

export function adopt(view) {
  const moved = view.revision !== cart.revision;
  // Whoever takes the others' dishes along leaves their carts empty; nobody else empties them, but for the guest themselves.
  const twin = elsewhere();
  const own = twin?.code === cart.code && (twin.dirty || twin.revision >= view.revision);
  const taken = moved && !own && Boolean(facts.table) && cart.base.length > 0 && !linesOf(view).length;
  if (moved) merge(linesOf(view));
  if (moved && !cart.dirty) cart.notes = view.notes;
  take(view);
  ways.late = false;
  if (taken) {
    cart.taken = true;
    notice(say("taken"), "", TAKEN_MS);
  }
  changed();
}

export function ordered(order) {
  startAgain(order);
  for (const listener of asOrdered) listener(order);
  return false;
}

export function startSaving() {
  addEventListener("online", () => {
    pause = FIRST_RETRY_MS;
    save();
  });
  addEventListener("pagehide", () => elsewhere() || keep());
  addEventListener("storage", takeOver);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible") return;
    takeOver();
    cart.dirty ? save() : reread();
  });
  // The text that is sent and the words about dishes are the server's: it hears of another language first of all.
  if (cart.code && cart.language !== facts.language) cart.dirty = true;
  if (cart.dirty) save();
  else reread();
}
