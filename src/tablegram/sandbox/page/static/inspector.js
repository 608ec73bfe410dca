// What stands behind a bubble: its wire JSON and ids, every callback with its attempts; and what can be done with it.
import { summary } from "./bubbles.js";
import { element } from "./elements.js";
import { network } from "./network.js";
import { copyable } from "./notes.js";
import { turns } from "./turns.js";
import { count, exactTime, say } from "./words.js";

const FACES = ["👍", "❤️", "😂", "😮", "😢", "🙏"];
const dialog = document.getElementById("inspector");
const part = (name) => dialog.querySelector(`[data-part="${name}"]`);
const ask = turns();
let shown = null;
let told = "";

part("reply").addEventListener("click", () => { const { handset, id } = shown; dialog.close(); handset.replyTo(id); });
part("faces").append(...FACES.map((face) =>
  element("button", { type: "button", class: "face", "data-face": face, "aria-label": say("react_with", { emoji: face }), onclick: () => react(face) }, face)));
dialog.addEventListener("close", () => { shown = null; });

export async function inspect(handset, id) {
  shown = { handset, id };
  part("trouble").hidden = true;
  part("summary").textContent = summary(handset.messages.get(id));
  drawFaces();
  part("wire").replaceChildren();
  part("callbacks").replaceChildren();
  told = "";
  dialog.showModal();
  await refresh();
}

// Something happened to a message; whoever looks at it sees it.
export function changed(id) {
  if (shown?.id === id) refresh();
}

async function refresh() {
  const { handset, id } = shown;
  const isLatest = ask();
  let found;
  try {
    found = await network.inspect(handset.number, id);
  } catch (error) {
    return complain(error);
  }
  if (shown?.id !== id || !isLatest()) return;
  drawFaces();
  part("ids").replaceChildren(...Object.entries({ ...found.ids, status: say(`status_${found.message.status}`), time: exactTime(found.message.timestamp) })
    .map(([name, value]) => element("div", {}, element("dt", {}, say(`id_${name}`)), element("dd", { dir: "ltr" }, value))));
  part("wire-title").textContent = say(found.message.direction === "in" ? "wire_request" : "wire_callback");
  if (!part("wire").hasChildNodes()) part("wire").replaceChildren(found.wire ? json(found.wire) : element("p", { class: "small" }, say("wire_none")));
  drawCallbacks(found.callbacks);
}

function drawCallbacks(all) {
  // What looks the same stays under the finger that may be on it.
  if (told === JSON.stringify(all)) return;
  told = JSON.stringify(all);
  const list = part("callbacks");
  const open = new Set([...list.querySelectorAll("details[open]")].map((one) => one.dataset.id));
  const focused = list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  list.replaceChildren(...(all.length ? all.map((one) => callback(one, open.has(String(one.id)))) : [element("li", { class: "small" }, say("callbacks_none"))]));
  if (focused) list.querySelector(`[data-key="${focused}"]`)?.focus();
}

function callback(one, open) {
  const name = one.kind === "message" ? say("callback_message") : say(`callback_${one.status}`);
  const details = element("details", { "data-id": one.id, open },
    element("summary", { "data-key": `open-${one.id}` }, element("strong", {}, name), " ", element("span", { class: `small state-${one.state}` }, say(`callback_state_${one.state}`)),
      element("span", { class: "small" }, ` · ${say(one.tries === 1 ? "tries_one" : "tries", { count: count(one.tries) })}`)),
    element("ol", { class: "attempts" }, ...one.attempts.map(attempt)),
    one.state === "waiting" && element("p", { class: "small" }, say("callback_due", { time: exactTime(one.due) })),
    json(one.body),
    one.state !== "waiting" && element("button", { type: "button", class: "quiet", "data-key": `again-${one.id}`, onclick: () => replay(one.id) }, say("replay")));
  return element("li", {}, details);
}

function attempt(one) {
  const result = one.http_status ? `HTTP ${one.http_status}` : say(`callback_state_${one.error}`, {}, one.error);
  return element("li", {}, element("span", { class: "figures-text" }, exactTime(one.at_ms)), ` · ${result}`,
    one.took_ms !== undefined && ` · ${count(one.took_ms)} ms`, one.answer && element("code", { class: "answer", dir: "auto" }, one.answer));
}

const json = (value) => copyable(JSON.stringify(value, null, 2));

function drawFaces() {
  const mine = shown.handset.myReaction(shown.id);
  for (const button of part("faces").children) button.setAttribute("aria-pressed", String(button.dataset.face === mine));
}

// The same face again takes it back, as on a phone.
async function react(face) {
  const { handset, id } = shown;
  const emoji = handset.myReaction(id) === face ? "" : face;
  await act(async () => handset.take(await network.write(handset.number, { type: "reaction", to: handset.messages.get(id).number_id, context: id, emoji })));
}

const replay = (seq) => act(() => network.replay(shown.handset.number, shown.id, seq));

async function act(work) {
  part("trouble").hidden = true;
  try {
    await work();
    if (shown) await refresh();
  } catch (error) {
    complain(error);
  }
}

function complain(error) {
  part("trouble").textContent = say("failed_action", { reason: error.message });
  part("trouble").hidden = false;
}
