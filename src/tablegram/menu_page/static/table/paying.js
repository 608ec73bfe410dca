import { menu, price } from "./catalogue.js";
import { el, notice } from "./elements.js";
import { giftCard } from "./gift.js";
import { leave } from "./sheets.js";
import { call, ownLink } from "./wire.js";
import { explain, facts, say } from "./words.js";

const PAYING = `tablegram-paying:${facts.venue.id}:${facts.table}`;
const MOST_SHARES = 8;
const TIPS = [5, 10, 15];

// The link that this phone has asked for before: whoever chooses again takes it back.
export function ownPayLink(id) {
  try {
    return id === undefined ? localStorage.getItem(PAYING) ?? "" : localStorage.setItem(PAYING, id);
  } catch {
    return "";
  }
}

const newPayKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, "0")).join("");

// Paying the table's bill with a gift card; nothing where there are none.
export function byGift(bill, redraw, done) {
  const left = bill.by_gift;
  if (!left) return null;
  const pay = async (wish) => {
    const paid = await call("POST", "/bill/gift", { body: { ...facts.place, ...wish } });
    done();
    notice(say("gift.paid", { amount: price(paid.amount), left: price(paid.gift_left) }), "good");
  };
  const made = giftCard({ left, place: facts.place, price, decimals: menu.decimals, pay, redraw });
  made.field.hidden = true;
  return made;
}

// Paying the table's bill on this phone: all of what nobody else is paying, or a share. Nothing where that cannot be done.
export function payingNow(bill) {
  const base = bill.payable;
  if (!base) return null;
  const share = el("select", { id: "pay-share" }, el("option", { value: "1" }, say("call.share_all", { amount: price(base) })));
  for (let many = 2; many <= MOST_SHARES && base >= many; many += 1) {
    share.append(el("option", { value: many }, say("call.share_of", { n: many, amount: price(Math.floor(base / many)) })));
  }
  const tip = el("select", { id: "pay-tip" });
  const own = el("input", { id: "pay-tip-own", inputmode: "decimal", autocomplete: "off", maxlength: "12" });
  const ownField = el("div", { class: "field", hidden: true }, el("label", { for: "pay-tip-own" }, say("call.tip_amount")), own);
  const paid = () => Math.max(1, Math.floor(base / Number(share.value)));
  const part = (percent) => Math.round((paid() * percent) / 100);
  // A tip is of what this phone pays: another share, another tip.
  const drawTips = () => {
    const chosen = tip.value;
    tip.replaceChildren(el("option", { value: "" }, say("call.tip_none")),
      ...TIPS.map((percent) => el("option", { value: percent }, say("call.tip_percent", { percent, amount: price(part(percent)) }))),
      el("option", { value: "own" }, say("call.tip_own")));
    tip.value = chosen;
  };
  drawTips();
  const field = el("div", { class: "pay", hidden: true },
    el("div", { class: "field" }, el("label", { for: "pay-share" }, say("call.share")), share, el("small", {}, say("call.share_hint"))),
    el("div", { class: "field" }, el("label", { for: "pay-tip" }, say("call.tip")), tip, el("small", {}, say("call.tip_hint"))), ownField);
  let key = newPayKey();
  share.addEventListener("change", drawTips);
  tip.addEventListener("change", () => { ownField.hidden = tip.value !== "own"; });
  field.addEventListener("change", () => { key = newPayKey(); });
  const chosenTip = () => {
    if (tip.value !== "own") return tip.value ? { tip_percent: Number(tip.value) } : {};
    const amount = Math.round(Number(own.value.trim().replace(",", ".")) * 10 ** menu.decimals);
    return { tip: amount };
  };
  // What the provider will ask for, the tip included.
  const sum = () => {
    const given = chosenTip();
    return paid() + (given.tip_percent ? part(given.tip_percent) : given.tip || 0);
  };
  return { field, words: () => say("pay.now", { price: price(sum()) }), async pay() {
    const given = chosenTip();
    if ("tip" in given && !(given.tip >= 0)) {
      own.focus();
      return notice(say("call.tip_wrong"), "bad");
    }
    const body = { ...given, ...facts.place, key, language: document.documentElement.lang, parts: Number(share.value), instead: ownPayLink() };
    try {
      const link = await call("POST", "/bill/pay", { body });
      ownPayLink(link.id);
      if (link.url) return leave(ownLink(link.url));
      key = newPayKey();
      notice(say("call.pay_not_yet"), "bad");
    } catch (trouble) {
      notice(trouble.passing ? say("pay.failed") : explain(trouble), "bad");
    }
  } };
}
