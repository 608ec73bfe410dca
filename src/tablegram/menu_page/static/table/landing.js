import { price } from "./catalogue.js";
import { byId, roundButton } from "./elements.js";
import { turns } from "./turns.js";
import { call } from "./wire.js";
import { facts, say } from "./words.js";

const LANDED = `tablegram-landed:${facts.venue.id}:${facts.table}`;
const LOOK_AGAIN_MS = 3000;
const askForLink = turns();
let lookingAgain = null;

// The link from whose page this phone has come back, as long as nobody closes what is told of it; also after a reload.
function landedBy(id) {
  try {
    if (id === "") sessionStorage.removeItem(LANDED);
    else if (id) sessionStorage.setItem(LANDED, id);
    return id ?? sessionStorage.getItem(LANDED) ?? "";
  } catch {
    return id ?? "";
  }
}

function closeLanding() {
  askForLink();
  clearTimeout(lookingAgain);
  landedBy("");
  byId("landed").className = "landed";
  byId("landed").querySelector("p").textContent = "";
  byId("landed").querySelector("button").remove();
}

function tellLanding({ state, amount, tip }) {
  const place = byId("landed");
  const words = say(state === "paid" && tip ? "landed.paid_tip" : `landed.${state}`, { amount: price(amount), tip: price(tip) });
  const text = place.querySelector("p");
  place.className = `landed shown ${state}`;
  if (text.textContent !== words) text.textContent = words;
  if (!place.querySelector("button")) place.append(roundButton("close", say("close"), closeLanding));
}

// The way back from the payment page proves nothing: only what the server knows of the money is told.
async function lookAtLink(id) {
  clearTimeout(lookingAgain);
  const isLatest = askForLink();
  let found = { state: "waiting" };
  try {
    if (document.visibilityState === "visible") {
      const place = Object.entries(facts.place).filter(([, value]) => value);
      found = await call("GET", `/bill/links/${encodeURIComponent(id)}?${new URLSearchParams(place)}`);
      if (!isLatest()) return;
      tellLanding(found);
    }
  } catch (trouble) {
    // A link of another table, or none at all.
    if (isLatest() && trouble.status === 404) return landedBy("");
  }
  if (isLatest() && found.state === "waiting") lookingAgain = setTimeout(lookAtLink, LOOK_AGAIN_MS, id);
}

export function startLanding() {
  if (!byId("landed")) return;
  const address = new URL(location.href);
  const named = address.searchParams.get("paid");
  if (named) {
    // Whoever shares the address, or opens it tomorrow, has paid nothing.
    address.searchParams.delete("paid");
    history.replaceState(history.state, "", address);
  }
  const id = named ? landedBy(named) : landedBy();
  if (!id) return;
  lookAtLink(id);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && landedBy() && lookAtLink(id));
}
