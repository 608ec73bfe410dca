import { menu } from "./catalogue.js";
import { byId, el } from "./elements.js";
import { count, say } from "./words.js";

const AVOIDED = "tablegram-without";
const without = new Set(loadAvoided());
let keys = new Map();

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
  for (const item of menu.items.values()) {
    const tags = item.tags.map((tag) => say(`tag.${tag}`));
    keys.set(item.id, fold([item.name, item.about, item.category, ...item.tags, ...tags].join(" ")));
  }
  drawAllergens();
  filter();
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
  const words = fold(byId("find").value).split(/\s+/).filter(Boolean);
  const narrowed = words.length > 0 || without.size > 0;
  let shown = 0;
  for (const section of byId("list").querySelectorAll(".category")) {
    let inSection = 0;
    for (const node of section.querySelectorAll(".item")) {
      const item = menu.items.get(node.dataset.id);
      const key = keys.get(node.dataset.id) ?? "";
      const fits = words.every((word) => key.includes(word)) && !item?.allergens.some((code) => without.has(code));
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
  const [list, tools] = [byId("list"), byId("tools").parentElement];
  const hidden = tools.getBoundingClientRect().bottom - list.getBoundingClientRect().top;
  if (hidden > 0) scrollBy(0, -hidden);
}

export function startSearch() {
  byId("find").addEventListener("input", find);
  document.addEventListener("click", (event) => {
    if (!byId("without").contains(event.target)) byId("without").open = false;
  });
  byId("tools").addEventListener("submit", (event) => {
    event.preventDefault();
    byId("find").blur();
  });
  byId("show-all").addEventListener("click", () => {
    byId("find").value = "";
    without.clear();
    set("", false);
    drawAllergens();
    filter();
  });
  indexMenu();
}
