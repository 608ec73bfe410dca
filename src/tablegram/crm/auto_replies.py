"""Automatic replies of a line: what they are, and which of them answers a message.

    keyword    the message is, or holds, one of some words
    closed     it comes outside the opening hours
    greeting   the customer writes for the first time, or again after some days

At most one reply answers a message, chosen in this order, and none again to the same contact before its cool-down is
over. That also ends a loop of two machines answering each other.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Literal

import msgspec

from tablegram.crm.rows import AutoReplyKind, AutoReplyRow
from tablegram.crm.store import auto_replies as store
from tablegram.errors import FieldError, Invalid
from tablegram.storage.database import Database
from tablegram.values import Json
from tablegram.values.clock import DAY_MS, FRESH_S
from tablegram.values.folding import words
from tablegram.values.opening_hours import ZONE_WANTED, OpeningHours, is_time_zone

Kind = AutoReplyKind
_ORDER = ("keyword", "closed", "greeting")
MAX_PER_LINE = 100
# Long enough that nobody feels answered by a machine twice; a keyword may be asked again soon.
COOLDOWNS_S: dict[Kind, int] = {"greeting": 86_400, "closed": 14_400, "keyword": 30}
_NEEDED: dict[Kind, tuple[str, ...]] = {"greeting": (), "closed": ("time_zone", "hours"), "keyword": ("keywords",)}
_OPTIONAL: dict[Kind, tuple[str, ...]] = {
    "greeting": ("after_days",),
    "closed": ("exceptions", "follows_venue"),
    "keyword": ("match",),
}
# What a reply has that follows the hours of somebody else.
_NO_HOURS: Json = {"time_zone": "UTC", "hours": [], "exceptions": []}


class Greeting(msgspec.Struct, frozen=True, tag="greeting"):
    """`after_days`: also after that many days of silence; empty means only the first time."""

    after_days: int | None = None

    def applies(self, at_ms: int, text: str, previous_at_ms: int | None) -> bool:
        if previous_at_ms is None:
            return True
        return self.after_days is not None and at_ms - previous_at_ms >= self.after_days * DAY_MS


class Closed(OpeningHours, frozen=True, tag="closed"):
    # The hours are those of whoever keeps some for the line, as they are when somebody writes; it has none of its own.
    follows_venue: bool = False

    def applies(self, at_ms: int, text: str, previous_at_ms: int | None) -> bool:
        return not self.is_open(at_ms)


class Keywords(msgspec.Struct, frozen=True, tag="keyword"):
    """`whole`: the message is a keyword and nothing else. `word`: it holds one among its words."""

    keywords: list[str]
    match: Literal["whole", "word"]

    def applies(self, at_ms: int, text: str, previous_at_ms: int | None) -> bool:
        said = words(text)
        return any(_holds(said, words(keyword), self.match) for keyword in self.keywords)


Rule = Greeting | Closed | Keywords
KINDS: dict[Kind, type[Rule]] = {"greeting": Greeting, "closed": Closed, "keyword": Keywords}
_KIND_OF = {rule: kind for kind, rule in KINDS.items()}
_RULE = msgspec.json.Decoder(Rule)


class Reply(msgspec.Struct, frozen=True):
    account_id: int
    id: str
    instance_id: int
    enabled: bool
    message: str
    cooldown_s: int
    rule: Rule
    created_at: int

    @property
    def kind(self) -> Kind:
        return _KIND_OF[type(self.rule)]


# Whether a line's house is open at a moment; and all of an account, by the line that they are kept for.
IsOpen = Callable[[int], bool]
LineHours = Callable[[int], Awaitable[dict[int, IsOpen]]]


class Ready(msgspec.Struct, frozen=True):
    """A reply that may be sent, and the kind of its line."""

    reply: Reply
    line_kind: str
    # Of a reply that follows the hours of its line's house.
    is_open: IsOpen | None = None

    def applies(self, at_ms: int, text: str, previous_at_ms: int | None) -> bool:
        rule = self.reply.rule
        if isinstance(rule, Closed) and rule.follows_venue:
            # Who keeps no hours any more is not closed either.
            return self.is_open is not None and not self.is_open(at_ms)
        return rule.applies(at_ms, text, previous_at_ms)


def read(row: AutoReplyRow) -> Reply:
    return Reply(
        row["account_id"], row["id"], row["instance_id"], bool(row["enabled"]), row["message"], row["cooldown_s"],
        _RULE.decode(row["rule"]), row["created_at"],
    )  # fmt: skip


def write(reply: Reply) -> AutoReplyRow:
    """The row of a reply."""
    return {
        "account_id": reply.account_id,
        "id": reply.id,
        "instance_id": reply.instance_id,
        "kind": reply.kind,
        "enabled": int(reply.enabled),
        "message": reply.message,
        "rule": msgspec.json.encode(reply.rule).decode(),
        "cooldown_s": reply.cooldown_s,
        "created_at": reply.created_at,
    }


class Replies:
    """Knows each account's enabled replies well enough to choose one without waiting."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._by_line: dict[int, dict[int, list[Ready]]] = {}
        self._loaded_at: dict[int, float] = {}
        self._line_hours: LineHours | None = None

    def follow(self, line_hours: LineHours) -> None:
        """Whose hours a reply may follow."""
        self._line_hours = line_hours

    def hours_changed(self, account_id: int) -> None:
        """They are looked at anew before the next message is answered."""
        self._loaded_at.pop(account_id, None)

    async def hours_of_lines(self, account_id: int) -> dict[int, IsOpen]:
        return {} if self._line_hours is None else await self._line_hours(account_id)

    async def refresh(self, account_id: int) -> None:
        if time.monotonic() - self._loaded_at.get(account_id, -FRESH_S) >= FRESH_S:
            await self.reload(account_id)

    async def reload(self, account_id: int) -> None:
        lines: dict[int, list[Ready]] = {}
        rows = await self._db.all(store.ENABLED, {"account_id": account_id})
        replies = [(read(row), row["line_kind"]) for row in rows]
        follows = any(isinstance(reply.rule, Closed) and reply.rule.follows_venue for reply, _ in replies)
        hours = await self.hours_of_lines(account_id) if follows else {}
        for reply, kind in replies:
            lines.setdefault(reply.instance_id, []).append(Ready(reply, kind, hours.get(reply.instance_id)))
        for found in lines.values():
            found.sort(key=lambda ready: _ORDER.index(ready.reply.kind))
        self._by_line[account_id] = lines
        self._loaded_at[account_id] = time.monotonic()

    def applying(
        self, account_id: int, instance_id: int, at_ms: int, text: str, previous_at_ms: int | None
    ) -> list[Ready]:
        """The line's replies that would answer, the first choice first."""
        replies = self._by_line.get(account_id, {}).get(instance_id)
        if not replies:
            return []
        return [ready for ready in replies if ready.applies(at_ms, text, previous_at_ms)]


