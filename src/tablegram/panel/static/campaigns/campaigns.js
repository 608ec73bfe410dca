// The phone follows what is typed; a variable that is tapped goes where the cursor stands.
import { turns } from "./turns.js";

const form = document.querySelector("[data-campaign]");
const phone = document.querySelector("[data-phone]");
const WAIT_MS = 150;
let waiting = 0;
const ask = turns();

async function draw() {
  const isLatest = ask();
  phone.dataset.stale = "";
  try {
    const answer = await fetch("/panel/campaigns/look", { method: "POST", body: new URLSearchParams(new FormData(form)) });
    const html = answer.ok ? await answer.text() : "";
    if (!isLatest() || !html) return;
    const shown = new DOMParser().parseFromString(html, "text/html").querySelector(".phones");
    if (shown) phone.replaceChildren(shown);
  } catch {
    // The next change asks again.
  } finally {
    if (isLatest()) delete phone.dataset.stale;
  }
}

form.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(draw, WAIT_MS);
});
form.addEventListener("click", (event) => {
  const button = event.target.closest("[data-variable]");
  if (!button) return;
  const text = form.elements.text;
  text.setRangeText(button.dataset.variable, text.selectionStart, text.selectionEnd, "end");
  text.focus();
  text.dispatchEvent(new Event("input", { bubbles: true }));
});
