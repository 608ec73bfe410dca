// What the server wrote into the page, and its words.
export const facts = JSON.parse(document.getElementById("data").textContent);
export const BASE = "/api/v1/menu";

// Languages whose way of writing money the server knows; all others read English figures there too.
const FIGURES = ["tr", "de", "es", "it", "fr", "ru"];
const locale = FIGURES.includes(facts.language) ? facts.language : "en";

export function has(key) {
  return key in facts.words;
}

export function say(key, values = {}) {
  return (facts.words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

export function count(key, n) {
  return say(`${key}.${n === 1 ? "one" : "other"}`, { n });
}

// A problem in the guest's language where we have words for it, else as the server said it.
export function explain(problem) {
  const key = `problem.${problem.code}`;
  return has(key) ? say(key) : problem.detail || say("problem.unknown");
}

// A phone makes one in milliseconds, and a menu has hundreds of prices: each way of writing is made once.
const writers = new Map();
function writer(kind, language, how) {
  const key = `${kind} ${language} ${JSON.stringify(how)}`;
  if (!writers.has(key)) writers.set(key, new Intl[kind](language, how));
  return writers.get(key);
}

export function money(amount, currency, decimals) {
  const unit = 10 ** decimals;
  const digits = amount % unit === 0 ? 0 : decimals;
  return writer("NumberFormat", locale, {
    style: "currency", currency, currencyDisplay: "narrowSymbol", useGrouping: true,
    minimumFractionDigits: digits, maximumFractionDigits: digits,
  }).format(amount / unit);
}

export function timeOfDay(ms, timeZone) {
  return writer("DateTimeFormat", "en-GB", { hour: "2-digit", minute: "2-digit", timeZone }).format(ms);
}

export function dayKey(ms, timeZone) {
  return writer("DateTimeFormat", "en-CA", { timeZone }).format(ms);
}

export function weekday(ms, timeZone) {
  const names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
  return say(`day.${names.indexOf(writer("DateTimeFormat", "en-GB", { weekday: "short", timeZone }).format(ms))}`);
}
