"""What the network tells us, worked in: messages, contacts, states and events, many callbacks in one transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from tablegram.accounts.money.rate_card import RateCard
from tablegram.crm.contacts import Recognised, Sender, known_phones, recognise
from tablegram.crm.conversations import note_answered
from tablegram.engine import raw_callbacks
from tablegram.events.planning import event_of
from tablegram.flows.contacts.echoes import Echoes, Key
from tablegram.flows.gateway.announcing import Announcer
from tablegram.flows.gateway.answering import Answerer, Answerers, Heard, Written
from tablegram.flows.gateway.statuses import Statuses
from tablegram.media import store as media_store
from tablegram.media.files import new_media_id, want
from tablegram.messaging.incoming import InboundMessage, Incoming, NetworkError, Parse, StatusUpdate
from tablegram.messaging.model import MEDIA_MAX_BYTES
from tablegram.messaging.numbers import Numbers
from tablegram.messaging.store import messages as store
from tablegram.restaurant import customers
from tablegram.storage.database import Query, Row, Tx
from tablegram.values.clock import Clock
from tablegram.values.ids import new_id
from tablegram.values.secrets import SecretBox

log = logging.getLogger("tablegram.inbound")

Statement = tuple[Query, dict[str, Any]]

_encode = msgspec.json.Encoder().encode


class Arrival(msgspec.Struct, frozen=True):
    """One thing that a callback said, and whose line it was said to."""

    account_id: int
    instance_id: int
    item: Incoming
    # How often working it in has failed.
    failures: int = 0


class Inbound:
    """Handles inbox rows of every source that a parser is given for: `cloud:<line>` is of the kind `cloud`."""

    def __init__(
        self,
        parsers: Mapping[str, Parse],
        box: SecretBox,
        card: RateCard,
        clock: Clock,
        announcer: Announcer,
        *,
        prepaid: bool,
        wake_fetching: Callable[[], None] = lambda: None,
        answerers: Sequence[Answerer] = (),
        numbers: Numbers | None = None,
        suspect: Callable[[int], None] = lambda line_id: None,
    ) -> None:
        # Told which line the network reports a trouble of.
        self._suspect = suspect
        self._numbers = numbers
        self._answerers = Answerers(answerers)
        self._wake_fetching = wake_fetching
        self._parsers = parsers
        self._clock = clock
        self._announcer = announcer
        self._echoes = Echoes(box)
        self._statuses = Statuses(box, card, clock, announcer, prepaid=prepaid)
        # Of the bodies that are worked on now, by source and external id.
        self._parsed: dict[tuple[str, str], list[Arrival]] = {}
        self._plans: dict[int, list[Statement]] = {}

    async def prepare(self, rows: list[Row]) -> None:
        accounts = {row["account_id"] for row in rows}
        if self._numbers is not None:
            for account_id in accounts:
                await self._numbers.refresh(account_id)
        # The inbox works on one lot at a time. What became of the last one no longer matters, given up or not.
        self._parsed = {_name(row): self._read(row) for row in rows}
        for account_id in accounts:
            await self._announcer.refresh(account_id)
        arrivals = [arrival for parsed in self._parsed.values() for arrival in parsed]
        await self._answerers.prepare([_written(one) for one in arrivals if _is_written(one)])

    def _read(self, row: Row) -> list[Arrival]:
        kind, _, line_id = row["source"].partition(":")
        return [self._arrival(row, int(line_id), item) for item in self._parsers[kind](bytes(row["body"]))]

    def _arrival(self, row: Row, line_id: int, item: Incoming) -> Arrival:
        account_id = row["account_id"]
        if self._numbers is not None:
            line_id = self._numbers.line_of(account_id, line_id, item.phone_number_id)
        if isinstance(item, InboundMessage | StatusUpdate) and not item.at_ms:
            # What has no time of its own happened about when we were told.
            item = msgspec.structs.replace(item, at_ms=row["received_at"])
        return Arrival(account_id, line_id, item, row["attempts"])

    async def apply(self, tx: Tx, rows: list[Row]) -> None:
        arrivals = [arrival for row in rows for arrival in self._parsed[_name(row)]]
        said = [one for one in arrivals if _is_written(one) or _is_echo(one)]
        echoes = await self._echoes.among(tx, [_key(one) for one in said]) if said else set()
        said = [one for one in said if _key(one) not in echoes]
        statements = await self._messages(tx, [one for one in said if _is_written(one)])
        await _keep_echoes(tx, [one for one in said if _is_echo(one)])
        news, late = await self._statuses.apply(
            tx, [(one.account_id, one.instance_id, one.item) for one in arrivals if isinstance(one.item, StatusUpdate)]
        )
        statements += news
        await _run_all(tx, statements)
        if echoes or late:
            about = echoes | late
            await raw_callbacks.empty(tx, [row for row in rows if about & set(map(_key, self._parsed[_name(row)]))])
        # A unit may run twice; what counts is what the last one planned.
        self._plans = {}
        for query, params in statements:
            self._plans.setdefault(params["account_id"], []).append((query, params))

    def done(self, rows: list[Row]) -> None:
        self._answerers.committed()
        for row in rows:
            for arrival in self._parsed.pop(_name(row), []):
                _tell(arrival)
                if isinstance(arrival.item, NetworkError):
                    self._suspect(arrival.instance_id)
        plans, self._plans = self._plans, {}
        for account_id, statements in plans.items():
            self._announcer.planned(account_id, statements)
            if any(query is media_store.INSERT for query, _ in statements):
                self._wake_fetching()

    async def _messages(self, tx: Tx, written: list[Arrival]) -> list[Statement]:
        """Keep what customers wrote, once, and plan the events for what is new."""
        if not written:
            return []
        contacts = await recognise(tx, [_sender(one) for one in written])
        written = await _show_numbers(tx, written, contacts)
        for arrival, contact in zip(written, contacts, strict=True):
            for gone in contact.joined:
                await customers.move(tx, arrival.account_id, gone, contact.contact_id)
        rows = [_row(one) for one in written]
        added = {row["id"] for row in await tx.gather(store.INSERT_INBOUND, rows)}
        statements: list[Statement] = []
        for arrival, row, contact in zip(written, rows, contacts, strict=True):
            if row["id"] in added:
                statements += self._tell_and_want(arrival, row["id"], contact.contact_id)
                statements += await self._answer(tx, arrival, row["id"], contact)
        return statements

    async def _answer(self, tx: Tx, arrival: Arrival, message_key: str, contact: Recognised) -> list[Statement]:
        written = _written(arrival)
        answered = await self._answerers.answer(tx, Heard(written, contact, message_key))
        if answered.is_settled:
            # It went through by itself. Where we had to ask or to refuse, people see it in their inbox.
            await note_answered(
                tx, arrival.account_id, contact.contact_id, previous_at_ms=contact.previous_at_ms,
                at_ms=written.message.at_ms, now_ms=self._clock.now_ms(),
            )  # fmt: skip
        return [*answered.statements]

    def _tell_and_want(self, arrival: Arrival, message_key: str, contact_id: str) -> list[Statement]:
        """The event about a message and, if it came with a file, the wish for it; the event waits for the file."""
        item = _message(arrival)
        file = item.media if item.type in MEDIA_MAX_BYTES and item.media is not None and item.media.media_id else None
        media_id = new_media_id() if file is not None else ""
        plan = self._announcer.received(arrival.account_id, arrival.instance_id, item, contact_id, media_id)
        if file is None:
            return plan
        wish = want(
            account_id=arrival.account_id, media_id=media_id, instance_id=arrival.instance_id, message_key=message_key,
            event_id=event_of(plan), kind=item.type, network_media_id=file.media_id.replace("\x00", ""),
            mime_type=file.mime_type, filename=file.filename, sha256=file.sha256, now_ms=self._clock.now_ms(),
        )  # fmt: skip
        return [*plan, wish]


def _name(row: Row) -> tuple[str, str]:
    return row["source"], row["external_id"]


def _key(arrival: Arrival) -> Key:
    item = arrival.item
    network_id = item.network_id if isinstance(item, InboundMessage | StatusUpdate) else ""
    return arrival.account_id, arrival.instance_id, network_id


def _is_written(arrival: Arrival) -> bool:
    """Whether a customer wrote it, and it is known who."""
    return isinstance(arrival.item, InboundMessage) and not arrival.item.echo and bool(_sender(arrival).aliases())


def _is_echo(arrival: Arrival) -> bool:
    """Whether the owner wrote it in the network's own app, and it is known to whom."""
    return isinstance(arrival.item, InboundMessage) and arrival.item.echo and bool(arrival.item.recipient)


