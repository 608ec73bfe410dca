// The page's words in the visitor's language, as the server chose them.
const all = JSON.parse(document.getElementById("words").textContent);

export const language = document.documentElement.lang;

export function say(key, values = {}, otherwise = key) {
  const text = key.split(".").reduce((found, part) => found?.[part], all) ?? otherwise;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });
const full = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });

export const shortTime = (ms) => clock.format(ms);
export const exactTime = (ms) => full.format(ms);
export const count = (number) => new Intl.NumberFormat(language).format(number);
