import { byId } from "./elements.js";
import { dayKey, facts, money, say, timeOfDay, weekday } from "./words.js";

// The menu as it is now; `readMenu` takes up a newer one.
export const menu = { version: 0, currency: "", decimals: 2, items: new Map(), groups: {}, categories: [] };

export function readMenu() {
  const found = JSON.parse(byId("menu").textContent);
  const items = new Map();
  for (const category of found.categories) {
    for (const item of category.items) {
      const { groups = [], allergens = [], tags = [], about = "" } = item;
      const also = [...(item.also ?? []), ...(category.also ?? [])];
      items.set(item.id, { ...item, groups, allergens, tags, about, also, category: category.name });
    }
  }
  Object.assign(menu, found, { items });
}

export const standing = facts.standing;

export function setStanding(found) {
  for (const name of Object.keys(standing)) delete standing[name];
  Object.assign(standing, found);
}

export const price = (amount) => money(amount, menu.currency, menu.decimals);

// Why something cannot be had for this kind of order, in words; nothing when it can.
export function obstacle(id, orderType) {
  const found = standing.closed?.[orderType]?.[id];
  if (!found) return "";
  if (found.code === "sold_out" && found.until_ms) {
    return say("gone.sold_out_until", { time: moment(found.until_ms) });
  }
  return say(`gone.${found.code}`);
}

// A time today, or a day and a time.
export function moment(ms) {
  const zone = facts.venue.time_zone;
  const time = timeOfDay(ms, zone);
  return dayKey(ms, zone) === dayKey(Date.now(), zone) ? time : `${weekday(ms, zone)} ${time}`;
}

export function standingWords() {
  const { takes_orders: takes, open, orders_until_ms: until, opens_ms: opens } = standing;
  // Further than a day nobody plans their lunch.
  const soon = until && until - Date.now() < 24 * 3600 * 1000;
  if (takes) return soon ? say("standing.orders_until", { when: moment(until) }) : say("standing.open");
  if (open) return say("standing.kitchen_closed");
  return opens ? say("standing.opens", { when: moment(opens) }) : say("standing.closed");
}
