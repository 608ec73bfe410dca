import { amountOf, cart, countAll, edit, inStep, lineKey, onCart, problemsOf, rewardsTake, subtotal, total } from "./cart.js";
import { drawBringing } from "./bringing.js";
import { drawOffers } from "./offers.js";
import { menu, price, standing, standingWords } from "./catalogue.js";
import { byId, el, icon, keepIn, stepper } from "./elements.js";
import { openItem } from "./options.js";
import { drawRewards } from "./rewards.js";
import { isLate, save } from "./saving.js";
import { drawSending } from "./sending.js";
import { sheet } from "./sheets.js";
import { followTable } from "./table.js";
import { count, explain, facts, has, say } from "./words.js";

let open = null;

export function openCart() {
  const made = sheet("cart", say("cart"), {
    onclose: () => {
      // Another one may be open already: browsers tell later that a sheet was closed.
      if (open?.dialog === made.dialog) open = null;
      stop();
    },
  });
  const lines = el("ul", { class: "lines" });
  const rest = el("div", { class: "rest" });
  const others = el("div", { class: "others" });
  made.body.append(lines, rest, others);
  open = { ...made, lines, rest, others };
  drawRest(rest);
  redraw();
  if (cart.dirty) save();
  const stop = followTable(others);
}

function redraw() {
  drawBar();
  if (!open) return;
  drawLines(open.lines);
  drawTypes(open.rest);
  drawOffers(open.rest.querySelector("#offers"));
  drawBringing(open.rest.querySelector("#bringing"), redraw);
  open.rest.hidden = cart.lines.length === 0;
  drawFoot(open.foot);
}

function drawBar() {
  const bar = byId("bar");
  const n = countAll();
  bar.hidden = n === 0;
  byId("bar-count").textContent = count("dishes", n);
  byId("bar-price").textContent = price(subtotal());
  byId("bar-waits").textContent = cart.waiting_order ? say("order_waits") : cart.refusal ? say("order_not_sent") : "";
}

function drawLines(list) {
  if (!cart.lines.length) {
    list.replaceChildren(el("li", { class: "empty" }, say(cart.taken ? "taken" : "cart_empty")));
    return;
  }
  // Lines that stay keep their nodes, so that nothing loses its place under the finger or its focus.
  const present = new Map([...list.children].map((node) => [node.dataset.key, node]));
  const nodes = cart.lines.map((line) => {
    const known = present.get(lineKey(line));
    const node = known ?? drawLine(line);
    node.renew(line);
    return node;
  });
  const moved = nodes.length !== list.children.length || nodes.some((node, at) => node !== list.children[at]);
  if (moved) list.replaceChildren(...nodes);
}

function drawLine(first) {
  const item = menu.items.get(first.item_id);
  const name = item?.name ?? nameOf(first);
  const key = lineKey(first);
  const find = () => cart.lines.find((one) => lineKey(one) === key);
  const amount = el("span", { class: "amount" });
  const problems = el("div", { class: "problems" });
  const set = (quantity) => edit(() => {
    const line = find();
    if (line) line.quantity = quantity;
  });
  const steps = stepper(first.quantity, { name, onchange: set });
  const options = optionNames(first);
  const change = item && el("button", {
    type: "button", class: "link", "aria-label": say("change_dish", { name }), onclick: () => openItem(item, find()),
  }, say("change"));
  const node = el("li", { class: "line", "data-key": key },
    el("div", { class: "what" }, el("span", { class: "name", dir: "auto" }, name),
      options ? el("span", { class: "detail", dir: "auto" }, options) : null,
      first.note ? el("span", { class: "detail note", dir: "auto" }, `“${first.note}”`) : null, problems),
    amount, el("div", { class: "does" }, change || null, steps));
  node.renew = (line) => {
    steps.set(line.quantity);
    const found = problemsOf(line);
    node.classList.toggle("bad", found.length > 0);
    amount.textContent = found.length ? "" : price(amountOf(line));
    problems.replaceChildren(...found.map((one) => el("p", { class: "wrong" }, problemWords(one))));
    if (found.length) problems.append(el("button", { type: "button", class: "link", onclick: () => set(0) }, say("remove")));
  };
  return node;
}