def _written(arrival: Arrival) -> Written:
    return Written(arrival.account_id, arrival.instance_id, _message(arrival), arrival.failures)


def _message(arrival: Arrival) -> InboundMessage:
    assert isinstance(arrival.item, InboundMessage)
    return arrival.item


def _sender(arrival: Arrival) -> Sender:
    item = _message(arrival)
    return Sender(
        arrival.account_id, arrival.instance_id, item.sender_phone, item.sender_user_id, item.sender_name, item.at_ms,
        item.new_phone,
    )  # fmt: skip


async def _show_numbers(tx: Tx, written: list[Arrival], contacts: list[Recognised]) -> list[Arrival]:
    """Who hides his number now may have shown it before, and is told of, answered and served by that one."""
    hidden = {
        (one.account_id, contact.contact_id)
        for one, contact in zip(written, contacts, strict=True)
        if not _message(one).sender_phone
    }
    if not hidden:
        return written
    phones = await known_phones(tx, hidden)

    def show(one: Arrival, contact: Recognised) -> Arrival:
        item = _message(one)
        phone = item.sender_phone or phones.get((one.account_id, contact.contact_id), "")
        return msgspec.structs.replace(one, item=msgspec.structs.replace(item, sender_phone=phone))

    return [show(one, contact) for one, contact in zip(written, contacts, strict=True)]


