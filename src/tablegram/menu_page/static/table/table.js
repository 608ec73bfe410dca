import { cart } from "./cart.js";
import { menu, price } from "./catalogue.js";
import { byId, el, notice } from "./elements.js";
import { adopt, cartPath, reread, save } from "./saving.js";
import { call } from "./wire.js";
import { explain, facts, say } from "./words.js";

const TABLE_MS = 4000;
// Whose dishes stay where they are, though the others' are taken along.
const left = new Set();

// What the others at the table have chosen and ordered; and one of them may send for all.
async function drawTable(place) {
  if (!facts.table || !cart.code) return;
  let found;
  try {
    found = await call("GET", cartPath("/table"), { holder: cart.holder });
  } catch {
    return;
  }
  // What looks the same stays under the finger that may be on it.
  const seen = JSON.stringify([found, menu.version, cart.orders.length]);
  if (place.seen === seen) return;
  place.seen = seen;
  const { others } = found;
  // One's own stand on the page itself.
  const mine = cart.orders.map((one) => one.order_id);
  const served = found.ordered.filter((one) => !mine.includes(one.order_id));
  if (!others.length && !served.length) return place.replaceChildren();
  // Each guest reads their own language, whichever the other one ordered in.
  const nameOf = (line) => menu.items.get(line.item_id)?.name ?? line.name;
  const list = (lines) => lines.map((line) => `${line.quantity} × ${nameOf(line)}`).join(", ");
  const what = (lines, above, below) => el("span", { class: "what" }, above && el("strong", {}, above),
    el("span", { dir: "auto" }, list(lines)), below && el("small", {}, below));
  const amount = (sum) => el("span", { class: "amount" }, price(sum));
  const orderTitle = (one) => `${one.order_id} · ${say(`status.${one.status}`)}`;
  const age = (one) => (one.age_min ? say("minutes_ago", { n: one.age_min }) : say("just_now"));
  const button = el("button", { type: "button", class: "secondary", onclick: gather }, say("send_for_all"));
  const picked = () => others.map((one) => one.id).filter((id) => !left.has(id));
  const pick = (one) => {
    const id = `take-${one.id}`;
    const box = el("input", { type: "checkbox", id, checked: !left.has(one.id), onchange: () => {
      box.checked ? left.delete(one.id) : left.add(one.id);
      button.disabled = !picked().length;
    } });
    return el("li", {}, el("label", { class: "pick", for: id }, box, what(one.lines, null, age(one)), amount(one.subtotal)));
  };
  const focused = document.activeElement?.id;
  place.replaceChildren(el("h3", {}, say("others")),
    el("ul", {}, ...others.map(pick),
      ...served.map((one) => el("li", {}, what(one.lines, orderTitle(one)), amount(one.total)))));
  if (others.length) {
    button.disabled = !picked().length;
    place.append(button, el("p", { class: "hint" }, say("send_for_all_hint")));
  }
  if (focused?.startsWith("take-")) byId(focused)?.focus();

  async function gather(event) {
    event.target.disabled = true;
    const only = picked();
    try {
      if (cart.dirty && !(await save())) throw Object.assign(new Error(), { passing: true });
      const before = JSON.stringify(cart.lines);
      adopt(await call("POST", cartPath("/gather"), { holder: cart.holder, body: { only } }));
      // They may have ordered since this was drawn; then there was nothing to take.
      const came = JSON.stringify(cart.lines) !== before;
      notice(say(came ? "gathered" : "gathered_none"), came ? "good" : "");
      drawTable(place);
    } catch (trouble) {
      event.target.disabled = false;
      notice(trouble.passing ? say("saving_late") : explain(trouble), "bad");
    }
  }
}

// While the cart is open: the others choose and order meanwhile, and may take from this cart. Answers how to stop.
export function followTable(place) {
  let timer = null;
  const follow = async () => {
    if (document.visibilityState === "visible") {
      await Promise.all([cart.dirty || reread(), drawTable(place)]);
    }
    if (place.isConnected) timer = setTimeout(follow, TABLE_MS);
  };
  follow();
  return () => clearTimeout(timer);
}
