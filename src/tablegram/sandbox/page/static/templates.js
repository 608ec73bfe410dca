// Templates that were handed over: a tap decides what becomes of each.
import { element } from "./elements.js";
import { network } from "./network.js";
import { turns } from "./turns.js";
import { say } from "./words.js";

// The network decides by itself within this time, unless somebody does before.
const DECIDED_MS = 1_300;
const ask = turns();
let drawn = "";
let waiting = null;

export async function loadTemplates() {
  const isLatest = ask();
  const found = await network.templates().catch(() => null);
  if (!found || !isLatest()) return;
  // What looks the same stays under the finger that may be on it.
  if (drawn !== JSON.stringify(found)) {
    drawn = JSON.stringify(found);
    document.getElementById("templates-part").hidden = found.length === 0;
    document.getElementById("templates").replaceChildren(...found.map(row));
  }
  clearTimeout(waiting);
  if (found.some((one) => one.status === "PENDING" && !one.name.includes("pending"))) waiting = setTimeout(loadTemplates, DECIDED_MS);
}

function row(one) {
  const decide = (event, words) => one.status !== event && element("button", {
    type: "button", class: "quiet", "aria-label": `${say(words)}: ${one.name}`, onclick: () => change(one, event),
  }, say(words));
  return element("li", { "data-template": one.name },
    element("span", {}, element("strong", {}, one.name), element("span", { class: "small" }, ` ${one.language} · ${say(`template_${one.status.toLowerCase()}`, {}, one.status)}`)),
    element("span", { class: "decisions" }, decide("APPROVED", "template_approve"), decide("REJECTED", "template_reject")));
}

async function change(one, event) {
  const trouble = document.getElementById("templates-trouble");
  trouble.hidden = true;
  try {
    await network.decide(one.number_id, one.id, event, event === "REJECTED" ? "INVALID_FORMAT" : "");
  } catch (error) {
    trouble.textContent = say("failed_action", { reason: error.message });
    trouble.hidden = false;
  }
  await loadTemplates();
}
