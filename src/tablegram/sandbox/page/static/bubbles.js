// One message as a bubble. Everything a line or a customer wrote goes through text nodes.
import { drawing, element } from "./elements.js";
import { formatted } from "./markup.js";
import { exactTime, say, shortTime } from "./words.js";

const ONE_TICK = "M4 9l4 4 9-10";
const TWO_TICKS = "M1 9l4 4 9-10M9 12l1.5 1 9-10";
const MEDIA_WORDS = { image: "photo", video: "video", audio: "audio", sticker: "sticker", document: "document" };

export function bubble(message, { quoted, reactions, act }) {
  const mine = message.direction === "out";
  const content = [
    quoted && element("p", { class: "quoted", dir: "auto" }, element("span", { class: "unseen" }, `${say("replying")}: `), summary(quoted)),
    message.template && element("p", { class: "small" }, say("template", { name: message.template.name })),
    message.header && element("p", { class: "bubble-title", dir: "auto" }, message.header),
    message.media && mediaOf(message.media),
    message.location && placeOf(message.location),
    ...(message.contacts ?? []).map(cardOf),
    message.text && element("p", { class: "words", dir: "auto" }, formatted(message.text)),
    message.footer && element("p", { class: "small", dir: "auto" }, message.footer),
  ];
  return element(
    "article",
    { class: `bubble ${mine ? "mine" : "theirs"}`, "data-id": message.id, "data-status": message.status, onclick: (event) => { if (isTap(event)) act.inspect(message); } },
    ...content,
    metaOf(message, act),
    ...choicesOf(message, act),
    reactions.length > 0 && element("p", { class: "reactions" }, element("span", { class: "unseen" }, say("reacted", { emoji: "" })), reactions.join(" ")),
  );
}

// A message in a few words, for the chat list and for quotes.
export function summary(message) {
  if (message.reaction) return say("reacted", { emoji: message.reaction.emoji || "–" });
  if (message.text) return message.text;
  if (message.media) return say(MEDIA_WORDS[message.media.kind] ?? "document");
  if (message.location) return `${say("location")}${message.location.name ? `: ${message.location.name}` : ""}`;
  if (message.contacts) return `${say("contact")}: ${message.contacts.map((card) => card.name.formatted_name).join(", ")}`;
  return "";
}

// A tap on the bubble itself, not on something in it, and not the end of marking a text.
function isTap(event) {
  return !event.target.closest("a, button, audio, video") && getSelection().isCollapsed;
}

// The button is there for the keyboard and for who listens; a finger may tap anywhere on the bubble.
function metaOf(message, act) {
  const word = say(`status_${message.status}`);
  const two = message.status === "delivered" || message.status === "read";
  const time = element("time", { datetime: new Date(message.timestamp).toISOString(), title: exactTime(message.timestamp) }, shortTime(message.timestamp));
  return element("button", { type: "button", class: "meta", "aria-haspopup": "dialog", title: say("inspect"), onclick: () => act.inspect(message) }, time, element("span", { class: "tick" }, word, drawing(two ? TWO_TICKS : ONE_TICK, "ticks")), element("span", { class: "unseen" }, say("inspect")));
}

function mediaOf(media) {
  const shown = say(MEDIA_WORDS[media.kind] ?? "document");
  if (media.url && (media.kind === "image" || media.kind === "sticker")) return element("img", { class: "photo", src: media.url, alt: media.filename || shown });
  if (media.url && media.kind === "video") return element("video", { class: "photo", src: media.url, controls: true });
  if (media.url && media.kind === "audio") return element("audio", { src: media.url, controls: true });
  const address = media.url ?? media.link;
  return element("a", { class: "file", href: address, target: "_blank", rel: "noopener noreferrer" },
    element("strong", {}, shown), element("span", { dir: "auto" }, media.filename || address), element("span", { class: "unseen" }, say("open_file")));
}

function placeOf(place) {
  const at = `${place.latitude.toFixed(6)},${place.longitude.toFixed(6)}`;
  return element("div", { class: "card" },
    element("strong", { dir: "auto" }, place.name || say("location")),
    place.address && element("span", { dir: "auto" }, place.address),
    element("span", { class: "small figures-text" }, at.replace(",", ", ")),
    element("a", { href: `https://www.google.com/maps/search/?api=1&query=${at}`, target: "_blank", rel: "noopener noreferrer" }, say("open_map")));
}

function cardOf(card) {
  const phones = (card.phones ?? []).map((phone) => element("span", { class: "figures-text", dir: "ltr" }, phone.phone || phone.wa_id || ""));
  return element("div", { class: "card" }, element("span", { class: "small" }, say("contact")), element("strong", { dir: "auto" }, card.name?.formatted_name ?? ""), ...phones);
}

function choicesOf(message, act) {
  if (message.direction === "out") return [];
  const buttons = (message.buttons ?? []).map((button) =>
    element("button", { type: "button", class: "choice", dir: "auto", onclick: () => act.choose("button", button, message) }, button.title));
  if (message.list) buttons.push(element("button", { type: "button", class: "choice", dir: "auto", "aria-haspopup": "dialog", onclick: () => act.openList(message) }, message.list.button || say("choose")));
  if (message.location_request) buttons.push(element("button", { type: "button", class: "choice", onclick: () => act.shareLocation(message) }, say("share_location")));
  if (message.link_button) buttons.push(element("a", { class: "choice", dir: "auto", href: message.link_button.url, target: "_blank", rel: "noopener noreferrer" }, message.link_button.title));
  return buttons;
}
