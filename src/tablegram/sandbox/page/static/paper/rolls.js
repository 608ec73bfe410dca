// New sheets roll out as they are printed; the server draws them.
import { turns } from "./turns.js";

const rolls = document.getElementById("rolls");
const live = document.getElementById("live");
const said = document.getElementById("live-words");
const ask = turns();

const numbers = () => [...rolls.querySelectorAll("[data-number]")].map((sheet) => Number(sheet.dataset.number));

async function refresh() {
  const isLatest = ask();
  const newest = Math.max(0, ...numbers());
  const address = new URL(location.href);
  address.searchParams.set("part", "rolls");
  const answer = await fetch(address);
  const html = await answer.text();
  if (!answer.ok || !isLatest()) return;
  const drawn = new DOMParser().parseFromString(html, "text/html");
  for (const sheet of drawn.querySelectorAll("[data-number]")) {
    if (Number(sheet.dataset.number) > newest) sheet.classList.add("fresh");
  }
  rolls.replaceChildren(...drawn.body.children);
}

function tell(state) {
  live.dataset.state = state;
  said.textContent = state === "live" ? live.dataset.live : live.dataset.lost;
}

const events = new EventSource("/sandbox/events");
events.addEventListener("open", () => { tell("live"); refresh(); });
events.addEventListener("error", () => tell("lost"));
events.addEventListener("paper", refresh);
events.addEventListener("reload", refresh);
