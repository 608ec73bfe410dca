// What stands on the page, drawn from what is known. Nothing here asks or keeps anything.
import { el, say } from "./elements.js";

const when = (one) => one.promised && el("span", { class: one.late ? "time late" : "time" }, say(one.late ? "late" : "by", { time: one.promised }));

function button(words, key, act, kind = "") {
  return el("button", { type: "button", class: kind, "data-key": key, click: act }, words);
}

/** One large button for the step that comes next, and whatever else may be needed below it. */
export function stopCard(stop, acts) {
  const id = stop.delivery_id;
  const act = (action, paid = null) => () => acts.step(stop, action, paid);
  const steps = [];
  if (stop.taking) steps.push(el("p", { class: "hint" }, say("taking")));
  else if (stop.state === "assigned" && stop.actions.includes("pick_up")) steps.push(button(say("do_pick_up"), `${id} pick_up`, act("pick_up"), "main"));
  else if (stop.state === "picked_up" && !stop.collect) steps.push(button(say("do_deliver"), `${id} deliver`, act("deliver"), "main"));
  else if (stop.state === "picked_up") {
    const ways = [["cash", "do_deliver_cash"], ["card_on_delivery", "do_deliver_card"]];
    if (stop.method === "card_on_delivery") ways.reverse();
    ways.forEach(([paid, words], place) => steps.push(button(say(words, { amount: stop.collect }), `${id} ${paid}`, act("deliver", paid), place ? "" : "main")));
    steps.push(button(say("do_unpaid"), `${id} unpaid`, act("deliver")));
  }
  const state = stop.state === "picked_up" ? "under_way" : stop.is_ready ? "ready" : "kitchen";
  return el("article", { class: "card", "data-stop": id, "data-state": stop.state, "aria-label": say("number", { number: stop.number }) },
    el("header", {}, el("h3", {}, String(stop.number)), el("span", { class: `badge ${state}` }, say(state)), when(stop)),
    stop.taking ? null : el("p", { class: "where", dir: "auto" }, stop.address || (stop.route_url ? "" : say("no_address"))),
    stop.guest ? el("p", { dir: "auto" }, stop.guest) : null,
    stop.notes ? el("p", { class: "note", dir: "auto" }, el("span", { class: "unseen" }, `${say("note")}: `), stop.notes) : null,
    stop.taking ? null : el("p", { class: stop.collect ? "collect" : "hint" }, stop.collect ? say("collect", { amount: stop.collect }) : say("paid")),
    el("div", { class: "beside" },
      stop.route_url ? el("a", { class: "button", href: stop.route_url, target: "_blank", rel: "noopener noreferrer", "data-key": `${id} route` }, say("route")) : null,
      stop.phone ? el("a", { class: "button", href: `tel:${stop.phone}`, "aria-label": stop.guest ? say("call_whom", { name: stop.guest }) : null, "data-key": `${id} call` }, say("call")) : null),
    el("div", { class: "steps" }, steps),
    stop.items?.length ? el("details", { "data-name": id }, el("summary", {}, say("in_bag")), el("ul", {}, stop.items.map((one) => el("li", { dir: "auto" }, one)))) : null,
    stop.state === "picked_up" && !stop.taking ? button(say("bring_back"), `${id} bring_back`, () => acts.bringBack(stop), "quiet") : null);
}

export function freeCard(order, acts) {
  return el("article", { class: "card free", "data-order": order.order_id, "aria-label": say("number", { number: order.number }) },
    el("header", {}, el("h3", {}, String(order.number)), el("span", { class: `badge ${order.is_ready ? "ready" : "kitchen"}` }, say(order.is_ready ? "ready" : "kitchen")), when(order)),
    button(say("take", { number: order.number }), `${order.order_id} take`, () => acts.take(order), "main"));
}

export function doneRow(stop) {
  const took = stop.took && say(stop.took_by === "cash" ? "took_cash" : "took_card", { amount: stop.took });
  return el("li", { "data-stop": stop.delivery_id },
    el("p", {}, el("b", {}, String(stop.number)), ` ${say(`was_${stop.state}`)} ${stop.ended}`, took ? ` · ${took}` : "", stop.sending ? ` · ${say("sending")}` : ""),
    stop.address || stop.phone ? el("p", { class: "hint", dir: "auto" }, stop.address, " ", stop.phone ? el("a", { href: `tel:${stop.phone}` }, stop.phone) : null) : null);
}

export function shiftCard(page, acts) {
  if (!page.shift) return el("section", { class: "shift" }, el("p", {}, say("off")), button(say("begin"), "begin", () => acts.shift(true), "main"));
  return el("section", { class: "shift" },
    el("p", {}, page.shift.since ? say("works_since", { time: page.shift.since }) : "", page.shift.since ? el("br") : null, el("b", {}, say("cash", { amount: page.shift.cash }))),
    page.stops.length ? null : button(say("end"), "end", () => acts.shift(false)));
}
