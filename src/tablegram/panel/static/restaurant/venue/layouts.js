// The paper follows what is chosen: sections move in place, and the server draws the ticket again.
import { turns } from "./turns.js";

const form = document.querySelector("[data-preview]");
const roll = document.querySelector("[data-paper]");
const width = document.querySelector("[data-columns]");
const WAIT_MS = 120;
let waiting = 0;
const ask = turns();

async function draw() {
  const isLatest = ask();
  const fields = new URLSearchParams(new FormData(form));
  // A form that may not be changed says nothing of itself.
  for (const input of form.querySelectorAll("fieldset[disabled] [name]")) {
    if ((input.type !== "checkbox" || input.checked) && input.type !== "submit") fields.append(input.name, input.value);
  }
  fields.set("columns", width.value);
  roll.dataset.stale = "";
  try {
    const answer = await fetch(form.dataset.preview, { method: "POST", body: fields });
    const html = answer.ok ? await answer.text() : "";
    if (!isLatest() || !html) return;
    const paper = new DOMParser().parseFromString(html, "text/html").querySelector(".paper");
    if (paper) roll.replaceChildren(paper);
  } catch {
    // The next change asks again.
  } finally {
    if (isLatest()) delete roll.dataset.stale;
  }
}

function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(draw, WAIT_MS);
}

function place() {
  const rows = [...form.querySelectorAll("[data-section]")];
  rows.forEach((row, at) => {
    const [up, down] = row.querySelectorAll("[name=move]");
    if (!up) return;
    up.disabled = at === 0;
    down.disabled = at === rows.length - 1;
  });
}

form.addEventListener("input", soon);
width.addEventListener("change", draw);
form.addEventListener("click", (event) => {
  const button = event.target.closest("[name=move]");
  if (!button) return;
  event.preventDefault();
  const row = button.closest("[data-section]");
  if (button.value.startsWith("up:")) row.previousElementSibling?.before(row);
  else row.nextElementSibling?.after(row);
  place();
  // At the end of the list the button that was pressed is of no more use; the other one is.
  (button.disabled ? row.querySelector("[name=move]:not(:disabled)") : button)?.focus();
  soon();
});
