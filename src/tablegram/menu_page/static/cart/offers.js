import { cart, edit } from "./cart.js";
import { standing } from "./catalogue.js";
import { el } from "./elements.js";
import { saveSoon } from "./saving.js";
import { facts, say } from "./words.js";

// The house's own sentence in the guest's language, or in the first that it has.
function sentence() {
  const known = standing.offers ?? {};
  return known[facts.language] ?? Object.values(known)[0];
}

// Nobody has ticked it but the guest, and what they ticked is this very sentence.
export function drawOffers(place) {
  const asked = sentence();
  if (cart.offers && cart.offers !== asked?.version) {
    Object.assign(cart, { offers: "", dirty: true });
    saveSoon();
  }
  place.hidden = !asked;
  if (!asked) return;
  if (place.dataset.version !== asked.version) {
    const box = el("input", { type: "checkbox", onchange: () => edit(() => (cart.offers = box.checked ? asked.version : "")) });
    place.replaceChildren(el("label", { class: "choice" }, box, el("span", { dir: "auto" }, asked.words, el("small", {}, say("offers_hint")))));
    place.dataset.version = asked.version;
  }
  place.querySelector("input").checked = cart.offers === asked.version;
}
