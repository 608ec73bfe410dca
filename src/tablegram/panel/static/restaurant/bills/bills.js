// A bill that several people work on: what the chosen dishes come to, and forms that follow what others do.
import { refresh } from "./live.js";

const [sums, paper, acts] = ["sums", "paper", "acts"].map((name) => document.querySelector(`[data-part="${name}"]`));
const notice = document.querySelector("[data-changed]");
// So long nobody pays a sum that has just changed below their finger.
const SETTLE_MS = 1000;

// What the chosen dishes come to, before anybody takes the money. The server reckons it in the same way.
const portions = (field) => {
  if (field.type === "checkbox") return field.checked ? 1 : 0;
  return Number(field.value.split(":")[2] ?? 0);
};

const worth = (order) => {
  const fields = [...order.querySelectorAll("[name=dish]")];
  // What costs nothing is nobody's to pay.
  const count = fields.reduce((sum, one) => sum + (Number(one.dataset.own) ? portions(one) : 0), 0);
  const { total, open, whole, left } = Object.fromEntries(Object.entries(order.dataset).map(([key, one]) => [key, Number(one)]));
  if (count >= left) return open;
  const value = fields.reduce((sum, one) => {
    const [own, of] = [Number(one.dataset.own), Number(one.dataset.of)];
    return sum + Math.floor((2 * own * portions(one) + of) / (2 * of));
  }, 0);
  return whole ? Math.min(open, Math.floor((2 * total * value + whole) / (2 * whole))) : 0;
};

function add() {
  const shown = acts.querySelector("[data-sum]");
  if (!shown) return;
  const sum = [...acts.querySelectorAll(".bill-dishes")].reduce((all, order) => all + worth(order), 0);
  const format = new Intl.NumberFormat(document.documentElement.lang, { style: "currency", currency: shown.dataset.currency, currencyDisplay: "narrowSymbol" });
  shown.hidden = sum === 0;
  shown.textContent = format.format(sum / 10 ** format.resolvedOptions().maximumFractionDigits);
}

// What somebody has chosen and typed, so that new forms have it too.
const fieldsOf = (part) => [...part.querySelectorAll("input:not([type=hidden]), select, textarea")];
const isTicked = (field) => field.type === "radio" || field.type === "checkbox";
const nameOf = (field) => {
  const which = isTicked(field) ? field.value : field.name === "dish" ? field.options[1].value : "";
  return `${field.form?.getAttribute("action")} ${field.name} ${which}`;
};

function keep(part) {
  const kept = new Map(fieldsOf(part).map((field) => [nameOf(field), isTicked(field) ? field.checked : field.value]));
  return () => {
    for (const field of fieldsOf(part)) {
      const was = kept.get(nameOf(field));
      if (isTicked(field)) {
        // Whoever was chosen and has nothing to pay any more leaves nobody chosen.
        if (was || field.name === "guest") field.checked = Boolean(was);
      } else if (was !== undefined && (field.tagName !== "SELECT" || [...field.options].some((one) => one.value === was))) field.value = was;
    }
  };
}

function isBusy() {
  if (acts.contains(document.activeElement) && document.activeElement.matches("input, select, textarea")) return true;
  if (acts.querySelector("details[open]")) return true;
  return fieldsOf(acts).some((field) => {
    if (field.type === "radio") return field.name === "how" && field.checked && field.value !== "all";
    if (field.type === "checkbox") return field.checked;
    return field.tagName === "SELECT" ? field.name === "dish" && field.value !== "" : field.value !== "";
  });
}

const payButtons = () => [...acts.querySelectorAll("#take button:not([data-changed] button)")];

/** The forms of the bill as it is now, with what was chosen and typed. */
async function renew() {
  const restore = keep(acts);
  acts.before(notice);
  notice.hidden = true;
  await refresh(acts);
  restore();
  add();
  compare(false);
}

/** Whether the forms are still those of the bill. Nobody who is at work on them loses them: they are told. */
async function compare(mayRenew = true) {
  const [now, shown] = [sums, acts].map((part) => part.querySelector("[data-state]"));
  if (!now || now.dataset.state === shown?.dataset.state) {
    notice.hidden = true;
    payButtons().forEach((one) => (one.disabled = false));
    return;
  }
  if (mayRenew && !isBusy()) {
    await renew();
    if (!notice.hidden) return;
    payButtons().forEach((one) => (one.disabled = true));
    setTimeout(() => notice.hidden && payButtons().forEach((one) => (one.disabled = false)), SETTLE_MS);
    return;
  }
  notice.querySelector("p").textContent = now.textContent;
  (acts.querySelector(".bill-buttons") ?? acts).before(notice);
  notice.hidden = false;
  // The server would refuse another sum, when the card was charged already.
  const open = acts.querySelector("#take [name=open]");
  if (open && Number(open.value) !== Number(now.dataset.open)) payButtons().forEach((one) => (one.disabled = true));
}

// Without what every answer has anew, and what this page has changed itself.
function bare(nodes) {
  const copy = document.createElement("template");
  copy.content.append(...[...nodes].map((one) => one.cloneNode(true)));
  copy.content.querySelectorAll("noscript, [name=csrf], [name=once]").forEach((one) => one.remove());
  copy.content.querySelectorAll("details").forEach((one) => one.removeAttribute("open"));
  copy.content.querySelectorAll("time").forEach((one) => one.replaceWith(one.dateTime));
  return copy.innerHTML;
}

let restorePaper = () => {};
paper.addEventListener("arriving", (event) => {
  const arrived = document.createElement("template");
  arrived.innerHTML = event.detail.html;
  if (bare(arrived.content.childNodes) === bare(paper.childNodes)) event.preventDefault();
  else restorePaper = keep(paper);
});
paper.addEventListener("swapped", () => restorePaper());
sums.addEventListener("swapped", () => compare());
notice.querySelector("button").addEventListener("click", renew);
acts.addEventListener("change", (event) => event.target.name === "dish" && add());
add();
