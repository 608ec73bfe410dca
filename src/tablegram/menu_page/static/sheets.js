import { byId, el, lift, roundButton } from "./elements.js";
import { say } from "./words.js";

// From the lowest to the one that is seen.
const stack = [];
let moving = false;
let leaving = null;

const depth = () => history.state?.sheets ?? 0;

// Each open sheet is one step of the browser's history: back closes the topmost one and never leaves the menu.
function settle() {
  if (moving) return;
  const over = depth() - stack.length;
  if (over > 0) {
    moving = true;
    history.go(-over);
    return;
  }
  // What is below a sheet stays where it is, whichever way the sheet is closed.
  history.scrollRestoration = stack.length ? "manual" : "auto";
  for (let at = depth(); at < stack.length; at += 1) history.pushState({ sheets: at + 1 }, "", stack[at].address);
  if (leaving && !stack.length) location.assign(leaving);
}

// To another page: once every sheet is closed, because the way back of a sheet would end the way there.
export function leave(address) {
  leaving = address;
  for (const { dialog } of stack) dialog.close();
  if (!stack.length) settle();
}

function follow() {
  if (!moving) while (stack.length > depth()) stack.pop().dialog.close();
  moving = false;
  // Forward to a sheet that was closed leads nowhere: it goes back.
  settle();
}

// A sheet from below. The browser keeps the focus inside; Escape, a tap beside it and the way back close it. `hash`: what
// stands in the address meanwhile.
export function sheet(name, title, { onclose, hash } = {}) {
  const heading = el("h2", { id: `${name}-title`, dir: "auto", tabindex: "-1" }, title);
  const shut = roundButton("close", say("close"), () => dialog.close());
  const body = el("div", { class: "sheet-body" });
  const foot = el("div", { class: "sheet-foot" });
  const dialog = el("dialog", { class: `sheet ${name}`, "aria-labelledby": `${name}-title` },
    el("div", { class: "sheet-head" }, heading, shut), body, foot);
  const entry = { dialog, address: hash ?? location.href };
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    // A notice that is shown in the sheet outlives it.
    if (dialog.contains(byId("notice"))) lift([...document.querySelectorAll("dialog[open]")].at(-1) ?? null);
    dialog.remove();
    if (stack.includes(entry)) stack.splice(stack.indexOf(entry), 1);
    settle();
    onclose?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  heading.focus({ preventScroll: true });
  stack.push(entry);
  settle();
  return { dialog, heading, body, foot, close: () => dialog.close() };
}

// `open` opens what an address names, where it names something: the link to a dish.
export function startSheets(open) {
  addEventListener("popstate", follow);
  const { hash, pathname, search } = location;
  const named = depth() === 0 && hash && open(hash);
  if (!named) return settle();
  history.replaceState(history.state, "", pathname + search);
  named();
}
