"""What the network does. Each method is one thing that happens on it, kept before it is answered."""

from __future__ import annotations

import base64
import hashlib
import secrets
from pathlib import Path

import msgspec

from tablegram.errors import Invalid
from tablegram.sandbox import faults as fault_kinds
from tablegram.sandbox.delivery import planning
from tablegram.sandbox.delivery.courier import Courier
from tablegram.sandbox.delivery.outbox import Outbox, Planned, Told
from tablegram.sandbox.devices.devices import SCHEME, Device, Devices
from tablegram.sandbox.faults import Faults
from tablegram.sandbox.graph.errors import StatusError
from tablegram.sandbox.graph.template_desk import TemplateDesk
from tablegram.sandbox.live import Live
from tablegram.sandbox.paper.rolls import Rolls
from tablegram.sandbox.payments.desk import Desk
from tablegram.sandbox.payments.telling import Teller
from tablegram.sandbox.phones.chats import Chats, Message, Phone
from tablegram.sandbox.phones.shown import Content, MessageView
from tablegram.sandbox.store import Media, Number, Store
from tablegram.values import Json
from tablegram.values.clock import Clock
from tablegram.values.secrets import SecretBox


class Sending(msgspec.Struct, frozen=True):
    """A message that a line hands over, checked: what the phone will show."""

    phone: str
    type: str
    content: Content
    reply_to: str | None
    correlation: str | None
    # The request as it came.
    wire: str | None = None


