// What every page does: dialogs, sheets, copying, filters that submit themselves, times, and the line to the server.
import { words } from "./words.js";
import { toast, fade } from "./toast.js";
import { follow, refresh } from "./live.js";
import "./sheets.js";
import "./places.js";
import "./finder.js";

const remember = (name, value) => {
  document.cookie = `tablegram_${name}=${value}; path=/; max-age=31536000; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
};

// To ask a browser for its zone takes as long as all else that a page does. Where clocks go as they went in winter and in
// summer, whoever looks is where they were.
const offsets = [0, 6].map((month) => new Date(2026, month).getTimezoneOffset()).join("_");
if (!document.cookie.split("; ").includes(`tablegram_offsets=${offsets}`)) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
  // The first page was made before the server knew the zone: what it counted by days is asked for again.
  if (zone && !document.cookie.split("; ").includes(`tablegram_zone=${zone}`)) {
    remember("zone", zone);
    document.querySelectorAll("[data-live][data-part]").forEach(refresh);
  }
  remember("offsets", offsets);
}

function open(dialog) {
  if (!dialog.open) dialog.showModal();
  const wrong = dialog.querySelector("[aria-invalid]") ?? dialog.querySelector("[autofocus], input:not([type=hidden]), select, textarea");
  wrong?.focus();
}

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) {
    const dialog = document.getElementById(opener.dataset.opens);
    if (dialog) {
      event.preventDefault();
      open(dialog);
    }
    return;
  }
  const closer = event.target.closest("[data-close]");
  if (closer) {
    const dialog = closer.closest("dialog");
    if (dialog?.open) event.preventDefault();
    dialog?.close();
    return;
  }
  const copier = event.target.closest("[data-copy]");
  if (copier) copy(copier);
});

// What calls itself a button is pressed like one: with the space bar too.
document.addEventListener("keydown", (event) => {
  const button = event.key === " " && event.target.closest?.('a[role="button"]');
  if (!button) return;
  event.preventDefault();
  button.click();
});

// A click beside a dialog closes it, unless something was typed into it.
document.addEventListener("mousedown", (event) => {
  const dialog = event.target;
  if (!(dialog instanceof HTMLDialogElement) || !dialog.open) return;
  const box = dialog.getBoundingClientRect();
  const inside = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
  const typed = [...dialog.querySelectorAll("input:not([type=hidden], [type=checkbox], [type=radio]), textarea")].some((one) => one.value !== one.defaultValue);
  if (!inside && !typed) dialog.close();
});

async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    // Without TLS a browser gives no clipboard: the text is marked, and copied in the way that there was before.
    getSelection().selectAllChildren(button.previousElementSibling ?? button);
    if (!button.previousElementSibling || !document.execCommand("copy")) return toast(words.copy_failed, "bad");
  }
  toast(words.copied);
}

// A choice acts at once. With the arrow keys one passes by others on the way: there it waits for Enter, or, where the form
// has no button, for the choice to be left.
let byKeys = null;
let walking = null;
document.addEventListener("keydown", (event) => {
  const choice = event.target;
  if (!choice.matches?.("select[data-submits]")) return;
  if (event.key === "Enter" && walking === choice) {
    event.preventDefault();
    walking = null;
    choice.form.requestSubmit();
  } else byKeys = event.key === "Enter" ? null : choice;
});
document.addEventListener("pointerdown", () => (byKeys = null));
document.addEventListener("change", (event) => {
  const choice = event.target;
  if (!choice.matches("[data-submits]")) return;
  if (choice === byKeys) walking = choice;
  else choice.form.requestSubmit();
});
document.addEventListener("focusout", (event) => {
  if (walking !== event.target) return;
  walking = null;
  if (!event.target.form.querySelector("button")) event.target.form.requestSubmit();
});

// A second click on the same button must not do the work twice.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-once]") || event.defaultPrevented) return;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "1";
  setTimeout(() => delete form.dataset.sent, 8000);
});
window.addEventListener("pageshow", (event) => {
  document.querySelectorAll("[data-sent]").forEach((form) => delete form.dataset.sent);
  // A page that a browser kept and shows again has missed what happened meanwhile.
  if (event.persisted && !document.body.classList.contains("bare")) follow(true);
});

document.querySelectorAll("dialog[data-open]").forEach(open);
document.querySelectorAll(".toast").forEach(fade);
document.querySelector("main [aria-invalid]")?.focus();
if (!document.body.classList.contains("bare")) follow();
