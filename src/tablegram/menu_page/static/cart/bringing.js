import { cart, edit, inStep } from "./cart.js";
import { el } from "./elements.js";
import { say } from "./words.js";

// Where a delivery goes, at a restaurant with zones: the phone says it once, and the server says what that costs.
const locating = { failed: false, runs: false };

export function drawBringing(place, redraw) {
  const told = cart.order_type === "delivery" ? cart.view?.delivery : null;
  place.hidden = !told;
  if (!told) return;
  const fresh = el("div", { class: "bringing" }, el("p", { role: "status", class: told.words ? "wrong" : "hint" }, ...placeWords(told)));
  if (navigator.geolocation) {
    fresh.append(el("button", { type: "button", class: "secondary", disabled: locating.runs, onclick: () => locate(redraw) },
      say(cart.place ? "place.again" : "place.share")));
  }
  if (locating.failed) fresh.append(el("p", { class: "wrong", role: "alert" }, say("place.failed")));
  // What looks the same stays, with the focus that may be on it.
  if (place.firstElementChild?.outerHTML !== fresh.outerHTML) place.replaceChildren(fresh);
}

// Whether the server has said that nobody brings it there, or not so little of it.
export const isNotBrought = () => cart.order_type === "delivery" && inStep() && Boolean(cart.view.delivery?.words);

function placeWords(told) {
  if (told.words) return told.words.split("\n").flatMap((line) => [line, el("br", {})]).slice(0, -1);
  if (told.standing === "inside") return [say("place.inside", { zone: told.zone, minutes: told.minutes })];
  return [say("place.ask")];
}

function locate(redraw) {
  Object.assign(locating, { failed: false, runs: true });
  redraw();
  navigator.geolocation.getCurrentPosition(({ coords }) => {
    locating.runs = false;
    edit(() => (cart.place = { latitude: coords.latitude, longitude: coords.longitude }));
  }, () => {
    Object.assign(locating, { failed: true, runs: false });
    redraw();
  }, { enableHighAccuracy: true, timeout: 20000 });
}
