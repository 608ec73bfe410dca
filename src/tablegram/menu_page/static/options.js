import { addLine, cart, edit, lineKey } from "./cart.js";
import { menu, obstacle, price } from "./catalogue.js";
import { el, stepper } from "./elements.js";
import { askedGroups, chosen, countsOf, defaultsOf, fewestOf, isSingle, mostOf, totalOf, unitPrice } from "./pricing.js";
import { sheet } from "./sheets.js";
import { BASE, say } from "./words.js";

// A dish with everything that can be said about it. `line` is the one in the cart that is changed, if any.
export function openItem(item, line = null) {
  const counts = line ? countsOf(line.choices) : new Map();
  const met = new Set();
  let quantity = line?.quantity ?? 1;
  const gone = obstacle(item.id, cart.order_type);
  const { body, foot, close } = sheet("dish", item.name, { hash: line ? undefined : `#i-${item.id}` });
  const groups = el("div", { class: "groups" });
  const note = el("input", {
    id: "note", type: "text", maxlength: "200", value: line?.note ?? "", placeholder: say("note_example"),
    autocomplete: "off", enterkeyhint: "done",
  });
  const form = el("form", { novalidate: true, onsubmit: submit }, about(item, gone), groups,
    el("div", { class: "field" }, el("label", { for: "note" }, say("note")), note));
  const done = el("button", { type: "button", class: "primary", onclick: submit, disabled: Boolean(gone) });
  body.append(form);
  const setQuantity = (value) => {
    quantity = value;
    sayPrice();
  };
  foot.append(stepper(quantity, { least: 1, name: item.name, onchange: setQuantity }), done);
  draw();

  function draw() {
    let asked = askedGroups(item, counts);
    for (const [id, group] of asked) {
      if (met.has(id)) continue;
      met.add(id);
      // What a line already holds was chosen by the guest, also where that is nothing.
      if (!line) for (const option of defaultsOf(group, cart.order_type)) counts.set(option, 1);
    }
    asked = askedGroups(item, counts);
    const present = new Map([...groups.children].map((node) => [node.dataset.id, node]));
    const nodes = [...asked].map(([id, group]) => present.get(id) ?? drawGroup(id, group, counts, draw));
    if (nodes.length !== groups.children.length || nodes.some((node, at) => node !== groups.children[at])) {
      const focused = document.activeElement;
      groups.replaceChildren(...nodes);
      focused?.focus({ preventScroll: true });
    }
    for (const node of nodes) node.renew();
    sayPrice();
  }

  function sayPrice() {
    const amount = price(unitPrice(item, counts) * quantity);
    done.textContent = gone || say(line ? "save_for" : "add_for", { price: amount });
  }

  function submit(event) {
    event.preventDefault();
    const wrong = [...groups.children].filter((node) => !node.check());
    if (wrong.length || gone) {
      wrong[0]?.scrollIntoView({ block: "center" });
      wrong[0]?.querySelector("input, button:not(:disabled)")?.focus({ preventScroll: true });
      return;
    }
    const choices = chosen(item, counts).map(({ option, quantity: times }) => ({ option_id: option.id, quantity: times }));
    const next = { item_id: item.id, quantity, choices, note: note.value.trim().replace(/\s+/g, " ") };
    if (line) edit(() => replace(line, next));
    else addLine(next);
    close();
  }
}

function replace(line, next) {
  const at = cart.lines.findIndex((one) => lineKey(one) === lineKey(line));
  cart.lines.splice(at < 0 ? cart.lines.length : at, at < 0 ? 0 : 1, next);
}

function about(item, gone) {
  const allergens = item.allergens.map((code) => say(`allergen.${code}`)).join(", ");
  const source = `${BASE}/images/${item.image}-960.webp`;
  const picture = item.image && el("img", { class: "large", src: source, alt: "", width: "960", height: "480" });
  return el("div", { class: "about" }, picture || null,
    gone ? el("p", { class: "why", role: "status" }, gone) : null,
    item.about ? el("p", { dir: "auto" }, item.about) : null,
    el("p", { class: "contains" }, allergens ? say("contains", { names: allergens }) : say("contains_none"),
      // Only dishes say what is in them.
      item.groups.length ? ` ${say("contains_extras")}` : ""));
}

