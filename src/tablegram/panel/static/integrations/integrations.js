// Code samples as tabs, fields that depend on a choice, secrets that are shown once, and logs that others write.
import { refresh } from "./live.js";

// What a page shows once must not come back by reloading: from here on its address is that of the thing itself.
const once = document.querySelector("[data-address]");
if (once) history.replaceState(null, "", once.dataset.address);

for (const dependent of document.querySelectorAll("[data-depends]")) {
  const [name, value] = dependent.dataset.depends.split("=");
  const inputs = dependent.closest("form").querySelectorAll(`[name="${name}"]`);
  const show = () => {
    dependent.hidden = ![...inputs].some((input) => input.checked && input.value === value);
  };
  inputs.forEach((input) => input.addEventListener("change", show));
  show();
}

const CHOSEN = "tablegram.code";

for (const box of document.querySelectorAll("[data-code-tabs]")) {
  const panels = [...box.querySelectorAll(".code-one")];
  const bar = document.createElement("div");
  bar.className = "code-bar";
  bar.setAttribute("role", "tablist");
  const tabs = panels.map((panel) => {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.id = `${panel.id}-tab`;
    tab.textContent = panel.querySelector("h3").textContent;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panel.id);
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    bar.append(tab);
    return tab;
  });
  const choose = (place, focus) => {
    tabs.forEach((tab, index) => {
      tab.setAttribute("aria-selected", String(index === place));
      tab.tabIndex = index === place ? 0 : -1;
      panels[index].hidden = index !== place;
    });
    if (focus) {
      tabs[place].focus();
      localStorage.setItem(CHOSEN, panels[place].id);
    }
  };
  bar.addEventListener("click", (event) => {
    const place = tabs.indexOf(event.target.closest("button"));
    if (place >= 0) choose(place, true);
  });
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) choose((tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length, true);
  });
  box.prepend(bar);
  box.dataset.ready = "";
  choose(Math.max(0, panels.findIndex((panel) => panel.id === localStorage.getItem(CHOSEN))), false);
}

// Another process may deliver, and its results are no notice here; a look now and then finds them.
const log = document.querySelector('[data-part="deliveries"][data-live]');
if (log) setInterval(() => document.visibilityState === "visible" && refresh(log), 10000);
