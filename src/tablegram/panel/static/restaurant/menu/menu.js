// The menu: things change places by dragging or by the arrow keys, sold out is one tap, photos are shown beforehand.
import { csrf } from "./words.js";
import { toast } from "./toast.js";
import { refresh } from "./live.js";

const STEP = 18;
let drag = null;

// What works only with a script is shown only with one.
document.documentElement.classList.add("scripted");

async function send(address, fields) {
  const body = fields instanceof FormData ? new URLSearchParams(fields) : new URLSearchParams(fields);
  try {
    const answer = await fetch(address, { method: "POST", body, headers: { Accept: "application/json", "X-CSRF": csrf } });
    const told = await answer.json();
    if (answer.status === 401) return location.assign(told.location);
    if (!answer.ok) toast(told.detail, "bad");
    return answer.ok ? told : null;
  } catch {
    location.reload();
  }
  return null;
}

// Sold out, and back: the list stays where it is.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-quiet]")) return;
  event.preventDefault();
  const fields = new FormData(form);
  const button = event.submitter;
  if (button?.name) fields.set(button.name, button.value);
  // Looked up before anything is sent: a notice may bring the list anew before the answer is here.
  const part = form.closest("[data-part]");
  const key = form.closest("[data-key]")?.dataset.key;
  form.querySelectorAll("button").forEach((one) => (one.disabled = true));
  const told = await send(form.action, fields);
  if (told) toast(told.toast);
  const name = fields.get("ids");
  await refresh(part);
  const again = [...part.querySelectorAll("[data-quiet] [name=ids]")].find((one) => one.value === name);
  if (key || again) again?.form.querySelector("button")?.focus({ preventScroll: true });
});

// Dragging: the thing itself moves among its neighbours, so what one sees is what is kept.
document.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest("[data-grip]");
  if (!grip || event.button !== 0) return;
  const thing = grip.closest("[data-id]");
  drag = { thing, list: thing.parentElement, kind: thing.parentElement.dataset.sortable, before: order(thing.parentElement), pointer: event.pointerId, grip };
  grip.setPointerCapture(event.pointerId);
  thing.classList.add("dragged");
  event.preventDefault();
  grip.focus();
});

document.addEventListener("pointermove", (event) => {
  if (!drag || event.pointerId !== drag.pointer) return;
  scrollAtEdges(event.clientY);
  const list = listUnder(event) ?? drag.thing.parentElement;
  const others = [...list.children].filter((one) => one !== drag.thing && one.dataset.id);
  const next = others.find((one) => {
    const box = one.getBoundingClientRect();
    return event.clientY < box.top + box.height / 2;
  });
  if (next !== drag.thing.nextElementSibling || drag.thing.parentElement !== list) list.insertBefore(drag.thing, next ?? null);
});

function listUnder(event) {
  // A dish may go into another category; a category stays among categories.
  if (drag.kind !== "items") return null;
  const under = document.elementFromPoint(event.clientX, event.clientY)?.closest(".category");
  return under?.querySelector("[data-sortable=items]") ?? null;
}

function scrollAtEdges(y) {
  if (y < 90) scrollBy(0, -STEP);
  else if (y > innerHeight - 90) scrollBy(0, STEP);
}

for (const name of ["pointerup", "pointercancel"]) {
  document.addEventListener(name, (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    const { thing, list, before } = drag;
    thing.classList.remove("dragged");
    drag = null;
    keep(thing, list, before);
  });
}

document.addEventListener("keydown", (event) => {
  const grip = event.target.closest?.("[data-grip]");
  if (!grip || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
  event.preventDefault();
  const thing = grip.closest("[data-id]");
  const list = thing.parentElement;
  const before = order(list);
  const neighbour = event.key === "ArrowUp" ? thing.previousElementSibling : thing.nextElementSibling;
  if (!neighbour) return;
  if (event.key === "ArrowUp") neighbour.before(thing);
  else neighbour.after(thing);
  grip.focus();
  thing.scrollIntoView({ block: "nearest" });
  keep(thing, list, before);
});

function order(list) {
  return [...list.children].map((one) => one.dataset.id).filter(Boolean).join(",");
}

async function keep(thing, list, before) {
  const now = thing.parentElement;
  const kind = now.dataset.sortable;
  // A form keeps its lines in the order that they stand in.
  if (kind === "form" || (now === list && order(now) === before)) return;
  const address = thing.closest("[data-order]").dataset.order;
  let fields = { ids: order(now) };
  if (kind === "items") fields.category = now.dataset.category;
  if (now !== list) fields = { item: thing.dataset.id, category: now.dataset.category, before: thing.nextElementSibling?.dataset.id ?? "" };
  // Looked up before it is sent: a notice may bring the list anew before the answer is here.
  const part = thing.closest("[data-part]");
  const told = await send(address, fields);
  if (!told) refresh(part);
}

// Lines of a form: one more, one less.
let made = 0;
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-add-row]")) {
    const rows = document.querySelector("[data-rows]");
    const fresh = rows.lastElementChild.cloneNode(true);
    const old = fresh.dataset.id;
    const key = `x${(made += 1)}`;
    fresh.dataset.id = key;
    for (const field of fresh.querySelectorAll("input, select")) {
      field.name = field.name.replace(`_${old}`, `_${key}`);
      if (field.name === "option") field.value = key;
      else if (field.type === "checkbox") field.checked = false;
      else if (field.name.startsWith("most_")) field.value = "1";
      else field.value = "";
    }
    rows.append(fresh);
    for (const button of fresh.querySelectorAll("[aria-label]")) button.ariaLabel = button.ariaLabel.replace(/\d+/, rows.children.length);
    fresh.querySelector("input:not([type=hidden])").focus();
    return;
  }
  const remover = event.target.closest("[data-remove-row]");
  if (!remover) return;
  const row = remover.closest("[data-id]");
  // The last line stays as the pattern for new ones; without a name it is none.
  if (row.parentElement.children.length > 1) row.remove();
  else row.querySelectorAll("input:not([type=hidden], [type=checkbox])").forEach((field) => (field.value = ""));
});

// The photo as it will be, before it is sent.
document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-previews]")) return;
  const file = event.target.files[0];
  const place = document.querySelector("[data-preview]");
  if (!file || !place) return;
  const picture = document.createElement("img");
  picture.className = "photo";
  picture.alt = file.name;
  picture.src = URL.createObjectURL(file);
  place.replaceChildren(picture);
});
