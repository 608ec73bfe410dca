// What stands beside the phones: lines, a first command, and figures.
import { element } from "./elements.js";
import { network } from "./network.js";
import { count, say } from "./words.js";

export function sampleCommand(phone) {
  const body = JSON.stringify({ phone: phone || "905551112233", message: "Hello from Tablegram" });
  return copyable([
    `curl ${location.origin}/api/v1/messages/send`,
    '-H "Authorization: Bearer $TABLEGRAM_KEY"',
    '-H "Content-Type: application/json"',
    `-d '${body}'`,
  ].join(" \\\n  "));
}

export function copyable(text) {
  const button = element("button", { type: "button", class: "quiet copy" }, say("copy"));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = say("copied");
      setTimeout(() => { button.textContent = say("copy"); }, 1_500);
    } catch {
      getSelection().selectAllChildren(button.previousElementSibling);
    }
  });
  return element("div", { class: "command" }, element("pre", { tabindex: "0" }, element("code", {}, text)), button);
}

export function drawLines(lines) {
  const list = document.getElementById("lines");
  if (!lines.length) {
    list.replaceChildren(element("li", {}, element("p", {}, say("no_lines")), copyable("tablegram instance create --account demo --kind sandbox")));
    return;
  }
  list.replaceChildren(...lines.map((line) => element("li", {},
    element("strong", { dir: "auto" }, line.name),
    element("span", { class: "figures-text" }, line.display_phone_number ? `+${line.display_phone_number.replace(/^\+/, "")}` : line.id),
    !line.callback_url && element("span", { class: "warn" }, say("no_callback")))));
}

export async function drawFigures() {
  const figures = await network.counters().catch(() => null);
  if (!figures) return;
  document.getElementById("figure-accepted").textContent = count(figures.accepted);
  document.getElementById("figure-duplicates").textContent = count(figures.duplicates);
  document.getElementById("figure-pending").textContent = count(figures.callbacks.pending);
}
