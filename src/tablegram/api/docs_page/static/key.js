// The reader's key: in this tab, or on this device when they say so. It goes into samples and calls, and nowhere else.
import { say } from "./words.js";

const NAME = "tablegram.docs.key";
const FORM = /^tg_(live|test)_[A-Za-z0-9_-]{20,80}$/;
const watchers = [];

export let key = read(sessionStorage) ?? read(localStorage) ?? "";

export function onKey(act) {
  watchers.push(act);
  act(key);
}

export function startKey() {
  const form = document.getElementById("key");
  const text = document.getElementById("key-text");
  const keep = document.getElementById("key-keep");
  const help = document.getElementById("key-help");
  const forget = document.getElementById("key-forget");
  form.hidden = false;
  keep.checked = read(localStorage) !== null;
  show();

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = text.value.trim();
    if (!FORM.test(given)) {
      help.textContent = say("key_wrong");
      text.setAttribute("aria-invalid", "true");
      return text.focus();
    }
    set(given);
    help.textContent = say("key_used");
  });
  keep.addEventListener("change", () => { if (key) set(key); });
  forget.addEventListener("click", () => {
    set("");
    help.textContent = say("key_forgotten");
    text.focus();
  });

  function set(given) {
    key = given;
    for (const store of [sessionStorage, localStorage]) write(store, null);
    if (given) write(keep.checked ? localStorage : sessionStorage, given);
    show();
    for (const act of watchers) act(key);
  }

  function show() {
    text.value = key;
    text.removeAttribute("aria-invalid");
    forget.hidden = !key;
  }
}

// A browser that keeps nothing is one where the key is typed again.
function read(store) {
  try { return store.getItem(NAME); } catch { return null; }
}

function write(store, value) {
  try { value === null ? store.removeItem(NAME) : store.setItem(NAME, value); } catch { /* See above. */ }
}
