// The API's pages: a key that stays in this browser, a filter, samples in three languages, and calls to try.
import { startKey } from "./key.js";
import { startSamples } from "./samples.js";
import { startTrying } from "./trying.js";
import { say } from "./words.js";

startSamples();
startKey();
startTrying();
startFilter();
follow();
addEventListener("hashchange", follow);

// What an address names is opened, and everything around it.
function follow() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let at = target.matches("section") ? target.querySelector(".codes") : target; at; at = at.parentElement) {
    if (at.matches("details")) at.open = true;
  }
  target.scrollIntoView();
}

function startFilter() {
  const box = document.getElementById("filter");
  const text = document.getElementById("filter-text");
  const found = document.getElementById("filter-found");
  const rows = [...document.querySelectorAll("[data-find]")];
  box.hidden = false;
  text.addEventListener("input", () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kept = rows.filter((row) => {
      row.hidden = !words.every((word) => row.dataset.find.includes(word));
      return !row.hidden;
    });
    for (const group of document.querySelectorAll("[data-area], .codes")) {
      const some = group.querySelector("[data-find]:not([hidden])") !== null;
      group.hidden = !some;
      group.open = some && words.length > 0;
    }
    const calls = kept.filter((row) => row.localName !== "tr").length;
    found.textContent = words.length ? say(calls === 1 ? "found_one" : "found", { n: calls }) : "";
  });
  // Enter goes to the first that is left; a slash comes here from anywhere.
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const first = rows.find((row) => !row.hidden);
    if (!first) return;
    event.preventDefault();
    if (first.matches("details")) { first.open = true; first.querySelector("summary").focus(); }
    else first.querySelector("a")?.click();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.closest("input, textarea") || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    text.focus();
  });
}
