// The desk: two phones, the notes beside them, and the live stream that keeps all of it true.
import { loadFaults, startFaults } from "./faults.js";
import { Handset } from "./handset.js";
import { network } from "./network.js";
import { drawFigures, drawLines, sampleCommand } from "./notes.js";
import { say } from "./words.js";

const SHOWN = 2;
const asked = new URLSearchParams(location.search);

const desk = {
  phones: [],
  lines: [],
  handsets: [],

  async loadPhones() {
    this.phones = await network.phones();
    for (const handset of this.handsets) handset.drawOwner();
  },

  async loadLines() {
    this.lines = await network.numbers();
    drawLines(this.lines);
  },
};

async function start() {
  await Promise.all([desk.loadPhones(), desk.loadLines()]);
  const wanted = (asked.get("phone") ?? "").replace(/\D/g, "");
  if (wanted && !desk.phones.some((phone) => phone.number === wanted)) {
    await network.addPhone(wanted, "").catch(() => {});
    await desk.loadPhones();
  }
  const order = [...desk.phones].sort((one, other) => (other.number === wanted) - (one.number === wanted));
  const first = order.slice(0, SHOWN);
  desk.handsets = first.map(() => new Handset(desk));
  document.getElementById("phones").replaceChildren(...desk.handsets.map((handset) => handset.root));
  document.getElementById("first-send").replaceChildren(sampleCommand(first[0]?.number));
  const line = desk.lines.find((one) => [one.id, one.display_phone_number].includes(asked.get("to")));
  await Promise.all(desk.handsets.map((handset, at) => handset.open(first[at].number, at === 0 ? line : null)));
  if (asked.get("text")) typeIn(desk.handsets[0], asked.get("text"));
  startFaults(desk);
  loadFaults();
  drawFigures();
  watch();
}

// A link can bring a text along; the person still sends it.
function typeIn(handset, text) {
  const box = handset.part("text");
  box.value = text.slice(0, 4096);
  box.dispatchEvent(new Event("input"));
  box.focus();
}

async function reload() {
  await Promise.all([desk.loadPhones(), desk.loadLines()]);
  await Promise.all(desk.handsets.map((handset) => handset.open(handset.number, handset.line)));
}

// Many messages a second must not become many requests a second.
function calmly(work, everyMs) {
  let waiting = null;
  return () => {
    waiting ??= setTimeout(() => { waiting = null; work(); }, everyMs);
  };
}

function watch() {
  const refreshPhones = calmly(() => desk.loadPhones().catch(() => {}), 1_000);
  const refreshFigures = calmly(drawFigures, 700);
  const refreshFaults = calmly(loadFaults, 300);
  const stream = new EventSource("/sandbox/events");
  let lost = false;
  const on = (name, act) => stream.addEventListener(name, (event) => act(JSON.parse(event.data)));
  on("hello", () => {
    showState("live");
    if (lost) reload().catch(() => {});
    lost = false;
  });
  on("message", (message) => {
    for (const handset of desk.handsets) if (handset.number === message.phone) handset.take(message);
    refreshPhones();
    refreshFigures();
    refreshFaults();
  });
  on("typing", ({ phone, number_id }) => {
    for (const handset of desk.handsets) if (handset.number === phone && handset.line?.id === number_id) handset.typing();
  });
  on("phone", refreshPhones);
  on("faults", refreshFaults);
  on("number", reload);
  on("cleared", reload);
  on("reload", reload);
  stream.onerror = () => {
    lost = true;
    showState("lost");
  };
  document.addEventListener("visibilitychange", () => desk.handsets.forEach((handset) => handset.readOpenChat()));
}

function showState(state) {
  const live = document.getElementById("live");
  live.dataset.state = state;
  document.getElementById("live-words").textContent = say(state === "live" ? "live" : "reconnecting");
}

start().catch((error) => {
  showState("lost");
  document.getElementById("phones").textContent = say("failed_action", { reason: error.message });
});
