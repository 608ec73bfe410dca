import { BASE } from "./words.js";

const PATIENCE_MS = 15000;
// The practice network: its phone is open to few, and what it tells all others is no page.
const PRACTICE = "/sandbox/";

// What went wrong: `offline` when nobody answered, else the server's code and words.
export class Trouble extends Error {
  constructor(status, document) {
    super(document.detail ?? "");
    this.status = status;
    this.code = document.code ?? "";
    this.detail = document.detail ?? "";
    this.errors = document.errors ?? [];
    this.offline = status === 0;
    // Worth asking again, unchanged, a little later.
    this.passing = status === 0 || status === 408 || (status === 429 && this.code !== "guests_limit") || status >= 500;
  }
}

// Phones that are some years old do not know it; they wait as long as their network does.
const patience = (ms) => AbortSignal.timeout?.(ms);

export async function call(method, path, { body, holder, proof } = {}) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (holder) headers["Cart-Holder"] = holder;
  if (proof) headers["Reward-Proof"] = proof;
  let answer;
  let document;
  try {
    answer = await fetch(path.startsWith("/") && !path.startsWith(BASE) ? BASE + path : path, {
      method, headers, credentials: "omit", cache: "no-cache", signal: patience(PATIENCE_MS),
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    document = await answer.json();
  } catch {
    throw new Trouble(answer && answer.status >= 500 ? answer.status : 0, {});
  }
  if (!answer.ok) throw new Trouble(answer.status, document);
  return document;
}

// A link to the practice network at this page's own address, which is the one that this phone knows to work.
export function ownLink(link) {
  const { pathname, search } = new URL(link ?? "", location.href);
  return link && pathname.startsWith(PRACTICE) ? pathname + search : link;
}

// Whether this phone may open a link; nothing when nobody answers.
export async function mayOpen(link) {
  if (!ownLink(link).startsWith(PRACTICE)) return true;
  try {
    return (await fetch(PRACTICE, { method: "HEAD", signal: patience(PATIENCE_MS) })).ok;
  } catch {
    return null;
  }
}
