const spoken = JSON.parse(document.getElementById("words").textContent);

export const byId = (id) => document.getElementById(id);

/** A word of the page with what belongs into it. */
export function say(name, values = {}) {
  return (spoken[name] ?? "").replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}

/** What went wrong, in the courier's language where it has words for it. */
export function explain(told) {
  const code = told.errors?.[0]?.code ?? told.code ?? "";
  return spoken[`problem.${code}`] ?? told.detail ?? spoken.failed;
}

/** An element with its properties; `null` children are left out. */
export function el(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name, value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((one) => one !== null && one !== undefined && one !== ""));
  return made;
}
