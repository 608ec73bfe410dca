// The options of one dish: what must be chosen, what may be, a note for the kitchen, and how many.
const at = (id) => document.getElementById(id);

const options = (menu) => new Map(Object.entries(menu.groups).flatMap(([group, one]) => one.options.map((option) => [option.id, { ...option, group }])));

/** What one costs with these choices, in minor units. */
export function unitPrice(item, choices, menu) {
  const known = options(menu);
  return choices.reduce((sum, choice) => sum + (known.get(choice.option_id)?.price ?? 0) * choice.quantity, item.price);
}

/** The choices in words. */
export function describe(choices, menu) {
  const known = options(menu);
  return choices.map((choice) => `${choice.quantity > 1 ? `${choice.quantity}× ` : ""}${known.get(choice.option_id)?.name ?? ""}`).filter(Boolean).join(", ");
}

/** The groups that are asked for: the dish's own, and those that a chosen option opens, each after the one it came from. */
function asked(item, chosen, menu) {
  const found = [];
  const visit = (id) => {
    const group = menu.groups[id];
    if (!group || found.includes(id)) return;
    found.push(id);
    group.options.filter((option) => chosen.get(option.id)).forEach((option) => (option.opens ?? []).forEach(visit));
  };
  (item.groups ?? []).forEach(visit);
  return found;
}

/** Ask; gives the line, or nothing when the waiter closed the dialog. */
export function chooseOptions({ item, line, menu, closed, show, said, isNew }) {
  const dialog = at("options");
  const form = at("options-form");
  const chosen = new Map(line.choices.map((choice) => [choice.option_id, choice.quantity]));
  const touched = new Set();
  let quantity = line.quantity;

  const preselect = (ids) => ids.forEach((id) => {
    if (!isNew || touched.has(id)) return;
    touched.add(id);
    menu.groups[id].options.filter((option) => option.chosen && !closed[option.id]).forEach((option) => chosen.set(option.id, 1));
  });
  const count = (group) => group.options.reduce((sum, option) => sum + (chosen.get(option.id) ?? 0), 0);
  const isMissing = (id) => {
    const group = menu.groups[id];
    const many = count(group);
    return many < (group.fewest ?? 0) || (many > 0 && many < (group.least ?? 0));
  };
  const result = () => {
    const there = new Set(asked(item, chosen, menu).flatMap((id) => menu.groups[id].options.map((option) => option.id)));
    const choices = [...chosen].filter(([id, many]) => many && there.has(id)).map(([option_id, many]) => ({ option_id, quantity: many }));
    return { item: item.id, quantity, choices, note: at("line-note").value.trim() };
  };

  function draw() {
    let ids = asked(item, chosen, menu);
    preselect(ids);
    ids = asked(item, chosen, menu);
    preselect(ids);
    const focused = document.activeElement?.value;
    at("option-groups").replaceChildren(...ids.map((id) => drawGroup(id)));
    if (focused) at("option-groups").querySelector(`[value="${CSS.escape(focused)}"]`)?.focus();
    at("line-quantity").textContent = String(quantity);
    at("line-add").textContent = `${isNew ? said.add : said.save} · ${show(unitPrice(item, result().choices, menu) * quantity)}`;
  }

  function drawGroup(id) {
    const group = menu.groups[id];
    const most = group.most ?? null;
    const box = document.createElement("fieldset");
    box.className = "option-group";
    const legend = document.createElement("legend");
    const name = document.createElement("span");
    name.textContent = group.name;
    name.dir = "auto";
    const rule = document.createElement("span");
    rule.className = "small";
    rule.textContent = group.fewest ? said.choose.replace("{n}", group.fewest) : most ? said.choose_up_to.replace("{n}", most) : said.choose_any;
    if (dialog.dataset.tried && isMissing(id)) {
      rule.classList.add("missing");
      rule.textContent = said.needed.replace("{n}", Math.max(group.fewest ?? 0, group.least ?? 0));
    }
    legend.append(name, rule);
    const list = document.createElement("div");
    list.className = "option-buttons";
    list.append(...group.options.map((option) => drawOption(group, option, most)));
    box.append(legend, list);
    return box;
  }

  function drawOption(group, option, most) {
    const single = most === 1;
    const many = chosen.get(option.id) ?? 0;
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.type = "checkbox";
    input.value = option.id;
    input.checked = many > 0;
    input.disabled = Boolean(closed[option.id]) && !many;
    const name = document.createElement("span");
    name.dir = "auto";
    name.textContent = many > 1 ? `${many}× ${option.name}` : option.name;
    const price = document.createElement("span");
    price.className = "price";
    price.textContent = closed[option.id] ? said.sold_out : option.price ? `${option.price > 0 ? "+" : "−"}${show(Math.abs(option.price))}` : "";
    input.addEventListener("change", () => {
      // One more with each tap where more of it may be had; the tap after the last takes it away.
      const next = many + 1 > (option.most ?? 1) || (!single && most && count(group) >= most) ? 0 : many + 1;
      if (single) group.options.forEach((other) => chosen.delete(other.id));
      if (next && !(single && many)) chosen.set(option.id, next);
      else chosen.delete(option.id);
      draw();
    });
    label.append(input, name, price);
    return label;
  }

  at("options-title").textContent = item.name;
  at("line-note").value = line.note;
  delete dialog.dataset.tried;
  draw();
  dialog.showModal();

  return new Promise((settle) => {
    const steps = form.querySelectorAll("[data-step]");
    const step = (event) => {
      quantity = Math.min(99, Math.max(1, quantity + Number(event.currentTarget.dataset.step)));
      draw();
    };
    let answer = null;
    const submit = (event) => {
      event.preventDefault();
      dialog.dataset.tried = "1";
      if (asked(item, chosen, menu).some(isMissing)) {
        draw();
        at("option-groups").querySelector(".missing")?.scrollIntoView({ block: "center" });
        return;
      }
      answer = result();
      dialog.close();
    };
    const end = () => {
      steps.forEach((one) => one.removeEventListener("click", step));
      form.removeEventListener("submit", submit);
      settle(answer);
    };
    steps.forEach((one) => one.addEventListener("click", step));
    form.addEventListener("submit", submit);
    dialog.addEventListener("close", end, { once: true });
  });
}
