// The page's words in the visitor's language, as the server chose them.
const all = JSON.parse(document.getElementById("words").textContent);

export const language = document.documentElement.lang;

export function say(key, values = {}, otherwise = key) {
  const text = all[key] ?? otherwise;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// Made when the first is needed: a browser takes its time for them.
let clock = null;
let full = null;
let figures = null;

export const shortTime = (ms) => (clock ??= new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" })).format(ms);
export const exactTime = (ms) => (full ??= new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" })).format(ms);
export const count = (number) => (figures ??= new Intl.NumberFormat(language)).format(number);
