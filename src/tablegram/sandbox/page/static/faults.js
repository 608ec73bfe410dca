// The drawer of faults.
import { element } from "./elements.js";
import { network } from "./network.js";
import { turns } from "./turns.js";
import { count, say } from "./words.js";

const drawer = document.getElementById("faults");
const form = document.getElementById("fault-form");
const trouble = form.querySelector(".trouble");
const ask = turns();
let kinds = [];
let drawn = "";

export function startFaults(desk) {
  document.getElementById("open-faults").addEventListener("click", async () => {
    drawPhones(desk.phones);
    await loadFaults();
    drawer.showModal();
  });
  document.getElementById("remove-faults").addEventListener("click", () => change(() => network.lift()));
  form.elements.kind.addEventListener("change", fitFields);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    change(() => network.inject(order()));
  });
}

export async function loadFaults() {
  const isLatest = ask();
  const answer = await network.faults().catch(() => null);
  if (!answer || !isLatest()) return;
  if (!kinds.length) {
    kinds = answer.kinds;
    form.elements.kind.replaceChildren(...kinds.map(({ kind }) => element("option", { value: kind }, say(`kind.${kind}`))));
    fitFields();
  }
  draw(answer.data);
}

function draw(active) {
  // What looks the same stays under the finger that may be on it.
  if (drawn === JSON.stringify(active)) return;
  drawn = JSON.stringify(active);
  const badge = document.getElementById("fault-count");
  badge.hidden = active.length === 0;
  badge.textContent = say("faults_active", { count: active.length });
  document.getElementById("remove-faults").hidden = active.length === 0;
  const rows = active.map((fault) => {
    const left = fault.times === null ? say("fault_until") : say("fault_left", { count: count(fault.times) });
    const remove = element("button", { type: "button", class: "quiet", onclick: () => change(() => network.lift(fault.id)) },
      say("fault_remove"), element("span", { class: "unseen" }, ` ${say(`kind.${fault.kind}`)}`));
    const whom = fault.phone ? ` · +${fault.phone}` : "";
    return element("li", {}, element("span", {}, element("strong", {}, say(`kind.${fault.kind}`)), element("span", { class: "small" }, left + whom)), remove);
  });
  document.getElementById("active-faults").replaceChildren(...(rows.length ? rows : [element("li", { class: "small" }, say("fault_none"))]));
}

function drawPhones(phones) {
  form.elements.phone.replaceChildren(
    element("option", { value: "" }, say("fault_everyone")),
    ...phones.map((phone) => element("option", { value: phone.number }, `${phone.name || ""} +${phone.number}`.trim())));
}

// Only the fields that this kind of fault uses are shown.
function fitFields() {
  const kind = kinds.find((one) => one.kind === form.elements.kind.value);
  const needsMs = kind?.default_ms !== null;
  const needsCode = ["graph_error", "failed_status"].includes(kind?.kind);
  form.querySelector('[data-for="ms"]').hidden = !needsMs;
  form.querySelector('[data-for="code"]').hidden = !needsCode;
  if (needsMs) form.elements.ms.value = kind.default_ms;
}

function order() {
  const { kind, times, ms, code, phone } = form.elements;
  const shown = (field) => !field.closest("[data-for]").hidden && field.value !== "";
  return {
    kind: kind.value,
    times: times.value.trim() ? Number(times.value) : null,
    phone: phone.value || null,
    ...(shown(ms) ? { ms: Number(ms.value) } : {}),
    ...(shown(code) ? { code: Number(code.value) } : {}),
  };
}

async function change(work) {
  trouble.hidden = true;
  try {
    await work();
  } catch (error) {
    trouble.textContent = say("failed_action", { reason: error.message });
    trouble.hidden = false;
  }
  await loadFaults();
}
