// A short word about what was done.
const SHOWN_MS = 6000;

export function toast(text, tone = "ok") {
  const element = document.createElement("p");
  element.className = "toast";
  element.dataset.tone = tone;
  element.textContent = text;
  document.getElementById("toasts").append(element);
  fade(element);
}

export function fade(element) {
  let timer = setTimeout(() => element.remove(), SHOWN_MS);
  // Who reads slowly points at it, and it stays.
  element.addEventListener("pointerenter", () => clearTimeout(timer));
  element.addEventListener("pointerleave", () => (timer = setTimeout(() => element.remove(), SHOWN_MS / 2)));
}