def rule_of(kind: Kind, fields: Mapping[str, object], old: Json) -> Rule:
    """The rule of a kind from the fields given, over what it was; every wrong field is named."""
    allowed = (*_NEEDED[kind], *_OPTIONAL[kind])
    every = {name for names in (*_NEEDED.values(), *_OPTIONAL.values()) for name in names}
    errors = [
        FieldError(name, "not_for_kind", f"{name} does not belong to a reply of the kind {kind}.")
        for name in sorted(every.difference(allowed).intersection(fields))
    ]
    values: Json = {**old, **{name: fields[name] for name in allowed if name in fields}}
    if kind == "closed":
        errors += _hours_twice(fields, old)
        if values.get("follows_venue"):
            values |= _NO_HOURS
        elif old.get("follows_venue"):
            # Whoever stops following has to say which hours hold instead.
            values = {name: value for name, value in values.items() if name not in _NO_HOURS or name in fields}
    errors += [
        FieldError(name, "missing", f"A reply of the kind {kind} needs {name}.")
        for name in _NEEDED[kind]
        if name not in values
    ]
    if not errors and kind == "closed" and not is_time_zone(str(values["time_zone"])):
        errors.append(FieldError("time_zone", "not_allowed", ZONE_WANTED))
    if errors:
        raise Invalid.fields(errors)
    values.setdefault("match", "whole") if kind == "keyword" else None
    return msgspec.convert({**values, "type": kind}, KINDS[kind])


def _hours_twice(fields: Mapping[str, object], old: Json) -> list[FieldError]:
    """Hours of its own for a reply that follows a venue: one of both is meant."""
    follows = fields.get("follows_venue", old.get("follows_venue", False))
    given = [name for name in _NO_HOURS if name in fields]
    words = "This reply follows the hours of the venue. Leave {} out, or set follows_venue to false."
    return [FieldError(name, "follows_venue", words.format(name)) for name in given] if follows else []


def _holds(said: list[str], keyword: list[str], match: str) -> bool:
    if not keyword:
        return False
    if match == "whole":
        return said == keyword
    size = len(keyword)
    return any(said[start : start + size] == keyword for start in range(len(said) - size + 1))
