import { startCalls } from "./calls.js";
import { cart, countOf, onCart } from "./cart.js";
import { menu, readMenu } from "./catalogue.js";
import { startCart } from "./cart_sheet.js";
import { byId, notice } from "./elements.js";
import { startLanding } from "./landing.js";
import { markDishes, startLive, startWorker } from "./live.js";
import { addOrAsk, openByLink, openItem } from "./options.js";
import { saveSoon, startSaving } from "./saving.js";
import { startSearch } from "./search.js";
import { startSending } from "./sending.js";
import { startSheets } from "./sheets.js";
import { say } from "./words.js";

function startList() {
  byId("list").addEventListener("click", (event) => {
    const node = event.target.closest(".item");
    const item = node && menu.items.get(node.dataset.id);
    if (!item) return;
    if (event.target.closest(".plus")) {
      if (addOrAsk(item.id)) notice(say("added", { name: item.name }), "", 2500);
    } else if (event.target.closest(".open")) {
      event.preventDefault();
      openItem(item);
    }
  });
}

// How many of each are in the cart, on the plus itself.
function markCounts() {
  for (const node of byId("list").querySelectorAll(".item")) {
    const n = countOf(node.dataset.id);
    const plus = node.querySelector(".plus");
    const figure = plus.querySelector("span");
    if (figure.textContent !== (n ? String(n) : "")) figure.textContent = n ? String(n) : "";
    plus.classList.toggle("some", n > 0);
  }
}

// The chip of the category that is being read is the marked one, and in sight.
function startChips() {
  const chips = byId("chips");
  const seen = new Map();
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) seen.set(entry.target.id, entry.isIntersecting);
    const first = [...document.querySelectorAll(".category")].find((section) => seen.get(section.id));
    for (const link of chips.querySelectorAll("a")) {
      const is = first && link.hash === `#${first.id}`;
      if (is === link.hasAttribute("aria-current")) continue;
      is ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
      if (is) chips.scrollTo({ left: link.offsetLeft - 16, behavior: "auto" });
    }
  }, { rootMargin: "-130px 0px -60% 0px" });
  const watch = () => {
    seen.clear();
    observer.disconnect();
    for (const section of document.querySelectorAll(".category")) observer.observe(section);
  };
  addEventListener("menu-renewed", watch);
  watch();
}

readMenu();
startList();
startSearch();
startCart();
startCalls();
startLanding();
startChips();
onCart(markDishes);
onCart(markCounts);
onCart(() => cart.dirty && saveSoon());
startLive();
markDishes();
markCounts();
startSaving();
startSending();
startSheets(openByLink);
document.documentElement.dataset.ready = "yes";
// Last, and when the phone has nothing better to do.
(window.requestIdleCallback ?? setTimeout)(startWorker);
