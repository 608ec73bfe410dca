// The inbox: what comes in appears by itself, what is typed is never lost, and hands can stay on the keys.
import { csrf, here } from "./words.js";
import { toast } from "./toast.js";
import { refresh } from "./live.js";

const list = document.querySelector('[data-part="list"]');
const scroller = document.querySelector(".thread-scroll");
const messages = document.querySelector('.messages[data-part="messages"]');
const composer = document.getElementById("composer");
const said = JSON.parse(document.getElementById("inbox-words")?.textContent ?? "{}");
const address = here().pathname;
// Only the newest page of a conversation moves on by itself.
const isNewest = !new URLSearchParams(location.search).has("before");

function post(action, values) {
  const body = values instanceof FormData ? values : new URLSearchParams(values);
  return fetch(action, { method: "POST", body, headers: { "X-CSRF": csrf, Accept: "application/json" } });
}

// The figure beside the inbox in the navigation follows the list.
function count() {
  const waiting = Number(list?.querySelector("[data-waiting]")?.dataset.waiting ?? 0);
  for (const badge of document.querySelectorAll('[data-count="inbox"]')) {
    badge.hidden = !waiting;
    const figure = badge.querySelector(".figure");
    if (figure) figure.textContent = waiting < 100 ? waiting : "99+";
  }
}
list?.addEventListener("swapped", count);

// The last sight of the customer that was reported as read.
let seen = "";

// Staying at the end while there, staying put while reading further up.
let atEnd = true;
const toEnd = () => scroller.scrollTo({ top: scroller.scrollHeight });
if (scroller) {
  scroller.addEventListener("scroll", () => {
    atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 80;
  });
  messages.addEventListener("swapped", () => {
    if (atEnd && isNewest) toEnd();
    see();
  });
  // Pictures arrive after their message and push it out of sight.
  messages.addEventListener("load", () => atEnd && isNewest && toEnd(), true);
  if (!isNewest) delete messages.dataset.live;
  else toEnd();
  see();
  document.addEventListener("visibilitychange", see);
}

// Read means: open, on a screen that somebody looks at.
async function see() {
  const facts = messages?.querySelector("[data-seen]");
  if (!facts || document.visibilityState !== "visible" || !isNewest || facts.dataset.unread === "0") return;
  if (seen === facts.dataset.seen) return;
  seen = facts.dataset.seen;
  try {
    await post(`${address}/state`, { act: "seen", until: seen, message: facts.dataset.newest });
    refresh(list);
  } catch {
    seen = "";
  }
}

