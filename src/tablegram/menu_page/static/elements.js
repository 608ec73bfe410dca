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

// Make these the children of a place. Whatever is there under the same `data-key` stays where it is and takes over how the new
// one looks: a node that is taken out and put back loses the focus, and the tap of a finger that is on it.
export function keepIn(place, fresh) {
  const known = new Map([...place.children].map((node) => [node.dataset.key, node]));
  const kept = fresh.map((node) => {
    const there = known.get(node.dataset.key);
    if (!there || there === node || there.tagName !== node.tagName) return node;
    if (there.outerHTML === node.outerHTML) return there;
    for (const { name } of [...there.attributes]) if (!node.hasAttribute(name)) there.removeAttribute(name);
    for (const { name, value } of node.attributes) if (there.getAttribute(name) !== value) there.setAttribute(name, value);
    if (there.innerHTML !== node.innerHTML) there.replaceChildren(...node.childNodes);
    return there;
  });
  for (const node of [...place.children]) if (!kept.includes(node)) node.remove();
  kept.forEach((node, at) => place.children[at] !== node && place.insertBefore(node, place.children[at] ?? null));
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

export function roundButton(shape, label, onclick) {
  return el("button", { type: "button", class: "round", "aria-label": label, onclick }, icon(shape));
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
export function lift(dialog) {
  const place = byId("notice");
  const foot = dialog?.querySelector(".sheet-foot");
  (dialog ?? document.body).append(place);
  place.style.bottom = foot ? `${innerHeight - foot.getBoundingClientRect().top + 8}px` : "";
}