async def _keep_echoes(tx: Tx, said: list[Arrival]) -> None:
    """The other half of a conversation: what the owner wrote in the network's own app, at no cost of ours."""
    if said:
        await tx.gather(store.INSERT_ECHO, [_echo_row(one) for one in said])


def _echo_row(arrival: Arrival) -> dict[str, Any]:
    item = _message(arrival)
    sent = {"direction": "out", "phone": item.recipient, "state": "sent", "sent_at": item.at_ms}
    return {**_row(arrival), **sent}


def _row(arrival: Arrival) -> dict[str, Any]:
    item = _message(arrival)
    return {
        "account_id": arrival.account_id,
        "id": new_id(),
        "instance_id": arrival.instance_id,
        "direction": "in",
        "phone": item.sender_phone or item.sender_user_id,
        "type": item.type,
        "text": item.text.replace("\x00", ""),
        "content": _encode(item.raw).decode(),
        "state": "received",
        "priority": 0,
        "network_id": item.network_id,
        "category": "service",
        "cost_micros": 0,
        "created_at": item.at_ms,
    }


async def _run_all(tx: Tx, statements: list[Statement]) -> None:
    """Run plain statements, the same ones together."""
    groups: dict[Query, list[dict[str, Any]]] = {}
    for query, params in statements:
        groups.setdefault(query, []).append(params)
    for query, rows in groups.items():
        await tx.many(query, rows)


def _tell(arrival: Arrival) -> None:
    """What has no meaning for us yet is kept in the inbox as it came, and named in the log."""
    item = arrival.item
    if isinstance(item, NetworkError):
        log.warning("line %s: the network reports %s: %s", arrival.instance_id, item.error_code, item.detail)
    elif isinstance(item, InboundMessage):
        if not _is_written(arrival) and not _is_echo(arrival):
            whom = "nobody it was sent to" if item.echo else "no sender"
            log.warning("line %s: a message that names %s is kept as it came", arrival.instance_id, whom)
    elif not isinstance(item, StatusUpdate):
        log.info("line %s: a callback of the kind %r is kept as it came", arrival.instance_id, item.field)
