// Sentences are chosen, added and taken away; the number and the people beside them follow what is typed.
import { turns } from "./turns.js";

const form = document.querySelector("[data-segment]");
const look = document.querySelector("[data-look]");
const rules = form.querySelector("[data-rules]");
const WAIT_MS = 250;
let waiting = 0;
const ask = turns();

async function draw() {
  const isLatest = ask();
  look.dataset.stale = "";
  try {
    const answer = await fetch("/panel/segments/look", { method: "POST", body: new URLSearchParams(new FormData(form)) });
    const html = answer.ok ? await answer.text() : "";
    if (!isLatest() || !html) return;
    const shown = new DOMParser().parseFromString(html, "text/html").querySelector(".looked");
    if (shown) look.replaceChildren(shown);
  } catch {
    // The next change asks again.
  } finally {
    if (isLatest()) delete look.dataset.stale;
  }
}

function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(draw, WAIT_MS);
}

// A copy of a template, with the row's number in its names.
function copy(template, number) {
  const made = template.content.cloneNode(true);
  for (const one of made.querySelectorAll("[name]")) one.name = one.name.replace("-N", `-${number}`);
  for (const one of made.querySelectorAll("[data-rule]")) one.dataset.rule = number;
  return made;
}

form.addEventListener("input", (event) => {
  const choice = event.target.closest("[data-sentence]");
  if (choice) {
    const row = choice.closest("[data-rule]");
    const template = [...form.querySelectorAll("template[data-of]")].find((one) => one.dataset.of === choice.value);
    const words = row.querySelector("[data-words]");
    words.replaceChildren(copy(template, row.dataset.rule));
    words.querySelector("input, select")?.focus();
  }
  soon();
});

form.addEventListener("click", (event) => {
  if (event.target.closest("[data-add]")) {
    const rows = [...rules.querySelectorAll("[data-rule]")];
    if (rows.length >= Number(form.dataset.most)) return;
    const number = Math.max(0, ...rows.map((row) => Number(row.dataset.rule))) + 1;
    rules.append(copy(form.querySelector("template[data-row]"), number));
    rules.lastElementChild.querySelector("[data-sentence]").focus();
    soon();
  }
  const gone = event.target.closest("[data-remove]")?.closest("[data-rule]");
  if (gone && rules.querySelectorAll("[data-rule]").length > 1) {
    const next = gone.nextElementSibling ?? gone.previousElementSibling;
    gone.remove();
    next.querySelector("[data-sentence]").focus();
    soon();
  }
});
