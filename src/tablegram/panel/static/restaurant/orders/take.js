// Taking an order: table, dishes, options, send. What is put together survives a reload of the page.
import { toast } from "./toast.js";
import { chooseOptions, describe, unitPrice } from "./options.js";

const facts = JSON.parse(document.getElementById("take-facts").textContent);
const said = JSON.parse(document.getElementById("take-words").textContent);
const { menu, standing, tables, venue } = facts;
const form = document.getElementById("take");
const at = (id) => document.getElementById(id);
const items = new Map(menu.categories.flatMap((category) => category.items.map((item) => [item.id, item])));
const money = new Intl.NumberFormat(document.documentElement.lang, { style: "currency", currency: menu.currency, currencyDisplay: "narrowSymbol" });
const show = (amount) => money.format(amount / 10 ** menu.decimals);
const fold = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replaceAll("ı", "i");
const ahead = Number(document.documentElement.dataset.now) - Date.now();
const KEPT = `tablegram-take-${facts.order?.order_id ?? venue.id}`;

const state = { type: "", table: "", category: "", lines: [] };

function begin() {
  const order = facts.order;
  let kept = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(KEPT));
  } catch {
    // What was kept is unreadable, and so is gone.
  }
  if (order) {
    state.type = order.order_type;
    state.table = order.table_id ?? "";
    state.lines = order.lines.map((line) => ({ item: line.item_id, quantity: line.quantity, choices: line.choices, note: line.note, name: line.name, price: Math.round(line.unit_price * 10 ** menu.decimals) }));
    at("notes").value = order.notes;
    at("name").value = order.name;
  }
  if (kept && (!order || kept.revision === order.revision)) {
    state.type = kept.type;
    state.table = kept.table;
    state.lines = kept.lines;
    for (const [name, value] of Object.entries(kept.typed)) if (at(name)) at(name).value = value;
  }
  if (!standing.order_types.includes(state.type) && !order) state.type = standing.order_types[0];
  const named = tables.find((one) => one.id === facts.table || one.label === facts.table);
  if (named) state.table = named.id;
}

function keep() {
  const typed = Object.fromEntries(["notes", "name", "phone", "address"].filter((id) => at(id)).map((id) => [id, at(id).value]));
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ type: state.type, table: state.table, lines: state.lines, typed, revision: facts.order?.revision }));
  } catch {
    // It is there for as long as the page is open.
  }
}

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

const closedNow = () => standing.closed[state.type] ?? {};
const why = { sold_out: said.sold_out, not_available_now: said.not_now, not_for_order_type: said.not_for };

// Where it goes.
function drawWhere() {
  document.querySelectorAll("[data-type]").forEach((one) => {
    one.setAttribute("aria-pressed", String(one.dataset.type === state.type));
    one.disabled = Boolean(facts.order) && one.dataset.type !== state.type;
  });
  const table = tables.find((one) => one.id === state.table);
  const button = at("table-button");
  button.hidden = state.type !== "dine_in";
  button.textContent = table ? `${said.table} ${table.label}` : said.pick_table;
  button.toggleAttribute("data-missing", !table);
  // The button may be scrolled away: what is sent still says where it goes.
  at("cart-place").textContent = state.type === "dine_in" && table ? ` · ${said.table} ${table.label}` : "";
  if (at("address-field")) at("address-field").hidden = state.type !== "delivery";
  const ways = standing.payment_methods[state.type] ?? [];
  at("payment")?.querySelectorAll("option").forEach((one) => (one.hidden = one.disabled = !ways.includes(one.value)));
  if (at("payment") && !ways.includes(at("payment").value)) at("payment").value = ways[0] ?? "";
  if (state.type !== "dine_in") document.querySelector(".take-guest").open = true;
}

function drawTables() {
  const sections = Map.groupBy ? Map.groupBy(tables, (one) => one.section ?? "") : group(tables);
  at("table-grid").replaceChildren(...[...sections].map(([name, some]) => make("section", { class: "table-section" },
    ...(name ? [make("h3", { text: name, dir: "auto" })] : []),
    make("div", { class: "table-buttons" }, ...some.map((one) => make("button", { type: "button", dir: "auto", "data-busy": Boolean(one.since), "aria-pressed": String(one.id === state.table), onclick: () => {
      state.table = one.id;
      at("tables").close();
      keep();
      drawTables();
      drawWhere();
    } }, make("span", { text: one.label }), ...busy(one)))))));
  if (!tables.length) at("table-grid").append(make("p", { text: said.no_table }));
}

// Where guests sit already: since when, and what it has come to.
function busy(table) {
  if (!table.since) return [];
  const minutes = Math.max(0, Math.floor((Date.now() + ahead - table.since) / 60000));
  const parts = [`${minutes} ${said.min}`, ...(table.amount ? [show(table.amount)] : [])];
  return [make("span", { class: "unseen", text: `, ${said.busy} ` }), ...parts.map((text) => make("span", { class: "busy", text }))];
}

