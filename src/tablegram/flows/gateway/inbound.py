"""What the network tells us, worked in: messages, contacts, states and events, many callbacks in one transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import msgspec

from tablegram.accounts.money.rate_card import RateCard
from tablegram.crm.contacts import Recognised, Sender, known_phones, recognise
from tablegram.crm.conversations import note_answered
from tablegram.engine import raw_callbacks
from tablegram.events.planning import event_of
from tablegram.flows.contacts.echoes import Echoes, Key
from tablegram.flows.gateway.announcing import Announcer
from tablegram.flows.gateway.auto_replies import AutoReplies
from tablegram.flows.gateway.statuses import Statuses
from tablegram.flows.restaurant.texts.order_texts import OrderTexts
from tablegram.media import store as media_store
from tablegram.media.files import new_media_id, want
from tablegram.messaging.incoming import InboundMessage, Incoming, NetworkError, StatusUpdate
from tablegram.messaging.model import MEDIA_MAX_BYTES
from tablegram.messaging.numbers import Numbers
from tablegram.messaging.store import messages as store
from tablegram.restaurant import customers
from tablegram.storage.database import Query, Row, Tx
from tablegram.values.clock import Clock
from tablegram.values.ids import new_id
from tablegram.values.secrets import SecretBox

log = logging.getLogger("tablegram.inbound")

# Before the inbox gives a body up, it is worked in without being read as an order.
MAX_ORDER_FAILURES = 3

Parse = Callable[[bytes], list[Incoming]]
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
    """Handles inbox rows of the source `cloud:<line>`."""

    def __init__(
        self,
        parse: Parse,
        box: SecretBox,
        card: RateCard,
        clock: Clock,
        announcer: Announcer,
        *,
        prepaid: bool,
        wake_fetching: Callable[[], None] = lambda: None,
        replies: AutoReplies | None = None,
        orders: OrderTexts | None = None,
        numbers: Numbers | None = None,
        suspect: Callable[[int], None] = lambda line_id: None,
    ) -> None:
        # Told which line the network reports a trouble of.
        self._suspect = suspect
        self._numbers = numbers
        self._replies = replies
        self._orders = orders
        self._wake_fetching = wake_fetching
        self._parse = parse
        self._clock = clock
        self._announcer = announcer
        self._echoes = Echoes(box)
        self._statuses = Statuses(box, card, clock, announcer, prepaid=prepaid)
        # By source and external id, from before the transaction until after it.
        self._parsed: dict[tuple[str, str], list[Arrival]] = {}
        self._plans: dict[int, list[Statement]] = {}

    async def prepare(self, rows: list[Row]) -> None:
        accounts = {row["account_id"] for row in rows}
        if self._numbers is not None:
            for account_id in accounts:
                await self._numbers.refresh(account_id)
        for row in rows:
            self._parsed[_name(row)] = [self._arrival(row, item) for item in self._parse(bytes(row["body"]))]
        for account_id in accounts:
            await self._announcer.refresh(account_id)
            if self._replies is not None:
                await self._replies.refresh(account_id)
            if self._orders is not None:
                await self._orders.refresh(account_id)
        if self._orders is not None:
            await self._orders.read_ahead(self._written(rows))

    def _written(self, rows: list[Row]) -> list[tuple[int, int, InboundMessage]]:
        """What customers wrote, with the account and the line it came to."""
        arrivals = [arrival for row in rows for arrival in self._parsed[_name(row)]]
        return [(one.account_id, one.instance_id, one.item) for one in arrivals
                if isinstance(one.item, InboundMessage) and _is_written(one) and one.failures < MAX_ORDER_FAILURES]  # fmt: skip

    def _arrival(self, row: Row, item: Incoming) -> Arrival:
        account_id, line_id = row["account_id"], int(row["source"].partition(":")[2])
        if self._numbers is not None:
            line_id = self._numbers.line_of(account_id, line_id, item.phone_number_id)
        if isinstance(item, InboundMessage | StatusUpdate) and not item.at_ms:
            # What has no time of its own happened about when we were told.
            item = msgspec.structs.replace(item, at_ms=row["received_at"])
        return Arrival(account_id, line_id, item, row["attempts"])

    async def apply(self, tx: Tx, rows: list[Row]) -> None:
        arrivals = [arrival for row in rows for arrival in self._parsed[_name(row)]]
        said = [one for one in arrivals if isinstance(one.item, InboundMessage) and (_is_written(one) or _is_echo(one))]
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
        if self._replies is not None:
            self._replies.answered()
        if self._orders is not None:
            self._orders.answered()
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
        """Orders go before automatic replies: a guest who orders hears about his order and nothing else."""
        line = arrival.account_id, arrival.instance_id
        # What fails again and again as an order is kept as a plain message, and people answer it.
        if self._orders is not None and arrival.failures < MAX_ORDER_FAILURES:
            ordered = await self._orders.answer(tx, *line, _message(arrival), contact, message_key)
            if ordered:
                # It went through by itself. Where we had to ask or to refuse, people see it in their inbox.
                await note_answered(
                    tx, arrival.account_id, contact.contact_id, previous_at_ms=contact.previous_at_ms,
                    at_ms=_message(arrival).at_ms, now_ms=self._clock.now_ms(),
                )  # fmt: skip
            if ordered is not None:
                return ordered
        if self._replies is not None:
            await self._replies.answer(tx, *line, _message(arrival), contact)
        return []

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
    return not _message(arrival).echo and bool(_sender(arrival).aliases())


def _is_echo(arrival: Arrival) -> bool:
    """Whether the owner wrote it in the network's own app, and it is known to whom."""
    return _message(arrival).echo and bool(_message(arrival).recipient)


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
