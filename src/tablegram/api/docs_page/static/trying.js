// A call from the page itself, with the reader's key. What comes back is shown as text, never as markup.
import { key } from "./key.js";

const MOST = 200_000;

export function startTrying() {
  for (const form of document.querySelectorAll(".try form")) {
    form.closest(".try").hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      send(form);
    });
  }
}

async function send(form) {
  const result = form.querySelector(".result");
  if (!key) {
    show(result, "Give your API key at the top of the page first.");
    document.getElementById("key-text").focus();
    return;
  }
  const body = form.elements.body?.value;
  const headers = { Authorization: `Bearer ${key}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const { name, value, dataset } of form.querySelectorAll("input[data-place]")) {
    if (dataset.place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value && dataset.place === "query") query.append(name, value);
    else if (value) headers[name] = value;
  }
  show(result, "Waiting for the answer…");
  try {
    const began = performance.now();
    const answer = await fetch(query.size ? `${path}?${query}` : path, { method: form.dataset.method, headers, body, credentials: "omit" });
    const text = await read(answer);
    const told = `HTTP ${answer.status} in ${Math.round(performance.now() - began)} ms, request ${answer.headers.get("X-Request-Id") ?? "unknown"}`;
    show(result, told, text);
  } catch {
    show(result, "No answer came. Is the server running?");
  }
}

async function read(answer) {
  const type = answer.headers.get("Content-Type") ?? "";
  if (!/json|text|csv|svg/.test(type)) return type ? `${type}, ${(await answer.arrayBuffer()).byteLength} bytes` : "";
  const text = await answer.text();
  if (!/json/.test(type)) return text.slice(0, MOST);
  try { return JSON.stringify(JSON.parse(text), null, 2).slice(0, MOST); } catch { return text.slice(0, MOST); }
}

function show(result, words, text = "") {
  const line = document.createElement("p");
  line.textContent = words;
  result.replaceChildren(line);
  if (!text) return;
  const code = document.createElement("pre");
  code.tabIndex = 0;
  code.textContent = text;
  result.append(code);
}