function group(all) {
  const found = new Map();
  all.forEach((one) => found.set(one.section ?? "", [...(found.get(one.section ?? "") ?? []), one]));
  return found;
}

// What there is; what cannot be had at all right now, such as breakfast in the evening, comes last.
function categories() {
  const closed = closedNow();
  const isShut = (one) => one.items.every((item) => closed[item.id]);
  return [...menu.categories].sort((one, other) => isShut(one) - isShut(other));
}

function drawCategories() {
  const entries = [["", said.all], ...categories().map((one) => [one.id, one.name])];
  at("categories").replaceChildren(...entries.map(([id, name]) => make("button", { type: "button", text: name, dir: "auto", "aria-pressed": String(id === state.category), onclick: () => {
    state.category = id;
    at("find").value = "";
    drawCategories();
    drawItems();
  } })));
}

// What sells most can be had with one tap, from wherever one is.
function drawQuick() {
  const closed = closedNow();
  const best = facts.quick.map((id) => items.get(id)).filter((item) => item && !closed[item.id]);
  at("quick").replaceChildren(...best.map((item) => make("button", { type: "button", text: item.name, dir: "auto", "data-quick": item.id, onclick: () => add(item) })));
}

function drawItems() {
  const wanted = fold(at("find").value.trim()).split(/\s+/).filter(Boolean);
  const closed = closedNow();
  const taken = new Map();
  state.lines.forEach((line) => taken.set(line.item, (taken.get(line.item) ?? 0) + line.quantity));
  const parts = [];
  for (const category of categories()) {
    if (!wanted.length && state.category && category.id !== state.category) continue;
    const fitting = category.items.filter((item) => wanted.every((word) => fold(item.name).split(/\s+/).some((one) => one.startsWith(word))));
    if (!fitting.length) continue;
    if (wanted.length || !state.category) parts.push(make("h3", { text: category.name, dir: "auto" }));
    parts.push(...fitting.map((item) => drawItem(item, closed[item.id], taken.get(item.id))));
  }
  at("items").replaceChildren(...(parts.length ? parts : [make("p", { class: "none", text: said.none_found })]));
}

function drawItem(item, shut, many) {
  return make("button", { type: "button", class: "take-item", "data-item": item.id, disabled: Boolean(shut), onclick: () => add(item) },
    make("span", { class: "name", text: item.name, dir: "auto" }),
    shut ? make("span", { class: "why", text: why[shut.code] ?? said.not_now }) : make("span", { class: "price", text: cheapest(item) }),
    ...(many ? [make("span", { class: "taken", text: String(many) })] : []));
}

// What is priced by its sizes alone shows the smallest of them.
function cheapest(item) {
  const sizes = item.price ? [] : (item.groups ?? []).map((id) => menu.groups[id]).filter((one) => one?.fewest).flatMap((one) => one.options.map((option) => option.price ?? 0));
  return sizes.length ? `${show(Math.min(...sizes))}+` : show(item.price);
}

async function add(item) {
  let line = { item: item.id, quantity: 1, choices: [], note: "" };
  if (item.groups?.length) {
    line = await chooseOptions({ item, line, menu, closed: closedNow(), show, said, isNew: true });
    if (!line) return;
  }
  const same = state.lines.find((one) => sameThing(one, line));
  if (same) same.quantity += line.quantity;
  else state.lines.push(line);
  drawAll();
}

function sameThing(one, other) {
  const key = (line) => JSON.stringify([line.item, line.note, [...line.choices].map((choice) => [choice.option_id, choice.quantity]).sort()]);
  return key(one) === key(other);
}

// What was chosen. A line that was in the order before keeps the price that it had.
const priceOf = (line) => line.price ?? (items.has(line.item) ? unitPrice(items.get(line.item), line.choices, menu) : 0);

