import { el } from "./elements.js";
import { call } from "./wire.js";
import { explain, say } from "./words.js";

const newTap = () => [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, "0")).join("");

// A gift card's code; a first tap shows what is on it, a second one pays. `left` is what there is to pay, `pay` sends the wish, and
// `redraw` hears when the next tap does something else.
export function giftCard({ left, place, price, decimals, pay, redraw = () => {} }) {
  const code = el("input", { id: "gift-code", maxlength: "40", autocomplete: "off", autocapitalize: "characters", spellcheck: "false",
    "aria-describedby": "gift-wrong" });
  const amount = el("input", { id: "gift-amount", inputmode: "decimal", autocomplete: "off", maxlength: "12", "aria-describedby": "gift-wrong" });
  const wrong = el("p", { class: "wrong", id: "gift-wrong", role: "alert" });
  const told = el("p", { role: "status" });
  const part = el("div", { class: "field", hidden: true }, el("label", { for: "gift-amount" }, say("gift.amount")), amount);
  const field = el("div", { class: "pay" },
    el("div", { class: "field" }, el("label", { for: "gift-code" }, say("gift.code")), code), told, part, wrong);
  let balance = 0;
  let key = newTap();
  const wanted = () => Math.round(Number(amount.value.trim().replace(",", ".")) * 10 ** decimals);
  const most = () => Math.min(balance, left);
  const draw = () => {
    const rest = left - Math.min(most(), wanted() || 0);
    part.hidden = !balance;
    told.textContent = balance ? say(rest > 0 ? "gift.pays_part" : "gift.pays_all", { balance: price(balance), rest: price(rest) }) : "";
    redraw();
  };
  code.addEventListener("input", () => {
    balance = 0;
    wrong.textContent = "";
    draw();
  });
  amount.addEventListener("input", () => {
    key = newTap();
    draw();
  });
  const fail = (words, input) => {
    wrong.textContent = words;
    input.focus();
  };
  const look = async () => {
    if (!code.value.trim()) return fail(say("problem.field_needed"), code);
    const found = await call("POST", "/gifts", { body: { ...place, code: code.value.trim() } });
    balance = found.balance;
    amount.value = (most() / 10 ** decimals).toFixed(most() % 10 ** decimals ? decimals : 0);
    key = newTap();
    draw();
  };
  const settle = async () => {
    if (!(wanted() > 0 && wanted() <= most())) return fail(say("gift.amount_wrong", { most: price(most()) }), amount);
    await pay({ key, code: code.value.trim(), amount: wanted() });
  };
  return {
    field,
    look,
    words: () => (balance ? say("gift.pay", { amount: price(Math.min(most(), Math.max(0, wanted() || 0))) }) : say("gift.check")),
    async tap() {
      wrong.textContent = "";
      try {
        await (balance ? settle() : look());
      } catch (trouble) {
        fail(trouble.passing ? say("pay.failed") : explain(trouble.errors?.[0] ?? trouble), code);
      }
    },
  };
}