function hint(group) {
  const fewest = group.fewest ?? 0;
  const most = mostOf(group);
  if (fewest && fewest === most) return say("choose_exactly", { n: fewest });
  if (fewest && most === Infinity) return say("choose_least", { n: fewest });
  if (fewest) return say("choose_between", { least: fewest, most });
  if ((group.least ?? 0) > 1) return say("choose_if", { least: group.least });
  return most === Infinity ? say("choose_free") : say("choose_most", { n: most });
}

// A group of options. It knows how to draw itself anew, and whether what was chosen will do.
function drawGroup(id, group, counts, onchange) {
  const single = isSingle(group);
  const must = (group.fewest ?? 0) > 0;
  const wrong = el("p", { class: "wrong", id: `wrong-${id}`, role: "alert" });
  const rows = group.options.map((option) => drawOption(option));
  const node = el("fieldset", { class: "group", "data-id": id },
    el("legend", {}, el("span", { dir: "auto" }, group.name), el("small", {}, hint(group))), wrong, ...rows);
  node.renew = () => {
    for (const row of rows) row.renew();
    if (wrong.textContent && fits()) wrong.textContent = "";
  };
  node.check = () => {
    const ok = fits();
    wrong.textContent = ok ? "" : say("choose_missing", { n: fewestOf(group, counts) });
    return ok;
  };
  return node;

  function fits() {
    const total = totalOf(group, counts);
    return total >= fewestOf(group, counts) && total <= mostOf(group);
  }

  function drawOption(option) {
    const gone = obstacle(option.id, cart.order_type);
    const several = (option.most ?? 1) > 1;
    const sign = option.price > 0 ? "+" : "−";
    const cost = option.price ? el("span", { class: "cost" }, sign + price(Math.abs(option.price))) : null;
    const why = gone ? el("small", { class: "why" }, gone) : null;
    const name = el("span", { class: "name" }, el("span", { dir: "auto" }, option.name), why);
    if (several && !gone) {
      const take = (value) => {
        counts.set(option.id, value);
        onchange();
      };
      const steps = stepper(counts.get(option.id) ?? 0, { most: option.most, name: option.name, onchange: take });
      const row = el("div", { class: "option" }, name, cost, steps);
      row.renew = () => {
        const mine = counts.get(option.id) ?? 0;
        steps.limit(Math.min(option.most, mine + Math.max(0, mostOf(group) - totalOf(group, counts))));
        steps.set(mine);
      };
      return row;
    }
    const type = single && must ? "radio" : "checkbox";
    const box = el("input", { type, name: `group-${id}`, onchange: pick });
    const row = el("label", { class: "option" }, box, name, cost);
    row.renew = () => {
      box.checked = Boolean(counts.get(option.id));
      // What ran out can be taken off a line that has it, and not be chosen.
      box.disabled = (Boolean(gone) && !box.checked) || (!single && !box.checked && totalOf(group, counts) >= mostOf(group));
    };
    return row;

    function pick() {
      if (single) for (const other of group.options) counts.delete(other.id);
      box.checked ? counts.set(option.id, 1) : counts.delete(option.id);
      onchange();
    }
  }
}

// The plus: at once where nothing is asked, else with the sheet.
export function addOrAsk(id) {
  const item = menu.items.get(id);
  if (!item) return false;
  if (item.groups.length || obstacle(id, cart.order_type)) {
    openItem(item);
    return false;
  }
  addLine({ item_id: id, quantity: 1, choices: [], note: "" });
  return true;
}

// The link to a dish, if it is one: how to open it.
export function openByLink(hash) {
  const item = hash.startsWith("#i-") && menu.items.get(hash.slice(3));
  return item ? () => openItem(item) : null;
}
