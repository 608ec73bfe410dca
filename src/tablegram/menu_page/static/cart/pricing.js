import { menu, obstacle } from "./catalogue.js";

// The groups that an item asks for, those included that a chosen option opens, each once: the server's own rule.
export function askedGroups(item, counts) {
  const found = new Map();
  let waiting = [...item.groups];
  while (waiting.length) {
    const id = waiting.shift();
    const group = menu.groups[id];
    if (!group || found.has(id)) continue;
    found.set(id, group);
    const opened = group.options.filter((one) => counts.get(one.id)).flatMap((one) => one.opens ?? []);
    waiting = [...opened, ...waiting];
  }
  return found;
}

export function chosen(item, counts) {
  const taken = [];
  for (const group of askedGroups(item, counts).values()) {
    for (const option of group.options) {
      const quantity = counts.get(option.id) ?? 0;
      if (quantity) taken.push({ option, quantity });
    }
  }
  return taken;
}

export function unitPrice(item, counts) {
  return item.price + chosen(item, counts).reduce((sum, { option, quantity }) => sum + (option.price ?? 0) * quantity, 0);
}

export function countsOf(choices) {
  return new Map(choices.map((choice) => [choice.option_id, choice.quantity]));
}

export function totalOf(group, counts) {
  return group.options.reduce((sum, option) => sum + (counts.get(option.id) ?? 0), 0);
}

export function fewestOf(group, counts) {
  const fewest = group.fewest ?? 0;
  return totalOf(group, counts) ? Math.max(fewest, group.least ?? 0) : fewest;
}

// Nothing means no end; a group that says nothing has its own default of the server, which is no end too.
export const mostOf = (group) => group.most ?? Infinity;

// One of them, and exactly one.
export const isSingle = (group) => mostOf(group) === 1 && group.options.every((option) => (option.most ?? 1) === 1);

// What is chosen before anybody chose, as far as it can be had.
export function defaultsOf(group, orderType) {
  return group.options.filter((option) => option.chosen && !obstacle(option.id, orderType)).map((option) => option.id);
}
