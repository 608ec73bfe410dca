// The desk: two phones, the notes beside them, and the live stream that keeps all of it true.
import { loadFaults, startFaults } from "./faults.js";
import { Handset } from "./handset.js";
import { changed } from "./inspector.js";
import { network } from "./network.js";
import { drawFigures, drawLines, sampleCommand } from "./notes.js";
import { loadTemplates } from "./templates.js";
import { turns } from "./turns.js";
import { say } from "./words.js";

const SHOWN = 2;
const HELD = "sandbox.phone";
const asked = new URLSearchParams(location.search);
const askForPhones = turns();
const askForLines = turns();
// A proxy may hold the stream back; then the page is there without it.
const PATIENCE_MS = 3_000;
// Whether something was asked for, whether it is there, whether it must be asked for once more, and whether the stream is heard.
let hasBegun = false;
let isLoaded = false;
let isStale = false;
let isHeard = false;

const desk = {
  phones: [],
  lines: [],
  handsets: [],

  async loadPhones() {
    const isLatest = askForPhones();
    const phones = await network.phones();
    if (!isLatest() && isLoaded) return;
    this.phones = phones;
    for (const handset of this.handsets) handset.drawOwner();
  },

  async loadLines() {
    const isLatest = askForLines();
    const lines = await network.numbers();
    if (!isLatest() && isLoaded) return;
    this.lines = lines;
    drawLines(this.lines);
  },

  // What a link brought along is sent: a reload does not type it in again.
  sent(number) {
    remember(number);
    const address = new URL(location.href);
    if (!address.searchParams.has("text")) return;
    address.searchParams.delete("text");
    history.replaceState(null, "", address);
  },
};

// A link from the menu names a line and a text but no phone; the one that was used here last is most likely meant.
function remember(number) {
  try { localStorage.setItem(HELD, number); } catch { /* A browser that keeps nothing asks for nothing either. */ }
}

function remembered() {
  try { return localStorage.getItem(HELD) ?? ""; } catch { return ""; }
}

function wantedPhone() {
  const named = (asked.get("phone") ?? "").replace(/\D/g, "");
  if (named) remember(named);
  // Without one, a guest's phone is taken out of the drawer: the first in the list may be a waiter's.
  const guest = asked.get("text") ? document.getElementById("phones").dataset.guest : "";
  return named || remembered() || guest;
}

async function start() {
  // Who listens first and then looks misses nothing.
  await watch();
  hasBegun = true;
  await Promise.all([desk.loadPhones(), desk.loadLines()]);
  const wanted = wantedPhone();
  if (wanted && !desk.phones.some((phone) => phone.number === wanted)) {
    const { guest, guestName } = document.getElementById("phones").dataset;
    await network.addPhone(wanted, wanted === guest ? guestName : "").catch(() => {});
    await desk.loadPhones();
  }
  const order = [...desk.phones].sort((one, other) => (other.number === wanted) - (one.number === wanted));
  const first = order.slice(0, SHOWN);
  desk.handsets = first.map(() => new Handset(desk));
  document.getElementById("phones").replaceChildren(...desk.handsets.map((handset) => handset.root));
  document.getElementById("first-send").replaceChildren(sampleCommand(first[0]?.number));
  const to = asked.get("to");
  const line = to && desk.lines.find((one) => one.id === to || (digits(to) && digits(one.display_phone_number) === digits(to)));
  await Promise.all(desk.handsets.map((handset, at) => handset.open(first[at].number, at === 0 ? line : null)));
  if (asked.get("text")) typeIn(desk.handsets[0], asked.get("text"));
  startFaults(desk);
  loadFaults();
  loadTemplates();
  drawFigures();
  isLoaded = true;
  if (isStale) await reload();
  if (isHeard) showState("live");
}

const digits = (text) => (text ?? "").replace(/\D/g, "");

// A link can bring a text along; the person still sends it.
function typeIn(handset, text) {
  const box = handset.part("text");
  box.value = text.slice(0, 4096);
  box.dispatchEvent(new Event("input"));
  box.focus();
}

async function reload() {
  isStale = !isLoaded;
  if (isStale) return;
  try {
    await Promise.all([desk.loadPhones(), desk.loadLines(), loadTemplates()]);
    await Promise.all(desk.handsets.map((handset) => handset.refresh()));
  } catch {
    // The stream tells when the network is back, and that loads it all once more.
  }
}

// Many messages a second must not become many requests a second.
function calmly(work, everyMs) {
  let waiting = null;
  return () => {
    waiting ??= setTimeout(() => { waiting = null; work(); }, everyMs);
  };
}

/** Follow what happens. Answers when it is heard, or cannot be. */
function watch() {
  const refreshPhones = calmly(() => desk.loadPhones().catch(() => {}), 1_000);
  const refreshFigures = calmly(drawFigures, 700);
  const refreshFaults = calmly(loadFaults, 300);
  const stream = new EventSource("/sandbox/events");
  const on = (name, act) => stream.addEventListener(name, (event) => act(JSON.parse(event.data)));
  const begun = new Promise((begin) => {
    for (const name of ["hello", "error"]) stream.addEventListener(name, begin, { once: true });
    setTimeout(begin, PATIENCE_MS);
  });
  on("hello", () => {
    isHeard = true;
    if (isLoaded) showState("live");
    // What happened before it, nobody has told.
    if (hasBegun) reload();
  });
  on("message", (message) => {
    for (const handset of desk.handsets) if (handset.number === message.phone) handset.take(message);
    changed(message.id);
    refreshPhones();
    refreshFigures();
    refreshFaults();
  });
  on("typing", ({ phone, number_id }) => {
    for (const handset of desk.handsets) if (handset.number === phone && handset.line?.id === number_id) handset.typing();
  });
  on("callback", ({ message_id }) => changed(message_id));
  on("phone", refreshPhones);
  on("faults", refreshFaults);
  on("templates", loadTemplates);
  on("number", reload);
  on("cleared", reload);
  on("reload", reload);
  stream.onerror = () => {
    isHeard = false;
    showState("lost");
  };
  document.addEventListener("visibilitychange", () => desk.handsets.forEach((handset) => handset.readOpenChat()));
  return begun;
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
