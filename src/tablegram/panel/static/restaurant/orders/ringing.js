// What the board's switches do: ring, keep the screen awake, fill the screen.
import { toast } from "./toast.js";

const said = JSON.parse(document.getElementById("board-words").textContent);
const RING_EVERY_MS = 9000;
const SOUND = "tablegram-board-sound";
const AWAKE = "tablegram-board-awake";

const box = document.querySelector(".board-switches");
const button = (name) => box.querySelector(`[data-switch="${name}"]`);
let audio = null;
let bell = 0;
let wanted = false;
let lock = null;

function keep(name, on) {
  try {
    localStorage.setItem(name, on ? "on" : "off");
  } catch {
    // It is on for as long as the page is open.
  }
}

function kept(name) {
  try {
    return localStorage.getItem(name) === "on";
  } catch {
    return false;
  }
}

// A browser makes no sound before somebody has touched the page.
function press(name, on) {
  button(name).setAttribute("aria-pressed", String(on));
}

const isOn = (name) => button(name).getAttribute("aria-pressed") === "true";

async function wakeAudio() {
  audio ??= new AudioContext();
  if (audio.state === "suspended") await Promise.race([audio.resume(), new Promise((done) => setTimeout(done, 300))]);
  button("sound").toggleAttribute("data-waits", audio.state !== "running");
  return audio.state === "running";
}

/** Two short tones, high enough to be heard over a kitchen. */
function beep() {
  if (!audio || audio.state !== "running") return;
  document.documentElement.dataset.rang = String(Number(document.documentElement.dataset.rang ?? 0) + 1);
  [[880, 0], [1175, 0.18]].forEach(([pitch, after]) => {
    const tone = audio.createOscillator();
    const loud = audio.createGain();
    const at = audio.currentTime + after;
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.0001, at);
    loud.gain.exponentialRampToValueAtTime(0.4, at + 0.02);
    loud.gain.exponentialRampToValueAtTime(0.0001, at + 0.16);
    tone.connect(loud).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.17);
  });
}

/** Something new waits: ring now, and again until it is touched. */
export function ringing() {
  wanted = true;
  if (bell) return;
  if (isOn("sound")) beep();
  bell = setInterval(() => isOn("sound") && beep(), RING_EVERY_MS);
}

export function silent() {
  wanted = false;
  clearInterval(bell);
  bell = 0;
}

async function stayAwake() {
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => (lock = null));
  } catch {
    press("awake", false);
    toast(said.not_awake, "bad");
  }
}

box.hidden = false;
button("sound").addEventListener("click", async () => {
  const on = !isOn("sound");
  press("sound", on);
  keep(SOUND, on);
  if (!on) return;
  await wakeAudio();
  beep();
  toast(said.sound_on);
});
button("awake").addEventListener("click", async () => {
  const on = !isOn("awake");
  press("awake", on);
  keep(AWAKE, on);
  if (on) await stayAwake();
  else await lock?.release();
});
button("wall").addEventListener("click", async () => {
  const on = !document.documentElement.classList.contains("wall");
  document.documentElement.classList.toggle("wall", on);
  press("wall", on);
  try {
    if (on) await document.documentElement.requestFullscreen();
    else if (document.fullscreenElement) await document.exitFullscreen();
  } catch {
    // Without it the board still fills the window.
  }
});
document.addEventListener("fullscreenchange", () => {
  if (document.fullscreenElement) return;
  document.documentElement.classList.remove("wall");
  press("wall", false);
});
// A screen that was looked away from has let go.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && isOn("awake") && !lock) stayAwake();
});

if (!("wakeLock" in navigator)) button("awake").hidden = true;
else if (kept(AWAKE)) {
  press("awake", true);
  stayAwake();
}
if (kept(SOUND)) {
  press("sound", true);
  button("sound").setAttribute("data-waits", "");
  button("sound").title = said.sound_waits;
  document.addEventListener("pointerdown", async () => {
    if (isOn("sound") && (await wakeAudio()) && wanted) beep();
  }, { once: true });
}
