// Dialogs: each opens with a question and resolves with what was answered, or with nothing.
import { element } from "./elements.js";
import { say } from "./words.js";

for (const dialog of document.querySelectorAll("dialog")) {
  for (const button of dialog.querySelectorAll("[data-close]")) button.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}

// `finish` does the work with the form's values; when it fails, the dialog stays, with the reason and the typed text.
export function ask(id, finish) {
  const dialog = document.getElementById(id);
  const form = dialog.querySelector("form");
  const trouble = dialog.querySelector(".trouble");
  trouble.hidden = true;
  dialog.showModal();
  form.onsubmit = async (event) => {
    event.preventDefault();
    try {
      await finish(Object.fromEntries(new FormData(form)));
      dialog.close();
    } catch (error) {
      trouble.textContent = say("failed_action", { reason: error.message });
      trouble.hidden = false;
    }
  };
}

export function chooseRow(message, choose) {
  const dialog = document.getElementById("list-menu");
  dialog.querySelector("h2").textContent = message.list.button || say("choose");
  const rows = dialog.querySelector(".menu-rows");
  rows.replaceChildren(...message.list.sections.flatMap((section) => [
    section.title && element("h3", { dir: "auto" }, section.title),
    ...section.rows.map((row) => element("button", { type: "button", class: "row", onclick: () => { dialog.close(); choose(row); } },
      element("strong", { dir: "auto" }, row.title), row.description && element("span", { dir: "auto" }, row.description))),
  ].filter(Boolean)));
  dialog.showModal();
}
