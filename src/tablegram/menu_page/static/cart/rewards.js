import { cart, changed, inStep, onCart, rewardsTake, takenOff } from "./cart.js";
import { price, standing } from "./catalogue.js";
import { el, notice } from "./elements.js";
import { cartPath, onOrdered, venue } from "./saving.js";
import { sheet } from "./sheets.js";
import { call, mayOpen, ownLink } from "./wire.js";
import { explain, facts, say } from "./words.js";

const REWARD_ASK_MS = 2000;
const REWARD_KEPT = `tablegram-rewards:${facts.venue.id}`;
// Also where the browser keeps nothing.
let rewardProof = null;
let rewardPlace = null;

try {
  rewardProof = JSON.parse(sessionStorage.getItem(REWARD_KEPT) ?? "null");
} catch {
  // It is asked for again, then.
}

// What shows that this phone has sent the message, for as long as the visit lasts.
function keepProof(value) {
  rewardProof = value;
  try {
    value ? sessionStorage.setItem(REWARD_KEPT, JSON.stringify(value)) : sessionStorage.removeItem(REWARD_KEPT);
  } catch {
    // The page knows it until it is closed.
  }
  drawRewards();
}

// What an order is sent with by whose phone has sent the message; nothing for everybody else.
export const proven = () => (rewardProof?.known ? `${rewardProof.code}.${rewardProof.secret}` : null);

export function forgetProof() {
  keepProof(null);
}

// Lines in the cart, where there is anything to use. The button stays: the focus comes back to it.
export function drawRewards(place = rewardPlace) {
  if (place !== rewardPlace) {
    place.replaceChildren(el("div", {}), el("button", { type: "button", class: "secondary", onclick: openRewards }, say("rewards.title")));
    rewardPlace = place;
  }
  if (!place) return;
  place.hidden = !standing.rewards;
  const chosen = rewardProof?.chosen ?? [];
  // What is taken off stands among the sums.
  const taken = rewardsTake()?.discounts.map((one) => one.name);
  place.firstChild.replaceChildren(...chosen.filter((name) => !taken?.includes(name))
    .map((name) => el("p", { class: "hint" }, say(taken ? "rewards.takes_nothing" : "rewards.will_use", { name }))));
}

let weighing = "";
// How much the rewards take off depends on what is in the cart: it is asked for whenever that was saved.
async function weighRewards({ anew = false } = {}) {
  if (anew) [takenOff.code, weighing] = ["", ""];
  const proof = proven();
  const which = `${cart.code} ${cart.revision}`;
  if (!proof || !rewardProof.chosen?.length || !inStep() || !cart.code || weighing === which) return drawRewards();
  weighing = which;
  try {
    const found = await call("GET", cartPath("/rewards"), { holder: cart.holder, proof });
    if (weighing !== which) return;
    Object.assign(takenOff, found, { code: cart.code });
    changed();
  } catch {
    // The order itself says what it took off.
  }
  drawRewards();
}

const rewardPath = (proof) => `/rewards/${proof.code}?${venue}`;

function openRewards() {
  let isOpen = true;
  let asking = null;
  const { body } = sheet("rewards", say("rewards.title"), {
    onclose: () => {
      isOpen = false;
      clearTimeout(asking);
      document.removeEventListener("visibilitychange", askNow);
    },
  });
  const place = el("div", { class: "rewards-body" });
  body.append(place);
  document.addEventListener("visibilitychange", askNow);

  const wrong = (trouble) => notice(trouble.passing ? say("rewards.failed") : explain(trouble.errors?.[0] ?? trouble), "bad");

  // Nothing is asked for that nobody looks at: the app is in front meanwhile.
  function askNow() {
    if (document.visibilityState === "visible" && isOpen && rewardProof && !rewardProof.known) ask(rewardProof);
  }

  function draw(proof, found) {
    keepProof({ ...proof, known: true, chosen: found.chosen.map((one) => one.name) });
    weighRewards();
    const use = async (wish) => {
      try {
        const after = await call("POST", rewardPath(proof), { holder: proof.secret, body: wish });
        keepProof({ ...proof, known: true, chosen: after.chosen.map((one) => one.name) });
        weighRewards({ anew: true });
        if (isOpen) draw(proof, after);
        notice(say(after.chosen.length ? "rewards.chosen" : "rewards.dropped"), "good");
      } catch (trouble) {
        if (trouble.code === "proof_unknown") startAnew();
        wrong(trouble);
      }
    };
    const choice = (words, wish) => el("button", { type: "button", class: "secondary", onclick: () => use(wish) }, words);
    const parts = [];
    if (found.has_points) {
      const kind = found.worth ? "rewards.points" : found.points ? "rewards.points_only" : "rewards.no_points";
      parts.push(el("p", { role: "status" }, say(kind, { n: found.points, amount: price(found.worth) })));
    }
    for (const one of found.cards) parts.push(el("p", {}, say("rewards.card", one)));
    for (const one of found.chosen) parts.push(el("p", { class: "waiting" }, say("rewards.will_use", { name: one.name })));
    if (found.chosen.length) parts.push(choice(say("rewards.drop"), {}));
    if (found.worth) parts.push(choice(say("rewards.use_points"), { points: 0 }));
    for (const one of found.coupons) parts.push(choice(say("rewards.use", { name: one.name }), { code: one.code }));
    const code = el("input", { id: "reward-code", maxlength: "40", autocomplete: "off", autocapitalize: "characters" });
    const form = el("form", { class: "rewards-body" }, el("div", { class: "field" }, el("label", { for: "reward-code" }, say("rewards.code")), code),
      el("button", { class: "secondary" }, say("rewards.use_code")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (code.value.trim()) use({ code: code.value.trim() });
    });
    place.replaceChildren(...parts, form);
  }

  // The message takes its own way; we see here when it has come.
  async function ask(proof) {
    clearTimeout(asking);
    try {
      const found = await call("GET", rewardPath(proof), { holder: proof.secret });
      if (!isOpen || proof.code !== rewardProof?.code) return;
      if (found.known) return draw(proof, found);
    } catch (trouble) {
      if (!isOpen) return;
      if (!trouble.passing) return startAnew();
    }
    asking = setTimeout(() => document.visibilityState === "visible" && ask(proof), REWARD_ASK_MS);
  }

  function startAnew() {
    keepProof(null);
    place.replaceChildren(el("p", {}, say("rewards.over")),
      el("button", { type: "button", class: "primary", onclick: begin }, say("rewards.again")));
  }

  function drawMessage(made, opens) {
    place.replaceChildren(el("p", {}, say("rewards.prove")), el("p", { class: "waiting", dir: "auto" }, made.text),
      ...(opens ? [el("a", { class: "primary", href: ownLink(made.link), target: "_blank", rel: "noopener" }, say("rewards.open"))] : []),
      el("p", { class: "hint", role: "status" }, say("rewards.waiting")));
  }

  async function begin() {
    try {
      const made = await call("POST", "/rewards", { body: { ...facts.place, venue: facts.venue.id, language: facts.language } });
      const opens = Boolean(made.link) && (await mayOpen(made.link)) !== false;
      if (!isOpen) return;
      keepProof(made);
      drawMessage(made, opens);
      ask(rewardProof);
    } catch (trouble) {
      if (isOpen) wrong(trouble);
    }
  }

  if (!rewardProof) return begin();
  if (!rewardProof.known) drawMessage(rewardProof, Boolean(rewardProof.link));
  ask(rewardProof);
}

// What was chosen is used up by the order.
onOrdered(() => rewardProof && keepProof({ ...rewardProof, chosen: [] }));

onCart(() => weighRewards());
