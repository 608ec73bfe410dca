// New sheets roll out as they are printed; the server draws them.
const rolls = document.getElementById("rolls");
const live = document.getElementById("live");
const said = document.getElementById("live-words");
let asked = 0;

const numbers = () => [...rolls.querySelectorAll("[data-number]")].map((sheet) => Number(sheet.dataset.number));

async function refresh() {
  const turn = ++asked;
  const newest = Math.max(0, ...numbers());
  const address = new URL(location.href);
  address.searchParams.set("part", "rolls");
  const answer = await fetch(address);
  if (!answer.ok || turn !== asked) return;
  const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
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
