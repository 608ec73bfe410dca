// A call from the page itself, with the reader's key. What comes back is shown as text, never as markup.
import { key } from "./key.js";
import { say } from "./words.js";

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
    show(result, say("key_first"));
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
  show(result, say("waiting"));
  try {
    const began = performance.now();
    const answer = await fetch(query.size ? `${path}?${query}` : path, { method: form.dataset.method, headers, body, credentials: "omit" });
    const text = await read(answer);
    const took = { status: answer.status, ms: Math.round(performance.now() - began) };
    const told = say("answered", { ...took, request: answer.headers.get("X-Request-Id") ?? "?" });
    show(result, told, text);
  } catch {
    show(result, say("no_answer"));
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
