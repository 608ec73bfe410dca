// Cards are added, moved and taken away; what is wrong with them, and a test run, are shown without leaving the page.
const form = document.querySelector("[data-flow]");
const steps = form.querySelector("[data-steps]");
const wrong = form.querySelector("[data-wrong]");
const trigger = form.querySelector("[data-trigger]");
const WAIT_MS = 300;
let waiting = 0;
let asked = 0;

async function fetched(address, body, part) {
  const answer = await fetch(address, { method: "POST", body });
  const html = answer.ok ? await answer.text() : "";
  return html ? new DOMParser().parseFromString(html, "text/html").querySelector(part) : null;
}

async function look() {
  const turn = ++asked;
  try {
    const shown = await fetched(form.dataset.look, new URLSearchParams(new FormData(form)), ".looked");
    // Whoever was asked later is right.
    if (turn === asked && shown) wrong.replaceChildren(shown);
  } catch {
    // The next change asks again.
  }
}

function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(look, WAIT_MS);
}

function cards() {
  return [...steps.querySelectorAll(":scope > [data-step]")];
}

function number() {
  for (const [place, card] of cards().entries()) card.querySelector("[data-number]").textContent = place + 1;
  const full = cards().length >= Number(form.dataset.most);
  for (const button of form.querySelectorAll("[data-add]")) button.disabled = full;
}

function fit() {
  for (const part of form.querySelectorAll("[data-for]")) part.hidden = !part.dataset.for.split(" ").includes(trigger.value);
}

function added(kind) {
  const template = [...form.querySelectorAll("template[data-of]")].find((one) => one.dataset.of === kind);
  const next = Math.max(0, ...cards().map((card) => Number(card.dataset.step))) + 1;
  const made = template.content.cloneNode(true);
  for (const one of made.querySelectorAll("*")) {
    for (const name of ["name", "id", "aria-describedby"]) {
      const value = one.getAttribute(name);
      if (value) one.setAttribute(name, value.replaceAll("-N", `-${next}`));
    }
  }
  made.querySelector("[data-step]").dataset.step = next;
  steps.append(made);
  return steps.lastElementChild;
}

form.addEventListener("input", (event) => {
  if (event.target === trigger) fit();
  soon();
});

form.addEventListener("click", (event) => {
  const add = event.target.closest("[data-add]");
  const card = event.target.closest("[data-step]");
  if (add) {
    const made = added(add.dataset.add);
    number();
    (made.querySelector("textarea, input:not([type=hidden]), select") ?? made.querySelector("button")).focus();
  } else if (card && event.target.closest("[data-up]")) {
    card.previousElementSibling?.before(card);
    card.querySelector("[data-up]").focus();
  } else if (card && event.target.closest("[data-down]")) {
    card.nextElementSibling?.after(card);
    card.querySelector("[data-down]").focus();
  } else if (card && event.target.closest("[data-remove]")) {
    const next = card.nextElementSibling ?? card.previousElementSibling;
    card.remove();
    (next?.querySelector("[data-remove]") ?? form.querySelector("[data-add]")).focus();
  } else {
    return;
  }
  number();
  soon();
});

const trial = document.querySelector("[data-try]");
trial?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const place = document.querySelector("[data-tried]");
  try {
    const shown = await fetched(trial.action, new URLSearchParams(new FormData(trial)), ".tried");
    if (shown) place.replaceChildren(shown);
  } catch {
    trial.submit();
  }
});

fit();
number();