class Network:
    def __init__(self, store_path: Path, clock: Clock | None = None, box: SecretBox | None = None) -> None:
        self.clock = clock or Clock()
        self.store = Store(store_path, box)
        self.chats = Chats(self.store)
        self.outbox = Outbox(self.store)
        self.faults = Faults(self.store)
        self.live = Live()
        self.devices = Devices(self.store, self.clock)
        self.rolls = Rolls()
        self.templates = TemplateDesk(self.store, self.outbox, self.clock, self._wake)
        self.desk = Desk(self.store, self.clock)
        self.teller = Teller(self.desk, self.clock)
        self.courier = Courier(
            self.store, self.outbox, self.chats, self.clock, self.announce, self.announce_callback, self.devices
        )

    def print_paper(self, printer: str, name: str, columns: int, raw: bytes) -> None:
        """A receipt printer that is a picture was sent bytes."""
        sheet = self.rolls.print(printer, name, columns, raw)
        self.live.publish("paper", {"printer": printer, "number": sheet.number})

    def _wake(self, number_id: str) -> None:
        self.courier.wake(number_id)

    # The business side.

    def accept(self, number: Number, sending: Sending, error: StatusError | None = None) -> Message:
        """Take a message from a line. `error` is what a later `failed` status will say."""
        now_ms = self.clock.now_ms()
        bends = self.faults.take_each({**fault_kinds.CALLBACKS, "held": ""}, number.id, sending.phone)
        with self.store.transaction():
            phone, new = self.chats.ensure_phone(sending.phone, now_ms)
            message = self.chats.add(
                id=new_wamid(sending.phone),
                number_id=number.id,
                phone=phone.number,
                direction="in",
                type=sending.type,
                status="held" if "held" in bends else "failed" if error else "accepted",
                content=sending.content,
                at_ms=now_ms,
                reply_to=sending.reply_to,
                correlation=sending.correlation,
                wire=sending.wire,
            )
            self.chats.log_accepted(sending.correlation, message.id, phone.number, number.id, now_ms)
            self.outbox.add(planning.after_acceptance(message, phone, bends, error), now_ms)
        self.courier.wake(number.id)
        if new:
            self.announce_phone(phone)
        self.announce(message)
        return message

    def restricts(self, number: Number, phone: str) -> int:
        """The code that refuses a message of a restricted number; 0 when it may go."""
        if not number.callback_url.startswith(SCHEME):
            return 0
        restriction = self.devices.restriction(number.display_phone_number)
        if restriction is None:
            return 0
        if restriction.reason == "banned":
            return 131048
        return 0 if self.chats.has_written(phone, number.id) else 463

    def mark_read(self, number: Number, message_id: str, typing: bool) -> bool:
        """The line has read a customer's message; false when it has no such message."""
        message = self.chats.message(message_id)
        if message is None or message.number_id != number.id or message.direction != "out":
            return False
        if turned := self.chats.advance(message_id, "read"):
            self.announce(turned)
        if typing:
            self.live.publish("typing", {"phone": message.phone, "number_id": number.id}, message.phone)
        return True

    def keep_media(self, number_id: str, content: bytes, mime_type: str, filename: str) -> Media:
        digest = hashlib.sha256(content).hexdigest()
        media = Media(str(secrets.randbelow(9 * 10**15) + 10**15), number_id, mime_type, filename, digest, len(content))
        self.store.save_media(media, content, self.clock.now_ms())
        return media

    # The customers' side.

    def write(
        self,
        phone_number: str,
        number: Number,
        type: str,
        content: Content,
        wire: Json,
        *,
        name: str | None = None,
        reply_to: str | None = None,
    ) -> Message:
        """A customer writes to a line. `wire` is the message as the line will be told it."""
        now_ms = self.clock.now_ms()
        bends = self.faults.take_each({**fault_kinds.CALLBACKS, **fault_kinds.SENDERS}, number.id, phone_number)
        with self.store.transaction():
            phone, new = self.chats.ensure_phone(phone_number, now_ms, name)
            message = self.chats.add(
                id=new_wamid(phone_number),
                number_id=number.id,
                phone=phone_number,
                direction="out",
                type=type,
                status="sent",
                content=content,
                at_ms=now_ms,
                reply_to=reply_to,
            )
            self.outbox.add(planning.after_writing(message, phone, wire, bends), now_ms)
            self.store.count("inbound")
        self.courier.wake(number.id)
        if new:
            self.announce_phone(phone)
        self.announce(message)
        return message

    def say(self, linked: list[Device], to: str, text: str) -> Message:
        """The owner of a phone with linked devices writes on the phone itself; each device is told what they wrote."""
        now_ms = self.clock.now_ms()
        with self.store.transaction():
            phone, new = self.chats.ensure_phone(to, now_ms)
            message = self.chats.add(
                id=new_wamid(to), number_id=linked[0].number_id, phone=to, direction="in", type="text",
                status="delivered", content={"text": text}, at_ms=now_ms,
            )  # fmt: skip
            for device in linked:
                self.outbox.add([planning.after_saying(message, phone, device.phone, device.number_id)], now_ms)
        for device in linked:
            self.courier.wake(device.number_id)
        if new:
            self.announce_phone(phone)
        self.announce(message)
        return message

    def read(self, phone_number: str, ids: list[str] | None = None, number_id: str | None = None) -> list[Message]:
        """The customer reads everything that came, or only these; the ones that were unread until now."""
        phone = self.chats.phone(phone_number)
        if phone is None:
            return []
        unread = self.chats.unread(phone_number, number_id)
        if ids is not None:
            unknown = [one for one in ids if (found := self.chats.message(one)) is None or found.phone != phone_number]
            if unknown:
                raise Invalid.field("ids", "message_unknown", f"Phone {phone_number} has no message {unknown[0]}.")
            unread = [message for message in unread if message.id in set(ids)]
        now_ms = self.clock.now_ms()
        turned: list[Message] = []
        planned: list[Planned] = []
        with self.store.transaction():
            for message in unread:
                if now_read := self.chats.advance(message.id, "read"):
                    turned.append(now_read)
                    bends = self.faults.take_each(fault_kinds.CALLBACKS, message.number_id, phone_number)
                    planned.extend(planning.after_reading(message, phone, now_ms, bends))
            self.outbox.add(planned, now_ms)
        for message in turned:
            self.announce(message)
        for woken in {message.number_id for message in turned}:
            self.courier.wake(woken)
        return turned

    def clear(self, phone: str, number_id: str | None = None) -> int:
        """Empty a phone's conversation with one line, or with all; how many messages went."""
        with self.store.transaction():
            self.outbox.forget(phone, number_id)
            gone = self.chats.clear(phone, number_id)
        self.live.publish("cleared", {"number": phone}, phone)
        return gone

    def tell_again(self, told: Told) -> int:
        """Post a callback once more, as the network does when it is not sure; the number of the new one."""
        seq = self.outbox.again(told.seq, self.clock.now_ms())
        self.courier.wake(told.number_id)
        return seq

    # What watchers are told.

    def view(self, message: Message) -> MessageView:
        """A message as the phones' API shows it."""
        number = self.store.number(message.number_id)
        line = (number.display_phone_number or number.id) if number else message.number_id
        sender, receiver = (line, message.phone) if message.direction == "in" else (message.phone, line)
        return {
            "seq": message.seq,
            "id": message.id,
            "direction": message.direction,
            "from": sender,
            "to": receiver,
            "phone": message.phone,
            "number_id": message.number_id,
            "type": message.type,
            "status": message.status,
            "timestamp": message.at_ms,
            "context": message.reply_to,
            "correlation": message.correlation,
            "text": None,
            "media": None,
            "location": None,
            "contacts": None,
            "buttons": None,
            **message.content,
        }

    def announce(self, message: Message) -> None:
        if self.live.watched:
            self.live.publish("message", self.view(message), message.phone)

    def announce_callback(self, message_id: str) -> None:
        if self.live.watched and (message := self.chats.message(message_id)):
            self.live.publish("callback", {"message_id": message_id, "phone": message.phone}, message.phone)

    def announce_phone(self, phone: Phone) -> None:
        self.live.publish("phone", {"number": phone.number, "name": phone.name}, phone.number)


def new_wamid(phone: str) -> str:
    """A message's id on the network: long, opaque, and with the padding that real ones end on."""
    return "wamid." + base64.b64encode(f"\x1d{phone}\x15{secrets.token_hex(12).upper()}".encode()).decode().replace(
        "/", "_"
    ).replace("+", "-")
