import { cart, keep, total } from "./cart.js";
import { price, standing } from "./catalogue.js";
import { el } from "./elements.js";
import { isPhone } from "./phones.js";
import { proven } from "./rewards.js";
import { sheet } from "./sheets.js";
import { call } from "./wire.js";
import { explain, facts, say } from "./words.js";

// On this phone alone, for the next round.
const GUEST = `tablegram-guest:${facts.venue.id}`;
const MAX_ADDRESS = 300;

function recall() {
  try {
    return JSON.parse(localStorage.getItem(GUEST)) ?? {};
  } catch {
    return {};
  }
}

export function rememberGuest({ name = "", phone = "" }) {
  try {
    if (name || phone) localStorage.setItem(GUEST, JSON.stringify({ name, phone }));
  } catch {
    // It is then typed again.
  }
}

function field(name, attributes) {
  const input = el(attributes.rows ? "textarea" : "input", { id: `order-${name}`, name, ...attributes });
  const wrong = el("p", { class: "wrong", id: `order-${name}-wrong`, role: "alert" });
  const need = attributes.required ? null : el("small", {}, say("optional"));
  const label = el("label", { for: `order-${name}` }, say(`order.${name}`), need);
  return el("div", { class: "field", "data-field": name }, label, input, wrong);
}

function askPayment(methods, chosen) {
  const first = methods.includes(chosen) ? chosen : methods[0];
  const choices = methods.map((value) => el("label", { class: "choice" },
    el("input", { type: "radio", name: "payment_method", value, checked: value === first }),
    el("span", {}, say(`payment.${value}`), value === "online_card" && el("small", {}, say("payment.online_hint")))));
  return el("fieldset", { class: "types" }, el("legend", {}, say("order.payment_method")), ...choices);
}

// A card pays with the order, as far as it goes; before, the guest sees how far that is.
function askGift() {
  const box = field("gift_code", { maxlength: "40", autocomplete: "off", autocapitalize: "characters", spellcheck: "false" });
  const told = el("p", { class: "hint", role: "status" });
  const [input, wrong] = [box.querySelector("input"), box.querySelector(".wrong")];
  const look = async () => {
    told.textContent = "";
    if (!input.value.trim()) return;
    try {
      const { balance } = await call("POST", "/gifts", { body: { venue: facts.venue.id, code: input.value.trim() } });
      const rest = Math.max(0, total() - balance);
      told.textContent = say(rest ? "gift.pays_part" : "gift.pays_all", { balance: price(balance), rest: price(rest) });
    } catch (trouble) {
      // Without an answer the order itself says it.
      if (!trouble.passing) wrong.textContent = explain(trouble.errors?.[0] ?? trouble);
    }
  };
  input.addEventListener("input", () => {
    told.textContent = wrong.textContent = "";
  });
  input.addEventListener("change", look);
  box.append(told);
  return box;
}

// Who it is for and how it is paid. `send` answers with the server's refusal, or with nothing when the order is on its way.
// What is typed stays until then, also when the page is opened anew.
export function openOrderForm(send) {
  const { body, foot, close } = sheet("order", say("order_here"));
  const type = cart.order_type;
  const methods = standing.payment_methods?.[type] ?? [];
  const atTable = type === "dine_in" && Boolean(facts.place.t);
  const known = recall();
  const typed = { ...known, ...cart.form };
  const why = el("p", { class: "refusal wrong", role: "alert" });
  const form = el("form", { id: "order-form", novalidate: true }, why,
    field("name", { autocomplete: "name", maxlength: "80", required: type !== "dine_in" }),
    field("phone", { type: "tel", inputmode: "tel", autocomplete: "tel", maxlength: "30", required: !atTable,
      placeholder: facts.venue.phone_example }),
    type === "delivery" && field("address", { rows: "3", autocomplete: "street-address", maxlength: String(MAX_ADDRESS), required: true }),
    methods.length > 1 && askPayment(methods, typed.payment_method),
    standing.gifts && type !== "dine_in" && askGift(),
    el("p", { class: "hint" }, say("order_hint")),
    known.name || known.phone ? drawForget(() => form) : null);
  for (const input of form.querySelectorAll("input:not([type=radio]), textarea")) input.value = typed[input.name] ?? "";
  // Whose phone has sent a message is known by it.
  const askPhone = () => {
    const box = form.querySelector("[data-field=phone]");
    box.hidden = Boolean(proven());
    box.querySelector("input").required = !atTable && !proven();
  };
  askPhone();
  const done = el("button", { class: "primary", form: "order-form" }, say("order_for", { price: price(total()) }));
  body.append(form);
  foot.append(done);
  form.addEventListener("input", () => {
    cart.form = typedIn(form);
    keep();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const given = typedIn(form);
    if (methods.length === 1) [given.payment_method] = methods;
    if (!show(form, why, check(form, given))) return;
    done.disabled = true;
    const trouble = await send(given);
    done.disabled = false;
    askPhone();
    if (trouble) show(form, why, trouble);
    else close();
  });
  if (cart.refusal) show(form, why, cart.refusal);
}

function drawForget(find) {
  const button = el("button", { type: "button", class: "link", onclick: () => {
    try {
      localStorage.removeItem(GUEST);
    } catch {
      // A browser that keeps nothing has nothing to forget.
    }
    for (const name of ["name", "phone"]) find().elements[name].value = "";
    cart.form = typedIn(find());
    keep();
    line.replaceChildren(say("guest_forgotten"));
  } }, say("guest_forget"));
  const line = el("p", { class: "hint known", role: "status" }, say("guest_known"), " ", button);
  return line;
}

function typedIn(form) {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
}

// By the server's own rules, because an order that is kept meets the server when nobody looks.
function check(form, given) {
  const errors = [...form.querySelectorAll("[required]")].filter((input) => !given[input.name])
    .map((input) => ({ field: input.name, code: "field_needed" }));
  if (!proven() && given.phone && !isPhone(given.phone)) errors.push({ field: "phone", code: "phone_invalid" });
  return errors.length ? { errors } : null;
}

// Beside its field, or above them all; it stays there. Answers whether all is well.
function show(form, why, trouble) {
  const errors = trouble?.errors ?? [];
  let first = null;
  for (const box of form.querySelectorAll(".field")) {
    const error = errors.find((one) => one.field === box.dataset.field);
    const input = box.querySelector("input, textarea");
    const wrong = box.querySelector(".wrong");
    wrong.textContent = error ? explain(error) : "";
    input.setAttribute("aria-invalid", String(Boolean(error)));
    input.setAttribute("aria-describedby", wrong.id);
    if (error) first ??= input;
  }
  why.textContent = trouble && !first ? explain(trouble) : "";
  if (trouble) first ? first.focus() : why.scrollIntoView({ block: "center" });
  return !trouble;
}
