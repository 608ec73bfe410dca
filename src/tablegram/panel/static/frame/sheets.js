// A row's details open at the side, under their own address; going back closes them.
import { words } from "./words.js";
import { toast } from "./toast.js";
import { turns } from "./turns.js";

const sheet = document.getElementById("sheet");
const home = location.href;
const ask = turns();
let leaving = false;

document.addEventListener("click", (event) => {
  const row = event.target.closest("[data-row-link]");
  let link = event.target.closest("a[data-sheet]");
  if (!link && row && !event.target.closest("a, button, input, select, label, summary")) link = row.querySelector("a[data-sheet]");
  if (!link || !sheet || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  show(link.href, true);
});

async function show(address, isNew) {
  // Of two rows that are chosen one after the other the second is shown, whichever answer comes first.
  const isLatest = ask();
  const part = new URL(address, location.href);
  part.searchParams.set("part", "sheet");
  try {
    const answer = await fetch(part);
    if (answer.status === 401) return location.assign((await answer.json()).location);
    const html = await answer.text();
    if (!isLatest()) return;
    if (!answer.ok) return location.assign(address);
    sheet.querySelector(".sheet-body").innerHTML = html;
  } catch {
    if (isLatest()) toast(words.load_failed, "bad");
    return;
  }
  if (isNew) history.pushState({ sheet: true }, "", address);
  if (!sheet.open) sheet.showModal();
  sheet.scrollTop = 0;
}

sheet?.addEventListener("close", () => {
  sheet.querySelector(".sheet-body").replaceChildren();
  if (history.state?.sheet && !leaving) history.back();
  leaving = false;
});

window.addEventListener("popstate", () => {
  if (!sheet) return;
  ask();
  if (history.state?.sheet) show(location.href, false);
  else if (sheet.open) {
    leaving = true;
    sheet.close();
  } else if (location.href !== home && !location.hash) location.reload();
});
