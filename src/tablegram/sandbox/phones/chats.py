"""Phones and what was said on them: the SQL of the customers' side.

A message's direction is the phone's: `in` came to the phone from a line, `out` was written on it.
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import msgspec
import phonenumbers

from tablegram.sandbox.phones.shown import Choice, Content
from tablegram.sandbox.store import Store

Direction = Literal["in", "out"]

# Ticks only ever move to the right. `failed` and `held` are left by being delivered after all.
STATUS_RANK = {"held": 0, "accepted": 1, "failed": 2, "sent": 3, "delivered": 4, "read": 5}

# People the first visitor of the phone page meets.
DEMO_NAMES = {"905551112233": "Ayşe", "447700900123": "Tom"}

_SELECT = (
    "SELECT seq, id, number_id, phone, direction, type, status, reply_to, correlation, at_ms, content FROM messages"
)


class Phone(msgspec.Struct, frozen=True):
    number: str
    name: str
    user_id: str


class Message(msgspec.Struct, frozen=True):
    seq: int
    id: str
    number_id: str
    phone: str
    direction: Direction
    type: str
    status: str
    reply_to: str | None
    correlation: str | None
    at_ms: int
    content: Content


def user_id(number: str) -> str:
    """The business-scoped id of a phone: its country and digits that only depend on the number."""
    try:
        region = phonenumbers.region_code_for_number(phonenumbers.parse("+" + number))
    except phonenumbers.NumberParseException:
        region = None
    digits = int.from_bytes(hashlib.sha256(number.encode()).digest()[:7]) % 10**16
    return f"{region or 'ZZ'}.{digits:016d}"


class Accepted(msgspec.Struct, frozen=True):
    """A message that a line handed over. `duplicate`: what it was correlated with has come before."""

    seq: int
    correlation: str | None
    wamid: str
    to: str
    number_id: str
    timestamp: int
    duplicate: bool


class Chats:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, Phone] = {}

    # Phones.

    def phone(self, number: str) -> Phone | None:
        row = self._store.execute("SELECT number, name, user_id FROM phones WHERE number = ?", (number,)).fetchone()
        return Phone(*row) if row else None

    def phone_by_user(self, user: str) -> Phone | None:
        row = self._store.execute("SELECT number, name, user_id FROM phones WHERE user_id = ?", (user,)).fetchone()
        return Phone(*row) if row else None

    def ensure_phone(self, number: str, now_ms: int, name: str | None = None) -> tuple[Phone, bool]:
        """The phone of that number and whether it is new; made when first needed, renamed when a name is given."""
        known = self._known.get(number)
        if known and (name is None or name == known.name):
            return known, False
        before = self.phone(number)
        if before is None:
            phone = Phone(number, name if name is not None else DEMO_NAMES.get(number, ""), user_id(number))
            self._store.execute("INSERT INTO phones VALUES (?, ?, ?, ?)", (number, phone.name, phone.user_id, now_ms))
        elif name is not None and name != before.name:
            phone = msgspec.structs.replace(before, name=name)
            self._store.execute("UPDATE phones SET name = ? WHERE number = ?", (name, number))
        else:
            phone = before
        if len(self._known) > 50_000:
            self._known.clear()
        self._known[number] = phone
        return phone, before is None

    def phones(self, limit: int = 200) -> list[tuple[Phone, int, Message | None]]:
        """Phones with unread count and last message, the liveliest first."""
        rows = self._store.execute(
            "SELECT p.number, p.name, p.user_id,"
            " (SELECT count(*) FROM messages m WHERE m.phone = p.number AND m.direction = 'in'"
            "   AND m.status NOT IN ('read', 'failed', 'held')),"
            " (SELECT max(seq) FROM messages m WHERE m.phone = p.number AND m.status NOT IN ('failed', 'held')) AS last"
            " FROM phones p ORDER BY last IS NULL, last DESC, p.created_ms, p.rowid LIMIT ?",
            (limit,),
        ).fetchall()
        return [
            (Phone(number, name, user), unread, self._by_seq(last) if last else None)
            for number, name, user, unread, last in rows
        ]

    def count_phones(self) -> int:
        return int(self._store.execute("SELECT count(*) FROM phones").fetchone()[0])

    def clear(self, number: str, number_id: str | None = None) -> int:
        """Forget what a phone and a line said, or all its chats; how many messages went. What was accepted stays
        counted. Inside the caller's transaction."""
        return self._store.execute(
            "DELETE FROM messages WHERE phone = ? AND (? IS NULL OR number_id = ?)", (number, number_id, number_id)
        ).rowcount

    def forget_phone(self, number: str) -> None:
        self._store.execute("DELETE FROM phones WHERE number = ?", (number,))
        self._known.pop(number, None)

    # Messages.

    def add(
        self,
        *,
        id: str,
        number_id: str,
        phone: str,
        direction: Direction,
        type: str,
        status: str,
        content: Content,
        at_ms: int,
        reply_to: str | None = None,
        correlation: str | None = None,
        wire: str | None = None,
    ) -> Message:
        encoded = msgspec.json.encode(content).decode()
        row = (id, number_id, phone, direction, type, status, reply_to, correlation, at_ms, encoded)
        seq = (
            self._store.execute(
                "INSERT INTO messages (id, number_id, phone, direction, type, status, reply_to, correlation, at_ms,"
                " content, wire) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, wire),
            ).lastrowid
            or 0
        )
        return Message(seq, id, number_id, phone, direction, type, status, reply_to, correlation, at_ms, content)

    def message(self, message_id: str) -> Message | None:
        row = self._store.execute(_SELECT + " WHERE id = ?", (message_id,)).fetchone()
        return _message(row) if row else None

    def wire(self, message_id: str) -> Any:
        """The request that a line sent the message with; nothing for what a customer wrote."""
        row = self._store.execute("SELECT wire FROM messages WHERE id = ?", (message_id,)).fetchone()
        return msgspec.json.decode(row[0]) if row and row[0] else None

    def _by_seq(self, seq: int) -> Message | None:
        row = self._store.execute(_SELECT + " WHERE seq = ?", (seq,)).fetchone()
        return _message(row) if row else None

    def messages(self, phone: str, *, after: int | None, limit: int, number_id: str | None = None) -> list[Message]:
        """In the order they came. With `after` the next ones; without, the last ones."""
        condition = "phone = ? AND seq > ?"
        arguments: list[Any] = [phone, after or 0]
        if number_id is not None:
            condition += " AND number_id = ?"
            arguments.append(number_id)
        order = "ASC" if after is not None else "DESC"
        rows = self._store.execute(
            _SELECT + " WHERE " + condition + " ORDER BY seq " + order + " LIMIT ?", [*arguments, limit]
        ).fetchall()
        found = [_message(row) for row in rows]
        return found if after is not None else found[::-1]

    def has_written(self, phone: str, number_id: str) -> bool:
        """Whether the phone's owner has ever written to the line."""
        found = "SELECT 1 FROM messages WHERE phone = ? AND number_id = ? AND direction = 'out' LIMIT 1"
        return self._store.execute(found, (phone, number_id)).fetchone() is not None

    def unread(self, phone: str, number_id: str | None = None) -> list[Message]:
        rows = self._store.execute(
            _SELECT + " WHERE phone = ? AND direction = 'in' AND status != 'read'"
            " AND status NOT IN ('failed', 'held') AND (? IS NULL OR number_id = ?) ORDER BY seq",
            (phone, number_id, number_id),
        ).fetchall()
        return [_message(row) for row in rows]

    def last_with_choice(self, phone: str, number_id: str, choice_id: str) -> Message | None:
        """The newest message to the phone that offers a button or a row with this id."""
        for message in reversed(self.messages(phone, after=None, limit=200, number_id=number_id)):
            if message.direction == "in" and any(choice["id"] == choice_id for choice in choices(message)):
                return message
        return None

    def advance(self, message_id: str, status: str) -> Message | None:
        """Turn the tick, if that is forward; the message as it is now, or nothing when it did not move."""
        message = self.message(message_id)
        if message is None or STATUS_RANK.get(message.status, 0) >= STATUS_RANK[status]:
            return None
        self._store.execute("UPDATE messages SET status = ? WHERE id = ?", (status, message_id))
        return msgspec.structs.replace(message, status=status)

    # The log of everything accepted from the business side, which clearing a phone does not touch.

    def log_accepted(self, correlation: str | None, wamid: str, phone: str, number_id: str, now_ms: int) -> bool:
        """True when this correlation had been accepted before."""
        seen = (
            correlation is not None
            and self._store.execute("SELECT 1 FROM accepted WHERE correlation = ? LIMIT 1", (correlation,)).fetchone()
            is not None
        )
        self._store.execute(
            "INSERT INTO accepted (correlation, wamid, phone, number_id, at_ms, duplicate) VALUES (?, ?, ?, ?, ?, ?)",
            (correlation, wamid, phone, number_id, now_ms, int(seen)),
        )
        return seen

    def accepted(self, after: int, limit: int) -> list[Accepted]:
        rows = self._store.execute(
            "SELECT seq, correlation, wamid, phone, number_id, at_ms, duplicate FROM accepted WHERE seq > ?"
            " ORDER BY seq LIMIT ?",
            (after, limit),
        )
        return [
            Accepted(seq, correlation, wamid, to, number_id, at_ms, bool(again))
            for seq, correlation, wamid, to, number_id, at_ms, again in rows
        ]

    def count_accepted(self) -> tuple[int, int, dict[str, int]]:
        """How many came, how many of them again, and how often each of these."""
        total = self._store.execute("SELECT count(*) FROM accepted").fetchone()[0]
        twice = self._store.execute("SELECT count(*) FROM accepted WHERE duplicate = 1").fetchone()[0]
        worst = self._store.execute(
            "SELECT correlation, count(*) FROM accepted WHERE correlation IN"
            " (SELECT correlation FROM accepted WHERE duplicate = 1 LIMIT 100) GROUP BY correlation"
        ).fetchall()
        return total, twice, dict(worst)


def choices(message: Message) -> list[Choice]:
    """Every button and list row that a message offers."""
    buttons = list(message.content.get("buttons") or [])
    offered = message.content.get("list")
    for section in offered["sections"] if offered else []:
        buttons.extend(section["rows"])
    return [button for button in buttons if "id" in button]


def _message(row: tuple[Any, ...]) -> Message:
    named = dict(zip(Message.__struct_fields__, row, strict=True))
    return Message(**(named | {"content": msgspec.json.decode(row[-1])}))
