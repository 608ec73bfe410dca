import { price } from "./catalogue.js";
import { el, notice } from "./elements.js";
import { leave } from "./sheets.js";
import { call, ownLink } from "./wire.js";
import { explain, facts, say } from "./words.js";

const PAYING = `tablegram-paying:${facts.venue.id}:${facts.table}`;
const MOST_SHARES = 8;

// The link that this phone has asked for before: whoever chooses again takes it back.
function ownPayLink(id) {
  try {
    return id === undefined ? localStorage.getItem(PAYING) ?? "" : localStorage.setItem(PAYING, id);
  } catch {
    return "";
  }
}

const newPayKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, "0")).join("");

// Paying the table's bill on this phone: all of what nobody else is paying, or a share. Nothing where that cannot be done.
export function payingNow(bill) {
  const base = bill.payable || (ownPayLink() && bill.open);
  if (!base) return null;
  const share = el("select", { id: "pay-share" }, el("option", { value: "1" }, say("call.share_all", { amount: price(base) })));
  for (let many = 2; many <= MOST_SHARES && base >= many; many += 1) {
    share.append(el("option", { value: many }, say("call.share_of", { n: many, amount: price(Math.floor(base / many)) })));
  }
  const field = el("div", { class: "field", hidden: true }, el("label", { for: "pay-share" }, say("call.share")), share,
    el("small", {}, say("call.share_hint")));
  let key = newPayKey();
  share.addEventListener("change", () => { key = newPayKey(); });
  return { field, async pay() {
    const body = { ...facts.place, key, language: document.documentElement.lang, parts: Number(share.value), instead: ownPayLink() };
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
