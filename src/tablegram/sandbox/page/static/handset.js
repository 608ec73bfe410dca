// One phone: its chats, an open chat, and the means to write.
import { bubble, summary } from "./bubbles.js";
import { showDevices } from "./devices.js";
import { ask, chooseRow } from "./dialogs.js";
import { element } from "./elements.js";
import { inspect } from "./inspector.js";
import { network } from "./network.js";
import { sampleCommand } from "./notes.js";
import { turns } from "./turns.js";
import { say, shortTime } from "./words.js";

const MAX_PHOTO_BYTES = 5 * 1024 * 1024;
const NEAR_END_PX = 80;
const RANK = { accepted: 0, sent: 1, delivered: 2, read: 3 };

export class Handset {
  constructor(desk) {
    this.desk = desk;
    this.root = document.getElementById("handset").content.firstElementChild.cloneNode(true);
    this.part = (name) => this.root.querySelector(`[data-part="${name}"]`);
    this.messages = new Map();
    // What is told while the messages are being loaded: the answer may not know of it yet.
    this.arrived = null;
    this.ask = turns();
    this.number = null;
    this.line = null;
    this.listen();
  }

  listen() {
    this.part("phone").addEventListener("change", (event) => this.pick(event.target.value));
    this.part("devices").addEventListener("click", () => showDevices(this.number));
    this.part("clear").addEventListener("click", () => this.clear());
    this.part("unquote").addEventListener("click", () => this.replyTo(null));
    this.part("back").addEventListener("click", () => this.showChats(true));
    this.part("below").addEventListener("click", () => this.scrollToEnd());
    this.part("log").addEventListener("scroll", () => { if (this.nearEnd()) this.part("below").hidden = true; });
    this.part("composer").addEventListener("submit", (event) => { event.preventDefault(); this.sendText(); });
    const text = this.part("text");
    text.addEventListener("input", () => fit(text));
    text.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.answered) { event.preventDefault(); this.replyTo(null); }
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); this.sendText(); }
    });
    this.part("attach").addEventListener("click", () => this.toggleAttachments());
    this.part("file").addEventListener("change", (event) => this.sendPhoto(event.target));
    for (const button of this.root.querySelectorAll("[data-attach]")) {
      button.addEventListener("click", () => { this.toggleAttachments(false); this.attach(button.dataset.attach); });
    }
  }

  // The phone in the frame.

  drawOwner() {
    const options = this.desk.phones.map((phone) => {
      const unread = phone.number !== this.number && phone.unread > 0 ? ` (${say("unread", { count: phone.unread })})` : "";
      return element("option", { value: phone.number }, `${phone.name ? `${phone.name} · ` : ""}+${phone.number}${unread}`);
    });
    const select = this.part("phone");
    select.replaceChildren(...options, element("option", { value: "" }, say("add_phone")));
    select.value = this.number ?? "";
    const phone = this.desk.phones.find((one) => one.number === this.number);
    this.root.setAttribute("aria-label", say("phone_of", { name: phone?.name || `+${this.number}` }));
  }

  pick(number) {
    if (number) return this.open(number);
    this.drawOwner();
    ask("new-phone", async (answer) => {
      const phone = await network.addPhone(answer.number, answer.name.trim());
      await this.desk.loadPhones();
      await this.open(phone.number);
    });
  }

  async open(number, line = null) {
    this.number = number;
    this.drawOwner();
    await this.load((loaded) => {
      const { lines } = this.desk;
      const last = loaded.at(-1)?.number_id;
      if (lines.length === 0) this.showChats();
      else this.showChat(line ?? lines.find((one) => one.id === last) ?? lines[0]);
    });
  }

  // What happened unheard is put in: whoever looks at the list of chats goes on looking at it.
  async refresh() {
    if (!this.part("no-lines").hidden) return this.open(this.number);
    await this.load(() => {
      const line = this.line && this.desk.lines.find((one) => one.id === this.line.id);
      if (line) this.showChat(line);
      else this.showChats();
    });
  }

  async load(show) {
    const isLatest = this.ask();
    const arrived = (this.arrived = []);
    const loaded = await network.messages(this.number).finally(() => { if (isLatest()) this.arrived = null; });
    if (!isLatest()) return;
    this.messages = new Map(loaded.map((message) => [message.id, message]));
    show(loaded);
    for (const message of arrived) this.take(message);
  }

  visible() {
    return this.root.getClientRects().length > 0 && document.visibilityState === "visible";
  }

  // The list of chats.

  showChats(moveFocus = false) {
    this.line = null;
    this.replyTo(null, false);
    this.part("chat").hidden = true;
    this.part("chats").hidden = false;
    this.drawChats();
    if (moveFocus) this.part("chat-list").querySelector("button")?.focus();
  }

  drawChats() {
    this.part("no-lines").hidden = this.desk.lines.length > 0;
    this.part("chat-list").replaceChildren(...this.desk.lines.map((line) => {
      const all = [...this.messages.values()].filter((message) => message.number_id === line.id);
      const last = all.at(-1);
      const unread = all.filter((message) => message.direction === "in" && message.status !== "read").length;
      const button = element("button", { type: "button", class: "chat-row", onclick: () => this.showChat(line, true) },
        element("strong", { dir: "auto" }, line.name),
        last && element("time", { class: "small" }, shortTime(last.timestamp)),
        element("span", { class: "chat-last", dir: "auto" }, last ? summary(last) : `+${line.display_phone_number || line.id}`),
        unread > 0 && element("span", { class: "badge" }, element("span", { "aria-hidden": "true" }, String(unread)), element("span", { class: "unseen" }, say("unread", { count: unread }))));
      return element("li", {}, button);
    }));
  }

  // An open chat.

  showChat(line, moveFocus = false) {
    if (this.line?.id !== line.id) this.replyTo(null, false);
    this.line = line;
    this.part("chats").hidden = true;
    this.part("chat").hidden = false;
    this.part("line-name").textContent = line.name;
    this.part("line-number").textContent = line.display_phone_number ? `+${line.display_phone_number.replace(/^\+/, "")}` : line.id;
    this.part("log").setAttribute("aria-label", say("chat_with", { name: line.name }));
    this.drawLog();
    this.scrollToEnd();
    this.readOpenChat();
    if (moveFocus) this.part("text").focus();
  }

  inChat() {
    return [...this.messages.values()].filter((message) => message.number_id === this.line?.id);
  }

  drawLog() {
    const shown = this.inChat().filter((message) => !message.reaction);
    const bubbles = shown.map((message) => this.draw(message));
    this.part("log").replaceChildren(...(bubbles.length ? bubbles : [this.emptyChat()]));
  }

  emptyChat() {
    return element("div", { class: "empty" },
      element("p", { class: "empty-title" }, say("empty_chat")),
      element("p", {}, say("empty_chat_help")),
      sampleCommand(this.number));
  }

  // Who reacted last with what: the phone's owner (`out`) and the line (`in`).
  reactionsTo(id) {
    const latest = new Map();
    for (const other of this.messages.values()) {
      if (other.reaction?.message_id === id) latest.set(other.direction, other.reaction.emoji);
    }
    return latest;
  }

  myReaction(id) {
    return this.reactionsTo(id).get("out") || null;
  }

  draw(message) {
    const latest = this.reactionsTo(message.id);
    return bubble(message, {
      quoted: message.context ? this.messages.get(message.context) : null,
      reactions: [...latest.values()].filter(Boolean),
      act: {
        choose: (type, choice, offer) => this.send({ type, id: choice.id, title: choice.title, context: offer.id }),
        openList: (offer) => chooseRow(offer, (row) => this.send({ type: "list", id: row.id, context: offer.id })),
        shareLocation: (request) => this.send({ type: "location", location: hereabouts(), context: request.id }),
        inspect: (one) => inspect(this, one.id),
      },
    });
  }

  // A message is new or has changed; it moves in place, and nothing else does.
  take(message) {
    if (message.status === "failed" || message.status === "held") return;
    if (this.arrived) return void this.arrived.push(message);
    const known = this.messages.get(message.id);
    // The live stream can be ahead of an answer: ticks never turn back.
    if (known && RANK[known.status] > RANK[message.status]) return;
    this.messages.set(message.id, message);
    if (!this.line) return this.drawChats();
    if (message.number_id !== this.line.id) return;
    const stay = this.nearEnd();
    if (message.reaction) this.redraw(message.reaction.message_id);
    else if (known) this.redraw(message.id);
    else {
      this.part("log").querySelector(".empty")?.remove();
      this.part("log").querySelector(".typing")?.remove();
      const fresh = this.draw(message);
      fresh.classList.add("fresh");
      this.part("log").append(fresh);
      if (stay || message.direction === "out") this.scrollToEnd();
      else this.part("below").hidden = false;
    }
    this.readOpenChat();
  }

  redraw(id) {
    const old = this.part("log").querySelector(`[data-id="${CSS.escape(id)}"]`);
    const message = this.messages.get(id);
    if (!old || !message) return;
    // Buttons keep their element, and so the focus; only what changed is put in.
    const fresh = this.draw(message);
    old.dataset.status = message.status;
    old.querySelector(".meta").replaceChildren(...fresh.querySelector(".meta").childNodes);
    old.querySelector(".reactions")?.remove();
    const reactions = fresh.querySelector(".reactions");
    if (reactions) old.append(reactions);
  }

  typing() {
    const log = this.part("log");
    if (!this.line || log.querySelector(".typing")) return;
    log.append(element("p", { class: "typing" }, `${this.line.name} ${say("typing")}`));
    this.scrollToEnd();
    setTimeout(() => log.querySelector(".typing")?.remove(), 25_000);
  }

  // Whoever looks at an open chat has read it.
  readOpenChat() {
    if (this.reading || !this.line || !this.visible()) return;
    this.reading = setTimeout(async () => {
      this.reading = null;
      const ids = this.inChat().filter((message) => message.direction === "in" && message.status !== "read").map((message) => message.id);
      if (!ids.length || !this.visible()) return;
      await network.read(this.number, ids).catch(() => {});
      this.desk.loadPhones().catch(() => {});
    }, 400);
  }

  nearEnd() {
    const log = this.part("log");
    return log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END_PX;
  }

  scrollToEnd() {
    const log = this.part("log");
    log.scrollTop = log.scrollHeight;
    this.part("below").hidden = true;
  }

  // Writing.

  async sendText() {
    const box = this.part("text");
    const text = box.value.trim();
    if (!text) return box.focus();
    const context = this.answered;
    box.value = "";
    fit(box);
    this.replyTo(null);
    if (!(await this.send({ text, context })) && !box.value) { box.value = text; fit(box); this.replyTo(context); }
    box.focus();
  }

  // The next text answers this message; nothing takes the quote away.
  replyTo(id, moveFocus = true) {
    this.answered = id;
    this.part("quote").hidden = !id;
    if (id) this.part("quoted").textContent = summary(this.messages.get(id));
    if (moveFocus) this.part("text").focus();
  }

  clear() {
    ask("clear-chat", async () => {
      await network.clear(this.number, this.line.id);
      await this.open(this.number, this.line);
    });
  }

  async send(draft) {
    const trouble = this.part("trouble");
    trouble.hidden = true;
    try {
      this.take(await network.write(this.number, { to: this.line.id, ...draft }));
      this.desk.sent(this.number);
      return true;
    } catch (error) {
      trouble.textContent = say("not_sent", { reason: error.message });
      trouble.hidden = false;
      return false;
    }
  }

  toggleAttachments(open = this.part("attachments").hidden) {
    this.part("attachments").hidden = !open;
    this.part("attach").setAttribute("aria-expanded", String(open));
    if (open) this.part("attachments").querySelector("button").focus();
  }

  attach(what) {
    const sendOrThrow = async (draft) => this.take(await network.write(this.number, { to: this.line.id, ...draft }));
    if (what === "photo") this.part("file").click();
    if (what === "sample") this.send({ type: "image" });
    if (what === "document") this.send({ type: "document" });
    if (what === "location") {
      ask("new-location", (answer) => sendOrThrow({
        type: "location",
        location: { latitude: decimal(answer.latitude), longitude: decimal(answer.longitude), name: answer.name.trim() || null },
      }));
    }
    if (what === "contact") {
      ask("new-contact", (answer) => sendOrThrow({
        type: "contact",
        contacts: [{ name: { formatted_name: answer.name, first_name: answer.name.split(" ")[0] },
          phones: [{ phone: answer.phone, wa_id: answer.phone.replace(/\D/g, ""), type: "CELL" }] }],
      }));
    }
  }

  sendPhoto(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    if (file.size > MAX_PHOTO_BYTES) {
      this.part("trouble").textContent = say("too_large");
      this.part("trouble").hidden = false;
      return;
    }
    const reader = new FileReader();
    reader.onload = () => this.send({ type: "image", data: reader.result.split(",")[1], mime_type: file.type, filename: file.name });
    reader.readAsDataURL(file);
  }
}

function fit(box) {
  box.style.height = "auto";
  box.style.height = `${Math.min(box.scrollHeight + 2, 140)}px`;
}

// Where the phone is: what stands in the form for locations, until somebody writes another place there.
const hereabouts = () => {
  const { name, latitude, longitude } = document.querySelector("#new-location form").elements;
  return { latitude: decimal(latitude.value), longitude: decimal(longitude.value), name: name.value.trim() || null };
};

const decimal = (text) => Number(text.trim().replace(",", "."));
