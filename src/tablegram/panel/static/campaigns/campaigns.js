// The phone follows what is typed; a variable that is tapped goes where the cursor stands.
import { turns } from "./turns.js";

const form = document.querySelector("[data-campaign]");
const phone = document.querySelector("[data-phone]");
const WAIT_MS = 150;
let waiting = 0;
const ask = turns();

// The picture that goes along: the one just chosen, else the one that is kept and stays.
let chosen = null;

async function choose(file) {
  try {
    const drawn = await createImageBitmap(file, { resizeWidth: 520, resizeQuality: "medium" });
    chosen = document.createElement("canvas");
    chosen.width = drawn.width;
    chosen.height = drawn.height;
    chosen.getContext("2d").drawImage(drawn, 0, 0);
    chosen.setAttribute("role", "img");
    chosen.setAttribute("aria-label", file.name);
  } catch {
    // No picture that a browser reads; the server says what it takes.
    chosen = null;
  }
}

function kept() {
  const now = form.querySelector("[data-picture-now]");
  if (!now || form.elements.picture_gone?.checked) return null;
  const shown = new Image();
  shown.src = now.src;
  shown.alt = now.alt;
  return shown;
}

function hang() {
  for (const place of phone.querySelectorAll("[data-said-picture]")) {
    if (chosen) {
      const copy = chosen.cloneNode();
      copy.getContext("2d").drawImage(chosen, 0, 0);
      place.replaceChildren(copy);
    } else {
      const shown = kept();
      if (shown) place.replaceChildren(shown);
    }
  }
}

// A template's words are known here: each place shows what is typed for it, for an invented customer.
const words = [...phone.querySelectorAll("[data-words]")];
let place = null;

function invented(text) {
  return text.replace(/\{\{\s*([a-z_]+)\s*(?:\|[^{}]*)?\}\}/g, (whole, name) => {
    const button = form.querySelector(`[data-variable^="{{${name}|"]`);
    return button ? button.dataset.shown : whole;
  });
}

function fill() {
  for (const one of words) {
    const places = one.dataset.places.split(" ");
    one.textContent = one.dataset.words.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name) => {
      const typed = form.elements[`value-${places.indexOf(name) + 1}${one.dataset.tail}`]?.value;
      return typed ? invented(typed) : whole;
    });
  }
}

async function draw() {
  if (words.length) return fill();
  const isLatest = ask();
  phone.dataset.stale = "";
  try {
    const typed = new FormData(form);
    typed.delete("picture");
    if (chosen || kept()) typed.set("has_picture", "1");
    const answer = await fetch("/panel/campaigns/look", { method: "POST", body: new URLSearchParams(typed) });
    const html = answer.ok ? await answer.text() : "";
    if (!isLatest() || !html) return;
    const shown = new DOMParser().parseFromString(html, "text/html").querySelector(".phones");
    if (shown) phone.replaceChildren(shown);
    hang();
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
form.elements.picture?.addEventListener("change", async (event) => {
  const [file] = event.target.files;
  chosen = null;
  if (file) await choose(file);
  draw();
});
form.addEventListener("click", (event) => {
  const button = event.target.closest("[data-variable]");
  if (!button) return;
  // Of the version that the button stands in; where the cursor was last, if that was there.
  const version = button.closest(".version");
  const mine = version?.contains(place) ? place : version?.querySelector('[name^="value-"]');
  const text = form.elements.text ?? mine;
  const space = text.value.slice(0, text.selectionStart).endsWith("}}") ? " " : "";
  text.setRangeText(space + button.dataset.variable, text.selectionStart, text.selectionEnd, "end");
  text.focus();
  text.dispatchEvent(new Event("input", { bubbles: true }));
});
form.addEventListener("focusin", (event) => {
  if (event.target.name?.startsWith("value-")) place = event.target;
});
// Another template has other places: the page is drawn anew with what was typed.
form.addEventListener("change", (event) => {
  if (!event.target.matches("[data-arranges]")) return;
  form.noValidate = true;
  form.elements.arrange.value = "1";
});
if (words.length) fill();