function drawCart() {
  at("cart-lines").replaceChildren(...state.lines.map((line, place) => {
    const item = items.get(line.item);
    const name = item?.name ?? line.name ?? said.gone;
    const options = describe(line.choices, menu);
    const step = (by, label) => make("button", { type: "button", text: by > 0 ? "+" : "−", "aria-label": `${label}: ${name}`, onclick: () => {
      line.quantity += by;
      if (line.quantity < 1) state.lines.splice(place, 1);
      drawAll();
    } });
    return make("li", {},
      make("div", { class: "stepper" }, step(-1, said.less), make("output", { text: String(line.quantity) }), step(1, said.more)),
      make("button", { type: "button", class: "cart-words", "aria-label": `${said.edit}: ${name}`, disabled: !item, onclick: () => edit(item, place) },
        make("span", { class: "name", text: name, dir: "auto" }),
        ...(options ? [make("span", { class: "small", text: options, dir: "auto" })] : []),
        ...(line.note ? [make("span", { class: "note", text: line.note, dir: "auto" })] : [])),
      make("span", { class: "cart-amount", text: show(priceOf(line) * line.quantity) }));
  }));
  const many = state.lines.reduce((sum, line) => sum + line.quantity, 0);
  const total = state.lines.reduce((sum, line) => sum + priceOf(line) * line.quantity, 0);
  const charge = state.type === "dine_in" ? Math.round((total * venue.service_charge) / 100) : 0;
  at("cart-empty").hidden = many > 0;
  at("service").hidden = !charge;
  for (const id of ["cart-count", "bar-count"]) at(id).textContent = String(many);
  for (const id of ["total", "bar-total"]) at(id).textContent = show(total + charge);
  at("bar").toggleAttribute("data-empty", !many);
  at("send").disabled = !many;
}

async function edit(item, place) {
  const line = state.lines[place];
  const changed = await chooseOptions({ item, line, menu, closed: closedNow(), show, said, isNew: false });
  if (!changed) return;
  if (sameThing(changed, line)) changed.price = line.price;
  state.lines.splice(place, 1, changed);
  drawAll();
}

function drawAll() {
  drawWhere();
  drawQuick();
  drawItems();
  drawCart();
  keep();
}

// Off it goes.
function tell(text) {
  at("trouble").textContent = text;
  at("trouble").hidden = !text;
  if (text) at("trouble").scrollIntoView({ block: "nearest" });
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  tell("");
  if (state.type === "dine_in" && !state.table) return at("tables").showModal();
  const wish = {
    venue_id: venue.id,
    order_type: state.type,
    table_id: state.type === "dine_in" ? state.table : "",
    lines: state.lines.map(({ item, quantity, choices, note }) => ({ item_id: item, quantity, choices, note })),
    notes: at("notes").value.trim(),
    name: at("name").value.trim(),
    phone: at("phone")?.value.trim() ?? "",
    address: at("address")?.value.trim() ?? "",
    payment_method: at("payment")?.value || null,
    order_id: facts.order?.order_id ?? "",
    revision: facts.order?.revision ?? null,
  };
  const body = new URLSearchParams(new FormData(form));
  body.set("wish", JSON.stringify(wish));
  at("send").disabled = true;
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
    const told = await answer.json().catch(() => ({}));
    if (answer.status === 401) return location.assign(told.location);
    if (!answer.ok) at(told.errors?.[0]?.field.replace("customer_", ""))?.focus();
    if (!answer.ok) return tell([...new Set([told.detail, ...(told.errors ?? []).map((one) => one.detail)])].filter(Boolean).join(" ") || said.failed);
    sessionStorage.removeItem(KEPT);
    toast(facts.order ? said.changed : said.sent.replace("{number}", told.order_id.split("-").pop()));
    if (facts.order) return location.assign(told.location);
    form.elements.once.value = told.once;
    state.lines = [];
    state.table = "";
    for (const id of ["notes", "name", "phone", "address"]) at(id).value = "";
    drawTables();
    drawAll();
    // The next order begins where this one did, at its table.
    scrollTo(0, 0);
  } catch {
    // The same form may be sent again: it makes one order.
    tell(said.failed);
  } finally {
    at("send").disabled = !state.lines.length;
  }
});

document.querySelectorAll("[data-type]").forEach((one) => one.addEventListener("click", () => {
  state.type = one.dataset.type;
  drawCategories();
  drawAll();
}));
at("find").addEventListener("input", drawItems);
// A guest who has ordered before need not spell a name and an address again. What was typed stays.
at("phone")?.addEventListener("change", async () => {
  const phone = at("phone").value.trim();
  if (phone.length < 7) return;
  try {
    const answer = await fetch(`/panel/take/guest?${new URLSearchParams({ venue: venue.id, phone })}`, { headers: { Accept: "application/json" } });
    const guest = answer.ok ? await answer.json() : {};
    let filled = false;
    for (const name of ["name", "address"]) {
      if (!guest[name] || at(name).value.trim()) continue;
      at(name).value = guest[name];
      filled = true;
    }
    if (filled) toast(said.known.replace("{name}", guest.name || phone));
    keep();
  } catch {
    // Then it is typed.
  }
});
at("find").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const only = at("items").querySelectorAll(".take-item:not(:disabled)");
  if (only.length === 1) only[0].click();
});
at("bar").addEventListener("click", () => at("cart").scrollIntoView({ block: "start" }));
for (const id of ["notes", "name", "phone", "address"]) at(id)?.addEventListener("input", keep);

begin();
drawCategories();
drawTables();
drawAll();
form.hidden = false;
if (state.type === "dine_in" && !state.table && tables.length) at("tables").showModal();
