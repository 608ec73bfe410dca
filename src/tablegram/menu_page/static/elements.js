import { say } from "./words.js";

export const byId = (id) => document.getElementById(id);

// Text is only ever set as text: whatever a dish is called stays a name.
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in node && typeof value !== "string") node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const SHAPES = {
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  check: "M5 13l4 4L19 7",
};

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SHAPES[name]);
  svg.append(path);
  return svg;
}

function roundButton(shape, label, onclick) {
  return el("button", { type: "button", class: "round", "aria-label": label, onclick }, icon(shape));
}

// A sheet from below. The browser keeps the focus inside, and Escape or the phone's back button closes it.
export function sheet(name, title, { onclose } = {}) {
  const heading = el("h2", { id: `${name}-title`, dir: "auto", tabindex: "-1" }, title);
  const shut = roundButton("close", say("close"), () => dialog.close());
  const body = el("div", { class: "sheet-body" });
  const foot = el("div", { class: "sheet-foot" });
  const dialog = el("dialog", { class: `sheet ${name}`, "aria-labelledby": `${name}-title` },
    el("div", { class: "sheet-head" }, heading, shut), body, foot);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    // A notice that is shown in the sheet outlives it.
    if (dialog.contains(byId("notice"))) lift(null);
    dialog.remove();
    onclose?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  heading.focus({ preventScroll: true });
  return { dialog, heading, body, foot, close: () => dialog.close() };
}

// Minus, a figure, plus. What it counts is in the labels.
export function stepper(value, { least = 0, most = 99, name, onchange }) {
  const figure = el("output", { class: "figure" }, String(value));
  const set = (next) => {
    value = Math.min(most, Math.max(least, next));
    figure.textContent = value;
    fewer.disabled = value <= least;
    more.disabled = value >= most;
  };
  const step = (by) => () => {
    set(value + by);
    onchange(value);
  };
  const fewer = roundButton("minus", say("fewer", { name }), step(-1));
  const more = roundButton("plus", say("more", { name }), step(1));
  set(value);
  const node = el("div", { class: "stepper", role: "group", "aria-label": name }, fewer, figure, more);
  return Object.assign(node, { set, limit: (highest) => { most = highest; set(value); } });
}

let fading;
// A short notice above the cart bar; read out, never in the way of a finger. A dialog hides what is below it, so the
// notice goes into the topmost one.
export function notice(text, kind = "", forMs = 5000) {
  const place = byId("notice");
  lift([...document.querySelectorAll("dialog[open]")].at(-1));
  place.textContent = text;
  place.className = `notice shown ${kind}`;
  clearTimeout(fading);
  fading = setTimeout(() => {
    place.className = "notice";
    lift(null);
  }, forMs);
}

// Above the buttons of a sheet, which are what one reaches for next.
function lift(dialog) {
  const place = byId("notice");
  const foot = dialog?.querySelector(".sheet-foot");
  (dialog ?? document.body).append(place);
  place.style.bottom = foot ? `${innerHeight - foot.getBoundingClientRect().top + 8}px` : "";
}
