// Going anywhere with Ctrl-K: a field that asks the server as one types, and its choices below it.
const dialog = document.getElementById("finder");
const WAIT_MS = 120;

if (dialog) {
  const field = dialog.querySelector("input");
  const list = dialog.querySelector(".finder-results");
  const none = dialog.querySelector(".finder-state");
  const failed = dialog.querySelector(".finder-failed");
  const told = dialog.querySelector("[data-told]");
  const mac = /Mac|iPhone|iPad/.test(navigator.platform);
  let timer = 0;
  let asking = null;
  // What the choices on show were asked with; Enter waits for those of the words that stand in the field.
  let answered = null;
  let goes = false;

  if (mac) document.querySelectorAll(".find-button kbd").forEach((key) => (key.textContent = "⌘ K"));

  const options = () => [...list.querySelectorAll('[role="option"]')];
  const chosen = () => list.querySelector('[aria-selected="true"]');

  function choose(option) {
    chosen()?.setAttribute("aria-selected", "false");
    if (!option) return field.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    field.setAttribute("aria-activedescendant", option.id);
    // The first one with its heading.
    if (option === options()[0]) list.scrollTop = 0;
    else option.scrollIntoView({ block: "nearest" });
  }

  function put(html) {
    const arrived = document.createElement("template");
    arrived.innerHTML = html;
    told.textContent = arrived.content.querySelector("[data-count]")?.textContent ?? "";
    arrived.content.querySelector("[data-count]")?.remove();
    const nothing = arrived.content.querySelector("[data-none]");
    none.replaceChildren(...(nothing ? [nothing] : []));
    none.hidden = !nothing;
    list.replaceChildren(arrived.content);
    list.hidden = Boolean(nothing);
    failed.hidden = true;
    field.setAttribute("aria-expanded", String(!nothing));
    choose(options()[0]);
  }

  function fail() {
    list.hidden = none.hidden = true;
    failed.hidden = false;
    answered = null;
    goes = false;
    field.setAttribute("aria-expanded", "false");
    choose(null);
  }

  async function ask() {
    clearTimeout(timer);
    asking?.abort();
    const mine = (asking = new AbortController());
    const words = field.value.trim();
    list.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(`/panel/find?${new URLSearchParams({ q: words, part: "choices" })}`, { signal: mine.signal });
      if (answer.status === 401) return location.assign((await answer.json()).location);
      if (!answer.ok) throw new Error(String(answer.status));
      const html = await answer.text();
      if (mine.signal.aborted) return;
      put(html);
      answered = words;
      if (goes) go();
    } catch (error) {
      if (!mine.signal.aborted) fail();
    } finally {
      if (asking === mine) list.removeAttribute("aria-busy");
    }
  }

  function go() {
    goes = field.value.trim() !== answered;
    if (!goes) chosen()?.click();
    else if (!failed.hidden) ask();
  }

  function open() {
    if (dialog.open) return;
    dialog.showModal();
    field.focus();
    field.select();
    ask();
  }

  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-finder]");
    if (!opener || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else open();
  });
  field.addEventListener("input", () => {
    goes = false;
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT_MS);
  });
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      go();
      return;
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const all = options();
    if (!all.length) return;
    const step = event.key === "ArrowDown" ? 1 : -1;
    choose(all[(all.indexOf(chosen()) + step + all.length) % all.length]);
  });
  list.addEventListener("pointermove", (event) => {
    const option = event.target.closest('[role="option"]');
    if (option && option !== chosen()) choose(option);
  });
  // The field keeps the focus, and with it the keys, whatever is pressed below it.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    // The place that one is at already needs no way there.
    if (event.target.closest('[role="option"]') && !event.ctrlKey && !event.metaKey && !event.shiftKey) dialog.close();
  });
  dialog.querySelector("[data-again]").addEventListener("click", () => {
    field.focus();
    ask();
  });
  dialog.addEventListener("mousedown", (event) => {
    const box = dialog.getBoundingClientRect();
    const inside = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    if (event.target === dialog && !inside) dialog.close();
  });
  dialog.addEventListener("close", () => {
    clearTimeout(timer);
    asking?.abort();
    goes = false;
  });
  window.addEventListener("pagehide", () => dialog.close());
}
