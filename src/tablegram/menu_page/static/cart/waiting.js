import { cart, changed, inStep } from "./cart.js";
import { el, notice } from "./elements.js";
import { rememberGuest } from "./order_form.js";
import { forgetProof, proven } from "./rewards.js";
import { cartPath, ordered, reread, save } from "./saving.js";
import { call } from "./wire.js";
import { explain, say } from "./words.js";

// A network that is back may still lose the first request, and a server's trouble ends without a sign.
const AGAIN_MS = 5000;
// Who waited longer than this may have eaten elsewhere: they are asked to send it themselves.
const WAITS_MS = 15 * 60 * 1000;
const asRefused = new Set();
let again = null;

const isTooOld = () => Date.now() - cart.waiting_ms > WAITS_MS;

// Order the cart as it is here. `wanted` is asked in the last moment: saving may take long, and a phone may sleep over it.
async function place(given, wanted) {
  const late = !inStep() && !(await save());
  // The server has an older cart then, which is not what was ordered.
  if (cart.refused) throw Object.assign(new Error(), { ...cart.refused, errors: [] });
  if (late) throw Object.assign(new Error(), { passing: true });
  if (!wanted()) return;
  const { code } = cart;
  const proof = proven();
  const order = await call("POST", cartPath("/order"), { holder: cart.holder, body: proof ? { ...given, proof } : given })
    .catch((trouble) => {
      // The form asks for the number, then.
      if (trouble.code === "proof_unknown") forgetProof();
      throw trouble;
    });
  rememberGuest(given);
  // Another try was faster, and what is in the cart now was chosen since.
  if (cart.code === code) ordered(order);
}

// Answers with the server's refusal; with nothing when it is ordered, or kept until the server can be reached.
export async function orderOrKeep(given) {
  Object.assign(cart, { form: given, refusal: null });
  try {
    await place(given, () => true);
  } catch (trouble) {
    if (!trouble.passing) return trouble;
    // It is ordered as soon as the server answers: one cart is one order, however often it is sent.
    Object.assign(cart, { waiting_order: given, waiting_ms: Date.now() });
    changed();
    again = setTimeout(placeWaiting, AGAIN_MS);
  }
  return null;
}

function stopWaiting() {
  clearTimeout(again);
  cart.waiting_order = null;
}

function withdraw() {
  stopWaiting();
  changed();
  notice(say("order_withdrawn"), "", 8000);
  // Its answer may have been lost only; then it is there, and shows.
  reread();
}

// It stays in sight, with everything that was typed, until the guest has put it right or given it up.
function giveUp({ code, detail = "", errors = [] }) {
  stopWaiting();
  cart.refusal = { code, detail, errors };
  changed();
  // The open cart says it itself.
  if (!document.querySelector("dialog.cart")) notice(refusalWords(), "bad", 8000);
  reread();
  for (const listener of asRefused) listener();
}

export function onRefused(listener) {
  asRefused.add(listener);
}

export async function placeWaiting() {
  clearTimeout(again);
  if (!cart.waiting_order) return;
  if (isTooOld()) {
    giveUp({ code: "order_too_late" });
    return;
  }
  const { waiting_order: given, waiting_ms: since } = cart;
  const wanted = () => Boolean(cart.waiting_order) && cart.waiting_ms === since && !isTooOld();
  try {
    await place(given, wanted);
    if (cart.waiting_order) again = setTimeout(placeWaiting, AGAIN_MS);
  } catch (trouble) {
    if (!cart.waiting_order || cart.waiting_ms !== since) return;
    if (trouble.passing) again = setTimeout(placeWaiting, AGAIN_MS);
    else giveUp(trouble);
  }
}

export const refusalWords = () => {
  const { errors, ...whole } = cart.refusal;
  return `${say("order_refused")} ${explain(errors[0] ?? whole)}`;
};

// What became of an order that was kept: it waits, or it was not taken. `correct` opens the form with what was typed.
export function drawWaiting(correct) {
  if (cart.waiting_order) {
    return el("div", { class: "waiting" }, el("p", { role: "status" }, say("order_waits_hint")),
      el("button", { type: "button", class: "link", onclick: withdraw }, say("order_withdraw")));
  }
  if (!cart.refusal) return null;
  return el("div", { class: "waiting refused" }, el("p", { role: "alert" }, refusalWords()),
    el("button", { type: "button", class: "link", onclick: correct }, say("order_correct")));
}

export function startWaiting() {
  addEventListener("online", placeWaiting);
  placeWaiting();
}
