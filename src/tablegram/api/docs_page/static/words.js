// What the scripts say, in the page's own language.
const words = JSON.parse(document.body.dataset.words);

export function say(name, values = {}) {
  return words[name].replace(/\{(\w+)\}/g, (_, value) => values[value]);
}