document.querySelector("[data-earlier]")?.addEventListener("click", async (event) => {
  const link = event.currentTarget;
  if (!isNewest || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  const part = new URL(address, location.href);
  part.searchParams.set("part", "messages");
  part.searchParams.set("before", link.dataset.earlier);
  try {
    const answer = await fetch(part);
    if (!answer.ok) throw new Error(String(answer.status));
    const older = document.createElement("div");
    older.className = "older";
    older.innerHTML = await answer.text();
    const next = older.querySelector("[data-next]")?.dataset.next;
    older.querySelector("[data-next]")?.remove();
    const height = scroller.scrollHeight;
    link.closest(".earlier-box").after(older);
    scroller.scrollTop += scroller.scrollHeight - height;
    if (next) link.dataset.earlier = next;
    else link.remove();
  } catch {
    toast(said.earlier_failed, "bad");
  }
});

// Writing
if (composer) {
  const text = composer.querySelector("textarea");
  const file = composer.querySelector("input[type=file]");
  const chosen = composer.querySelector(".chosen");
  const problem = composer.querySelector(".composer-problem");
  const mark = composer.querySelector("[name=once]");
  const button = composer.querySelector(".send");
  const menu = document.getElementById("canned");
  const replies = JSON.parse(document.getElementById("replies").textContent);
  const draft = `tablegram.draft.${composer.dataset.draft}`;
  const touch = matchMedia("(pointer: coarse)").matches;
  let isSending = false;

  const grow = () => {
    if (CSS.supports("field-sizing", "content")) return;
    text.rows = Math.min(10, Math.max(1, text.value.split("\n").length));
  };
  const keep = () => {
    if (text.value) localStorage.setItem(draft, text.value);
    else localStorage.removeItem(draft);
  };
  if (!text.value) text.value = localStorage.getItem(draft) ?? "";
  grow();
  if (!touch) text.focus({ preventScroll: true });

  function choose() {
    const picked = file.files[0];
    chosen.hidden = !picked;
    chosen.querySelector(".chosen-name").textContent = picked?.name ?? "";
    if (picked && picked.size > 104857600) {
      tell(said.too_large);
      file.value = "";
      chosen.hidden = true;
    }
  }
  file.addEventListener("change", choose);
  composer.querySelector("[data-unchoose]").addEventListener("click", () => {
    file.value = "";
    choose();
    text.focus();
  });
  text.addEventListener("paste", (event) => {
    if (!event.clipboardData.files.length) return;
    event.preventDefault();
    file.files = event.clipboardData.files;
    choose();
  });

  function tell(words) {
    problem.textContent = words ?? "";
    problem.hidden = !words;
  }

  composer.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isSending || (!text.value.trim() && !file.files.length)) return;
    isSending = true;
    tell("");
    const body = new FormData(composer);
    const sent = text.value;
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    try {
      const answer = await post(composer.action, body);
      if (answer.status === 401) return location.assign((await answer.json()).location);
      const told = await answer.json().catch(() => ({}));
      if (answer.ok) {
        // What was typed while it was on its way is the beginning of the next one.
        text.value = text.value.startsWith(sent) ? text.value.slice(sent.length).trimStart() : text.value;
        file.value = "";
        choose();
        keep();
        grow();
        atEnd = true;
      } else tell(told.detail ?? said.failed);
      // After an answer the next click is another message; without one, the same form may be sent again safely.
      if (told.once && (answer.ok || answer.status === 422)) mark.value = told.once;
      refresh(messages);
      refresh(list);
    } catch {
      tell(said.failed);
    } finally {
      isSending = false;
      button.disabled = false;
      button.removeAttribute("aria-busy");
      text.focus({ preventScroll: true });
    }
  });

  // Canned replies: a slash at the beginning, or the button.
  let place = 0;
  let shown = [];
  const fold = (word) => word.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replaceAll("ı", "i");
  const fill = (words) => {
    const name = composer.dataset.name.trim().split(/\s+/)[0];
    const filled = words.replace(/\{\s*(name|ad|isim)\s*\}/gi, name);
    return name ? filled : filled.replace(/ +([,.!?])/g, "$1").replace(/ {2,}/g, " ").trim();
  };
  function offer(typed, all) {
    const wanted = fold(typed);
    shown = replies.filter((one) => all || fold(one.shortcut).startsWith(wanted) || (wanted.length > 1 && fold(one.text).includes(wanted)));
    place = 0;
    menu.replaceChildren(...shown.map((one, index) => {
      const row = document.createElement("li");
      row.id = `canned-${index}`;
      row.setAttribute("role", "option");
      const short = document.createElement("span");
      short.className = "short";
      short.textContent = `/${one.shortcut}`;
      const long = document.createElement("span");
      long.className = "long";
      long.textContent = fill(one.text);
      row.append(short, long);
      row.addEventListener("mousedown", (event) => {
        event.preventDefault();
        take(index);
      });
      return row;
    }));
    menu.hidden = !shown.length;
    point();
  }
  function point() {
    [...menu.children].forEach((row, index) => row.setAttribute("aria-selected", String(index === place)));
    if (menu.hidden) text.removeAttribute("aria-activedescendant");
    else text.setAttribute("aria-activedescendant", `canned-${place}`);
    menu.children[place]?.scrollIntoView({ block: "nearest" });
  }
  function take(index) {
    const rest = text.value.startsWith("/") ? "" : text.value;
    text.value = (rest ? `${rest.trimEnd()}\n` : "") + fill(shown[index].text);
    hide();
    keep();
    grow();
    text.focus();
  }
  function hide() {
    menu.hidden = true;
    point();
  }
  const opener = composer.querySelector("[data-canned]");
  opener.hidden = false;
  opener.addEventListener("click", () => {
    if (!replies.length) return toast(said.first_reply);
    if (menu.hidden) offer("", true);
    else hide();
    text.focus();
  });
  text.addEventListener("input", () => {
    keep();
    grow();
    const slash = /^\/(\S*)$/.exec(text.value);
    if (slash) offer(slash[1], false);
    else hide();
  });
  text.addEventListener("blur", () => setTimeout(hide, 120));
  text.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (!menu.hidden) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) {
        event.preventDefault();
        place = (place + step + shown.length) % shown.length;
        return point();
      }
      if (event.key === "Enter" || event.key === "Tab") {
        event.preventDefault();
        return take(place);
      }
      if (event.key === "Escape") {
        event.stopPropagation();
        return hide();
      }
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey || (!event.shiftKey && !touch))) {
      event.preventDefault();
      composer.requestSubmit();
    }
  });
  window.addEventListener("dragover", (event) => event.preventDefault());
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    if (!event.dataTransfer.files.length) return;
    file.files = event.dataTransfer.files;
    choose();
  });
}

// Keys: j and k walk, enter opens, a slash searches, n notes something, escape goes back.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const typing = event.target.closest("input, textarea, select");
  if (event.key === "Escape") {
    if (typing) typing.blur();
    else if (address !== "/panel/inbox") document.querySelector(".back")?.click();
    return;
  }
  if (typing) return;
  const rows = [...(list?.querySelectorAll(".talk") ?? [])];
  if (event.key === "j" || event.key === "k") {
    const now = rows.indexOf(document.activeElement);
    const start = now >= 0 ? now : rows.findIndex((row) => row.getAttribute("aria-current"));
    const next = Math.min(rows.length - 1, Math.max(0, start + (event.key === "j" ? 1 : -1)));
    rows[next]?.focus();
    event.preventDefault();
  } else if (event.key === "/") {
    event.preventDefault();
    document.querySelector(".talks input[type=search]")?.focus();
  } else if (event.key === "n" && document.getElementById("note-box")) {
    event.preventDefault();
    document.getElementById("note-box").open = true;
    document.getElementById("note").focus();
  } else if (event.key === "r" && composer) {
    event.preventDefault();
    composer.querySelector("textarea").focus();
  }
});

// The customer wrote, so that they may be answered freely again: the page offers it from now on.
document.querySelector('.window[data-part="window"]')?.addEventListener("swapped", (event) => {
  if (!composer && event.currentTarget.querySelector(".window-open")) location.reload();
});
count();