// The server's words are in the language that it last heard of.
const problemWords = (one) => {
  const foreign = cart.language !== facts.language && has(`gone.${one.code}`);
  return foreign ? say(`gone.${one.code}`) : one.detail;
};

// Of a dish that has left the menu: as the server last called it.
function nameOf(line) {
  const known = cart.view?.lines.find((one) => one.item_id === line.item_id);
  return known?.name || problemsOf(line)[0]?.name || say("unknown_dish");
}

function optionNames(line) {
  const names = new Map(Object.values(menu.groups).flatMap((group) => group.options.map((one) => [one.id, one.name])));
  const times = (one) => (one.quantity > 1 ? `${one.quantity} × ` : "");
  return line.choices.map((one) => times(one) + (names.get(one.option_id) ?? "?")).join(", ");
}

function drawRest(place) {
  const notes = el("textarea", { id: "notes", rows: "2", maxlength: "500", placeholder: say("notes_example") });
  notes.value = cart.notes;
  notes.addEventListener("input", () => edit(() => (cart.notes = notes.value)));
  const rewards = el("div", { class: "rewards-body" });
  place.append(el("fieldset", { class: "types", id: "types" }), el("div", { id: "bringing", hidden: true }),
    el("div", { class: "field" }, el("label", { for: "notes" }, say("notes")), notes), rewards,
    el("div", { id: "offers", hidden: true }));
  drawRewards(rewards);
}

function drawTypes(place) {
  const node = place.querySelector("#types");
  // Who sits at a table has proved it: nobody carries it to an address from there.
  const types = (standing.order_types ?? []).filter((type) => type !== "delivery" || !facts.place.t);
  node.hidden = types.length < 2;
  if (!node.hidden && node.children.length !== types.length + 1) {
    node.replaceChildren(el("legend", {}, say("order_type")), ...types.map((type) => el("label", { class: "choice" },
      el("input", { type: "radio", name: "order-type", value: type, onchange: () => edit(() => (cart.order_type = type)) }),
      el("span", {}, type === "dine_in" && facts.table ? say(facts.place.t ? "at_table" : "at_table_unscanned", { table: facts.table }) : say(`order_type.${type}`)))));
  }
  for (const box of node.querySelectorAll("input")) box.checked = box.value === cart.order_type;
}

function drawFoot(foot) {
  const rows = [];
  const charges = inStep() ? cart.view.charges : [];
  const rewards = rewardsTake()?.discounts ?? [];
  if (charges.length || rewards.length) rows.push(["subtotal", say("subtotal"), cart.view.subtotal]);
  for (const one of charges) rows.push(["", one.name || say(`charge.${one.kind}`), one.amount]);
  for (const one of rewards) rows.push(["off", one.name, -one.amount]);
  rows.push(["sum", say("total"), total()]);
  const sums = el("dl", { class: "sums", "data-key": "sums" }, rows.map(([kind, name, amount]) =>
    el("div", { class: kind }, el("dt", {}, name), el("dd", {}, amount < 0 ? `−${price(-amount)}` : price(amount)))));
  const state = el("p", { class: "saved", role: "status", "data-key": "state" }, ...savedWords());
  const inner = foot.querySelector(".foot") ?? foot.appendChild(el("div", { class: "foot" }));
  const sending = inner.querySelector(".sending") ?? el("div", { class: "sending", "data-key": "sending" });
  keepIn(inner, [...(cart.lines.length ? [sums, state] : []), sending]);
  keepIn(sending, drawSending());
}

function savedWords() {
  if (cart.refused) return [explain(cart.refused)];
  if (!standing.takes_orders) return [standingWords()];
  if (isLate()) return [say(navigator.onLine ? "saving_late" : "saving_offline")];
  if (!inStep()) return [say("saving")];
  return cart.view.troubles.length ? [say("fix_first")] : [icon("check"), say("saved")];
}

export function startCart() {
  byId("bar").addEventListener("click", openCart);
  onCart(redraw);
  drawBar();
}
