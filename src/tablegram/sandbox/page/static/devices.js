// Linked devices of a phone: what it is linked with, the codes that stand beside it, and a code that is typed.
import { element } from "./elements.js";
import { network } from "./network.js";
import { say } from "./words.js";

const dialog = document.getElementById("devices");
const form = dialog.querySelector("form");
const trouble = dialog.querySelector(".trouble");
let number = null;

async function draw() {
  const found = await network.devices(number);
  const linked = found.data.map((device) => element("li", {}, element("span", { dir: "auto" }, device.name),
    element("button", { type: "button", onclick: () => act(() => network.unlink(number, device.id)) }, say("device_unlink"))));
  const nearby = found.nearby.map((device) => element("li", {}, element("span", { dir: "auto" }, device.name),
    element("button", { type: "button", class: "primary", onclick: () => act(() => network.link(number, device.code)) }, say("device_scan"))));
  dialog.querySelector("[data-list=linked]").replaceChildren(...linked);
  dialog.querySelector("[data-list=nearby]").replaceChildren(...nearby);
  dialog.querySelector("[data-none=linked]").hidden = linked.length > 0;
  dialog.querySelector("[data-none=nearby]").hidden = nearby.length > 0;
}

async function act(work) {
  trouble.hidden = true;
  try {
    await work();
    await draw();
  } catch (error) {
    trouble.textContent = error.message;
    trouble.hidden = false;
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  act(async () => {
    await network.link(number, form.elements.code.value);
    form.reset();
  });
});

export function showDevices(phone) {
  number = phone;
  form.reset();
  dialog.showModal();
  act(() => {});
}
