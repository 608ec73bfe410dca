import { menu } from "./catalogue.js";
import { byId, el } from "./elements.js";
import { count, has, say } from "./words.js";

const AVOIDED = "tablegram-without";
const without = new Set(loadAvoided());
// Every vegan dish is a vegetarian one, whether the menu says both or not.
const INCLUDES = { vegetarian: ["vegan"] };
const wanted = new Set();
// Shorter words are too near to too many others.
const FUZZY_FROM = 4;
let keys = new Map();
let vocabulary = new Map();

function loadAvoided() {
  try {
    return JSON.parse(localStorage.getItem(AVOIDED)) ?? [];
  } catch {
    return [];
  }
}

// Without case, accents, or the difference between the Turkish i's: the server's own key for finding things.
export function fold(text) {
  return text.normalize("NFKD").toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]+/g, "").replaceAll("ı", "i");
}

export function indexMenu() {
  keys = new Map();
  vocabulary = new Map();
  for (const item of menu.items.values()) {
    const tags = item.tags.map((tag) => (has(`tag.${tag}`) ? say(`tag.${tag}`) : tag));
    const key = fold([item.name, ...item.also, item.about, item.category, ...item.tags, ...tags].join(" "));
    keys.set(item.id, key);
    for (const word of key.split(/[^\p{L}\p{N}]+/u)) vocabulary.set(word, (vocabulary.get(word) ?? new Set()).add(item.id));
  }
  drawAllergens();
  markTags();
  filter();
}

// The dishes that a word stands for: those that have it somewhere, else those that have one like it, mistyped.
function found(typed) {
  const exact = [...keys].filter(([, key]) => key.includes(typed)).map(([id]) => id);
  if (exact.length || typed.length < FUZZY_FROM) return new Set(exact);
  const near = [...vocabulary].filter(([word]) => isNear(typed, word));
  return new Set(near.flatMap(([, ids]) => [...ids]));
}

// One letter too many, missing, wrong, or two that changed places; what follows in a longer word does not matter.
export function isNear(typed, word) {
  return [-1, 0, 1].some((more) => isOneEdit(typed, word.slice(0, typed.length + more)));
}

function isOneEdit(one, other) {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}

const isTagged = (item, tag) => [tag, ...(INCLUDES[tag] ?? [])].some((one) => item.tags.includes(one));

function markTags() {
  for (const chip of byId("tags").querySelectorAll("button")) {
    chip.setAttribute("aria-pressed", String(wanted.has(chip.dataset.tag)));
  }
}

function drawAllergens() {
  const used = new Set([...menu.items.values()].flatMap((item) => item.allergens));
  const named = [...used].map((code) => [say(`allergen.${code}`), code]);
  const boxes = named.sort(([one], [other]) => one.localeCompare(other)).map(([name, code]) =>
    el("label", { class: "tick" },
      el("input", { type: "checkbox", checked: without.has(code), onchange: (event) => set(code, event.target.checked) }),
      el("span", {}, name)));
  byId("allergens").replaceChildren(...boxes);
  byId("without").hidden = boxes.length === 0;
  sayWithout();
}

function set(code, wanted) {
  wanted ? without.add(code) : without.delete(code);
  try {
    localStorage.setItem(AVOIDED, JSON.stringify([...without]));
  } catch {
    // It then holds until the page is closed.
  }
  sayWithout();
  filter();
}

function sayWithout() {
  const names = [...without].map((code) => say(`allergen.${code}`));
  byId("without-words").textContent = names.length ? say("without_these", { names: names.join(", ") }) : say("without");
  byId("without").classList.toggle("on", names.length > 0);
}

export function filter() {
  const words = fold(byId("find").value).split(/\s+/).filter(Boolean).map(found);
  const narrowed = words.length > 0 || without.size > 0 || wanted.size > 0;
  let shown = 0;
  for (const section of byId("list").querySelectorAll(".category")) {
    let inSection = 0;
    for (const node of section.querySelectorAll(".item")) {
      const item = menu.items.get(node.dataset.id);
      const fits = Boolean(item) && words.every((ids) => ids.has(item.id)) && [...wanted].every((tag) => isTagged(item, tag))
        && !item.allergens.some((code) => without.has(code));
      node.hidden = !fits;
      inSection += fits ? 1 : 0;
    }
    section.hidden = inSection === 0;
    const chip = byId("chips").querySelector(`[href="#${section.id}"]`);
    if (chip) chip.parentElement.hidden = inSection === 0;
    shown += inSection;
  }
  byId("found").textContent = narrowed ? count("found", shown) : "";
  byId("nothing").hidden = shown > 0;
}

// What was found begins right below the search, however far down the guest was before.
function find() {
  filter();
  const [top, tools] = [byId("tags"), byId("tools").parentElement];
  const hidden = tools.getBoundingClientRect().bottom - top.getBoundingClientRect().top;
  if (hidden > 0) scrollBy(0, -hidden);
}

function pick(event) {
  const tag = event.target.closest("button")?.dataset.tag;
  if (!tag) return;
  wanted.has(tag) ? wanted.delete(tag) : wanted.add(tag);
  markTags();
  find();
}

export function startSearch() {
  byId("find").addEventListener("input", find);
  byId("tags").addEventListener("click", pick);
  // A tap beside the panel closes it and does nothing else: it is no tap on the dish that lies below.
  document.addEventListener("click", (event) => {
    if (!byId("without").open || byId("without").contains(event.target)) return;
    byId("without").open = false;
    // What is pressed with a keyboard was chosen.
    if (event.detail === 0) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  byId("tools").addEventListener("submit", (event) => {
    event.preventDefault();
    byId("find").blur();
  });
  byId("show-all").addEventListener("click", () => {
    byId("find").value = "";
    without.clear();
    wanted.clear();
    markTags();
    set("", false);
    drawAllergens();
    filter();
  });
  indexMenu();
}
