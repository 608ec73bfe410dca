import { menu } from "./catalogue.js";
import { countsOf, unitPrice } from "./pricing.js";
import { facts } from "./words.js";

// A cart that nobody touched for so long belonged to another meal.
const LIVES_MS = 24 * 3600 * 1000;
const STORED = `tablegram-cart:${facts.venue.id}:`;
const PLACE = STORED + (facts.table ?? "");
const listeners = new Set();

export const cart = load();
rememberPlace();

function fresh() {
  return {
    key: newKey(), code: null, holder: null, revision: null, lines: [], base: [], notes: "", offers: "", order_type: facts.order_type,
    view: null, dirty: false, refused: null, sent_ms: null, orders: [], waiting_order: null, waiting_ms: null, taken: false,
    // What was typed beside the cart, why an order that was kept was not taken, and the language that the server knows.
    form: null, refusal: null, language: null, place: null, touched_ms: Date.now(),
  };
}

function newKey() {
  const letters = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...letters)).replaceAll("+", "-").replaceAll("/", "_");
}

function load() {
  const here = read(PLACE);
  // What was refused may be welcome now: the guest may have scanned the table's new code.
  if (here?.refused) return { ...here, refused: null, dirty: true };
  // Who has scanned a table's code sits there now, wherever it was to go before.
  if (here?.order_type === "delivery" && facts.place.t) return { ...here, order_type: facts.order_type, dirty: true };
  if (here) return here;
  // Somebody chose first and then said where they sit: what they chose comes along.
  const before = facts.table ? read(STORED) : null;
  if (!before?.lines.length) return fresh();
  remove(STORED);
  return { ...fresh(), lines: before.lines, notes: before.notes, dirty: true };
}

function read(name) {
  try {
    const found = JSON.parse(localStorage.getItem(name));
    return found && Date.now() - found.touched_ms < LIVES_MS ? { ...fresh(), ...found } : null;
  } catch {
    return null;
  }
}

// An order's own page leads back here with it: a table's signature stands in no other link.
function rememberPlace() {
  try {
    localStorage.setItem(`tablegram-place:${facts.venue.id}`, location.search);
  } catch {
    // The page then leads back without it.
  }
}

function remove(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

export function keep() {
  cart.touched_ms = Date.now();
  try {
    localStorage.setItem(PLACE, JSON.stringify(cart));
  } catch {
    // Private windows may refuse; the server has the cart all the same.
  }
}

// The same guest in another window, where they did something after this one was last kept.
export function elsewhere() {
  const found = read(PLACE);
  return found && found.touched_ms > cart.touched_ms ? found : null;
}

// What they did there and the server has counts here too; what is not saved yet here is put on top of it later.
export function takeOver() {
  const found = elsewhere();
  if (!found || found.dirty || cart.dirty) return;
  Object.assign(cart, found);
  for (const listener of listeners) listener();
}

export function onCart(listener) {
  listeners.add(listener);
}

export function changed() {
  keep();
  for (const listener of listeners) listener();
}

// The same thing for the kitchen: the server joins lines by the same rule.
export function lineKey(line) {
  const choices = line.choices.map((one) => `${one.option_id}*${one.quantity}`).sort();
  return JSON.stringify([line.item_id, choices, line.note]);
}

export const plain = ({ item_id, quantity, choices, note }) => ({
  item_id, quantity, choices: choices.map((one) => ({ option_id: one.option_id, quantity: one.quantity })), note,
});

export function edit(change) {
  change();
  cart.lines = join(cart.lines);
  Object.assign(cart, { dirty: true, refused: null, taken: false });
  if (!cart.lines.length) Object.assign(cart, { waiting_order: null, refusal: null });
  changed();
}

export function addLine(line) {
  edit(() => cart.lines.push(plain(line)));
}

function join(lines) {
  const joined = new Map();
  for (const line of lines) {
    if (line.quantity < 1) continue;
    const known = joined.get(lineKey(line));
    if (known) known.quantity = Math.min(99, known.quantity + line.quantity);
    else joined.set(lineKey(line), { ...line });
  }
  return [...joined.values()];
}

// Somebody else changed the cart meanwhile: what the server has, and on top of it what was changed here.
export function merge(theirs) {
  const before = new Map(cart.base.map((line) => [lineKey(line), line.quantity]));
  const result = new Map(join(theirs).map((line) => [lineKey(line), { ...line }]));
  for (const line of join([...cart.lines])) {
    const key = lineKey(line);
    const added = line.quantity - (before.get(key) ?? 0);
    before.delete(key);
    if (result.has(key)) result.get(key).quantity += added;
    else if (added > 0) result.set(key, { ...line, quantity: added });
  }
  for (const [key, quantity] of before) {
    if (result.has(key)) result.get(key).quantity -= quantity;
  }
  cart.lines = join([...result.values()]);
}

export const linesOf = (view) => [...view.lines, ...view.troubles.map((one) => one.line)].map(plain);

export const countAll = () => cart.lines.reduce((sum, line) => sum + line.quantity, 0);

export const countOf = (id) => cart.lines.reduce((sum, line) => sum + (line.item_id === id ? line.quantity : 0), 0);

// What the server says about a line; before it has answered, what the menu on this phone says.
export function amountOf(line) {
  const key = lineKey(line);
  const known = cart.view?.lines.find((one) => lineKey(plain(one)) === key);
  if (known) return known.unit_price * line.quantity;
  const item = menu.items.get(line.item_id);
  return item ? unitPrice(item, countsOf(line.choices)) * line.quantity : 0;
}

export function problemsOf(line) {
  const key = lineKey(line);
  return cart.view?.troubles.find((one) => lineKey(plain(one.line)) === key)?.problems ?? [];
}

export const subtotal = () => cart.lines.reduce((sum, line) => sum + (problemsOf(line).length ? 0 : amountOf(line)), 0);

export const inStep = () => Boolean(cart.view) && !cart.dirty;

// What the rewards that were chosen take off; known for the cart as it is saved, and for no other.
export const takenOff = { code: "", revision: -1, discounts: [], to_pay: 0 };

export const rewardsTake = () => (inStep() && takenOff.code === cart.code && takenOff.revision === cart.revision ? takenOff : null);

export function total() {
  return inStep() ? rewardsTake()?.to_pay ?? cart.view.total : subtotal();
}

// More than a party orders in an evening: what one has forgotten would be somebody else's.
const MOST_ORDERS = 30;

// After an order the next one begins with an empty cart; what was ordered stays in sight.
export function startAgain(order) {
  const orders = [order, ...cart.orders.filter((one) => one.order_id !== order.order_id)].slice(0, MOST_ORDERS);
  Object.assign(cart, fresh(), { orders });
  changed();
}

// The server no longer has this cart: it is opened anew with the same lines.
export function forgetCode() {
  Object.assign(cart, { key: newKey(), code: null, holder: null, revision: null, view: null, base: [], dirty: true });
  keep();
}
