import { price } from "./catalogue.js";
import { byId, el, notice } from "./elements.js";
import { byGift, ownPayLink, payingNow } from "./paying.js";
import { sheet } from "./sheets.js";
import { turns } from "./turns.js";
import { call } from "./wire.js";
import { explain, facts, say } from "./words.js";

const ASK_MS = 4000;
// Who called longer ago than this has been served, or has waved.
const ASK_FOR_MS = 30 * 60 * 1000;
const CALLED = `tablegram-called:${facts.venue.id}:${facts.table}`;
const askForCalls = turns();
let listening = null;

// Two taps, so that nobody calls by brushing against the screen.
function openCall(kind) {
  const { body, foot, close } = sheet("call", say(`call.${kind}`));
  const note = el("input", { id: "call-note", type: "text", maxlength: "200", autocomplete: "off", enterkeyhint: "send" });
  const done = el("button", { class: "primary", form: "call-form" }, say(`call.${kind}_now`));
  const form = el("form", { id: "call-form", hidden: kind === "bill" }, el("p", {}, say(`call.${kind}_text`, { table: facts.table })),
    el("div", { class: "field" },
      el("label", { for: "call-note" }, say(kind === "bill" ? "call.bill_words" : "call.waiter_note"), el("small", {}, say("optional"))), note));
  const words = form.lastChild;
  const online = { pays: null, gift: null };
  const method = () => form.elements.method?.value;
  const drawDone = () => {
    const how = { gift: online.gift?.words, online: online.pays?.words }[method()];
    done.textContent = how ? how() : say(`call.${kind}_now`);
  };
  if (kind === "bill") {
    done.disabled = true;
    askForBill().then((bill) => {
      // Nothing is brought to who owes nothing; somebody may still come.
      if (bill?.is_settled) {
        body.replaceChildren(el("p", { role: "status" }, say("call.all_paid", { table: facts.table })));
        done.replaceWith(el("button", { type: "button", class: "secondary", onclick: () => { close(); openCall("waiter"); } }, say("call.waiter")));
        return;
      }
      form.insertBefore(payment(bill, online, drawDone, close), words);
      form.hidden = done.disabled = false;
    });
  }
  // Who pays on this phone needs nobody to come.
  form.addEventListener("change", () => {
    words.hidden = form.firstChild.hidden = ["online", "gift"].includes(method());
    if (online.pays) online.pays.field.hidden = method() !== "online";
    if (online.gift) online.gift.field.hidden = method() !== "gift";
    drawDone();
  });
  form.addEventListener("input", drawDone);
  body.append(form);
  foot.append(done);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    done.disabled = true;
    if (["online", "gift"].includes(method())) {
      await (method() === "gift" ? online.gift.tap() : online.pays.pay());
      done.disabled = false;
      return;
    }
    try {
      const made = await call("POST", "/calls", { body: { kind, note: note.value.trim(), method: method() || null, ...facts.place } });
      close();
      notice(say(made.is_new ? `call.${kind}_done` : `call.${kind}_again`), "good");
      remind(Date.now());
      listen();
    } catch (trouble) {
      done.disabled = false;
      notice(trouble.passing ? say("call.failed") : explain(trouble), "bad");
    }
  });
}

// What is owed at the table; nothing when nobody answers.
async function askForBill() {
  const asked = Object.entries({ ...facts.place, own: ownPayLink() }).filter(([, value]) => value);
  try {
    return await call("GET", `/bill?${new URLSearchParams(asked)}`);
  } catch {
    return null;
  }
}

// How much is owed at the table, and how the guest will pay it.
function payment(bill, online, redraw, paid) {
  const pick = (one) => el("label", { class: "choice" },
    el("input", { type: "radio", name: "method", value: one }), say(`call.pay_${one}`));
  const choices = ["card", "cash"].map(pick);
  const field = (...more) => el("fieldset", { class: "types" }, el("legend", {}, say("call.bill_note")), ...more, ...choices);
  if (!bill?.total) return field();
  online.pays = payingNow(bill);
  online.gift = byGift(bill, redraw, paid);
  return field(el("p", { class: "owed" }, say("call.bill_owed", { amount: price(bill.open) })),
    bill.being_paid > 0 && el("p", {}, say("call.being_paid", { amount: price(bill.being_paid) })),
    online.pays && [pick("online"), online.pays.field], online.gift && [pick("gift"), online.gift.field]);
}

function remind(ms) {
  try {
    localStorage.setItem(CALLED, ms);
  } catch {
    // Nobody is told after a reload, then.
  }
}

function calledLately() {
  try {
    return Date.now() - Number(localStorage.getItem(CALLED)) < ASK_FOR_MS;
  } catch {
    return false;
  }
}

// The button itself says how its call stands: heard, then answered by somebody who comes.
function mark(heard) {
  for (const button of byId("calls").querySelectorAll("[data-call]")) {
    const { call: kind } = button.dataset;
    const state = heard[kind];
    const words = say(state ? `call.${kind}_${state}` : `call.${kind}`);
    if (button.textContent !== words) button.textContent = words;
    state ? (button.dataset.state = state) : delete button.dataset.state;
  }
}

async function listen() {
  clearTimeout(listening);
  const isLatest = askForCalls();
  try {
    if (document.visibilityState === "visible") {
      const place = Object.entries(facts.place).filter(([, value]) => value);
      const heard = await call("GET", `/calls?${new URLSearchParams(place)}`);
      // Asked before the guest called: it knows nothing of that.
      if (!isLatest()) return;
      mark(heard);
      if (!Object.keys(heard).length) return remind(0);
    }
  } catch {
    // It is asked again in a moment.
  }
  clearTimeout(listening);
  if (calledLately()) listening = setTimeout(listen, ASK_MS);
}

export function startCalls() {
  if (!byId("calls")) return;
  for (const button of byId("calls").querySelectorAll("[data-call]")) {
    button.addEventListener("click", () => openCall(button.dataset.call));
  }
  if (calledLately()) listen();
}
