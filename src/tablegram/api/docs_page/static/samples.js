// Samples: one language at a time, the same everywhere, with the reader's key in it.
import { onKey } from "./key.js";
import { say } from "./words.js";

const NAME = "tablegram.docs.language";
const IN_PLACE = {
  curl: ["$TABLEGRAM_KEY", (key) => key],
  python: ['os.environ["TABLEGRAM_KEY"]', (key) => JSON.stringify(key)],
  javascript: ["${process.env.TABLEGRAM_KEY}", (key) => key],
};

export function startSamples() {
  for (const code of document.querySelectorAll("[data-samples] [data-language] code")) code.dataset.plain = code.textContent;
  for (const tabs of document.querySelectorAll("[data-samples] .tabs")) {
    tabs.hidden = false;
    tabs.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button?.dataset.language) choose(button.dataset.language);
      else if (button) copy(button);
    });
    tabs.addEventListener("keydown", (event) => move(event, tabs));
  }
  choose(remembered());
  onKey(fill);
}

function fill(key) {
  for (const panel of document.querySelectorAll("[data-samples] [role=tabpanel]")) {
    const code = panel.querySelector("code");
    const [place, written] = IN_PLACE[panel.dataset.language];
    code.textContent = key ? code.dataset.plain.replaceAll(place, () => written(key)) : code.dataset.plain;
  }
}

function choose(language) {
  for (const one of document.querySelectorAll("[data-samples] [data-language]")) {
    const mine = one.dataset.language === language;
    if (one.role === "tab" || one.getAttribute("role") === "tab") {
      one.setAttribute("aria-selected", String(mine));
      one.tabIndex = mine ? 0 : -1;
    } else one.hidden = !mine;
  }
  try { localStorage.setItem(NAME, language); } catch { /* It is chosen again next time. */ }
}

function remembered() {
  let known = null;
  try { known = localStorage.getItem(NAME); } catch { /* Then it is the first. */ }
  return known in IN_PLACE ? known : "curl";
}

function move(event, tabs) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const all = [...tabs.querySelectorAll("[role=tab]")];
  const at = all.indexOf(event.target);
  if (!step || at < 0) return;
  event.preventDefault();
  const next = all[(at + step + all.length) % all.length];
  choose(next.dataset.language);
  next.focus();
}

async function copy(button) {
  const code = button.closest("[data-samples]").querySelector("[role=tabpanel]:not([hidden]) code");
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = say("copied");
    setTimeout(() => { button.textContent = say("copy"); }, 1_500);
  } catch {
    getSelection().selectAllChildren(code);
  }
}
