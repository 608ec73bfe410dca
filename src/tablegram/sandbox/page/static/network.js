// Calls to the sandbox's own API. A refusal becomes an Error whose message is what the sandbox said.
import { say } from "./words.js";

async function call(method, path, body) {
  let answer;
  try {
    answer = await fetch(`/sandbox${path}`, {
      method,
      headers: body ? { "Content-Type": "application/json" } : {},
      body: body ? JSON.stringify(body) : undefined,
    });
  } catch {
    throw new Error(say("offline"));
  }
  const content = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(content.detail ?? `HTTP ${answer.status}`);
  return content;
}

const phonePath = (number) => `/phones/${encodeURIComponent(number)}`;

export const network = {
  numbers: () => call("GET", "/numbers").then((answer) => answer.data),
  phones: () => call("GET", "/phones").then((answer) => answer.data),
  addPhone: (number, name) => call("PUT", phonePath(number), { name }),
  messages: (number) => call("GET", `${phonePath(number)}/messages?limit=500`).then((answer) => answer.data),
  write: (number, draft) => call("POST", `${phonePath(number)}/messages`, draft),
  inspect: (number, id) => call("GET", `${phonePath(number)}/messages/${encodeURIComponent(id)}`),
  replay: (number, id, seq) => call("POST", `${phonePath(number)}/messages/${encodeURIComponent(id)}/callbacks/${seq}/replay`),
  clear: (number, line) => call("DELETE", `${phonePath(number)}/messages?number_id=${encodeURIComponent(line)}`),
  read: (number, ids) => call("POST", `${phonePath(number)}/read`, { ids }),
  devices: (number) => call("GET", `${phonePath(number)}/devices`),
  link: (number, code) => call("POST", `${phonePath(number)}/devices`, { code }),
  unlink: (number, id) => call("DELETE", `${phonePath(number)}/devices/${encodeURIComponent(id)}`),
  counters: () => call("GET", "/counters"),
  templates: () => call("GET", "/templates").then((answer) => answer.data.filter((one) => one.submitted)),
  decide: (number, id, event, reason) => call("POST", `/templates/${encodeURIComponent(number)}/${encodeURIComponent(id)}`, { event, reason }),
  faults: () => call("GET", "/faults"),
  inject: (fault) => call("POST", "/faults", fault),
  lift: (id) => call("DELETE", id ? `/faults/${encodeURIComponent(id)}` : "/faults"),
};
