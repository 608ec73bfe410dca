"""What the network tells us, worked in: messages, contacts, states and events, many callbacks in one transaction."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from typing import cast

import msgspec

from tablegram.accounts.money.rate_card import RateCard
from tablegram.crm.contacts import Recognised, known_phones, recognise
from tablegram.crm.conversations import note_answered
from tablegram.engine import raw_callbacks
from tablegram.engine.rows import NamedBody, TakenBody
from tablegram.events.planning import event_of
from tablegram.flows.contacts.echoes import Echoes
from tablegram.flows.gateway.announcing import Announcer
from tablegram.flows.gateway.answering import Answerer, Answerers, Heard
from tablegram.flows.gateway.callbacks import changes, news, people
from tablegram.flows.gateway.callbacks.arrivals import (
    Arrival,
    body_of,
    echo_row_of,
    key_of,
    message_of,
    role_of,
    row_of,
    sender_of,
    written_of,
)
from tablegram.flows.gateway.statuses import Statuses
from tablegram.media import store as media_store
from tablegram.media.files import new_media_id, want
from tablegram.messaging.incoming import (
    InboundMessage,
    Incoming,
    Malformed,
    MessageChange,
    NetworkError,
    Notice,
    Parse,
    StatusUpdate,
    UnknownChange,
)
from tablegram.messaging.model import MEDIA_MAX_BYTES
from tablegram.messaging.numbers import Numbers
from tablegram.messaging.store import messages as store
from tablegram.storage.database import Params, Query, Statement, Tx
from tablegram.values.clock import Clock
from tablegram.values.secrets import SecretBox

log = logging.getLogger("tablegram.inbound")

# Who wrote, as the networks say it. It is looked for in every body that comes in, and most of them are never read for it.
_WRITER = re.compile(rb'"from"\s*:\s*("[^"]+")')


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
        self._suspected: set[int] = set()

    def writers(self, row: NamedBody) -> frozenset[bytes]:
        return frozenset(_WRITER.findall(bytes(row["body"])))

    def is_awaited(self, row: NamedBody) -> bool:
        return _WRITER.search(row["body"]) is not None

    async def prepare(self, rows: Sequence[TakenBody]) -> None:
        accounts = {row["account_id"] for row in rows}
        if self._numbers is not None:
            for account_id in accounts:
                called = {_called(row) for row in rows if row["account_id"] == account_id}
                await self._numbers.refresh(account_id, called)
        # The inbox works on one lot at a time. What became of the last one no longer matters, given up or not.
        self._parsed = {body_of(row): self._read(row) for row in rows}
        await self._look_again(rows)
        for account_id in accounts:
            await self._announcer.refresh(account_id)
        arrivals = [arrival for parsed in self._parsed.values() for arrival in parsed]
        await self._answerers.prepare(
            [
                written_of(one)
                for one in arrivals
                if one.role == "written" or (one.role == "changed" and not message_of(one).echo)
            ]
        )

    async def _look_again(self, rows: Sequence[TakenBody]) -> None:
        """A number that seems to be nobody's may be that of a line which was just added."""
        doubtful = [row for row in rows if any(one.is_strangers for one in self._parsed[body_of(row)])]
        if self._numbers is None or not doubtful:
            return
        for account_id in {row["account_id"] for row in doubtful}:
            await self._numbers.reload(account_id)
        self._parsed |= {body_of(row): self._read(row) for row in doubtful}

    def _read(self, row: TakenBody) -> list[Arrival]:
        try:
            items = self._parsers[row["source"].partition(":")[0]](bytes(row["body"]))
        except Malformed as error:
            # No other try reads it; it is shown as it came.
            items = [UnknownChange(field="", raw=None, kind="malformed", why=str(error)[:300])]
        return [self._arrival(row, _called(row), item) for item in items]

    def _arrival(self, row: TakenBody, called: int, item: Incoming) -> Arrival:
        account_id = row["account_id"]
        line_id: int | None = called
        about: list[int] = [called]
        if self._numbers is not None and isinstance(item, Notice) and not item.phone_number_id:
            about = self._numbers.lines_about(account_id, called, number_id="", waba_id=item.waba_id, phone=item.phone)
        elif self._numbers is not None:
            line_id = self._numbers.line_of(account_id, called, item.phone_number_id)
            about = [] if line_id is None else [line_id]
        if isinstance(item, StatusUpdate) and item.status == "deleted":
            item = _taken_back(item)
        is_strangers = line_id is None
        return Arrival(
            account_id, called if line_id is None else line_id, _timed(item, row["received_at"]),
            role_of(item, is_strangers=is_strangers), *body_of(row), row["received_at"], row["attempts"], tuple(about),
            is_strangers,
        )  # fmt: skip

    async def apply(self, tx: Tx, rows: Sequence[TakenBody]) -> None:
        arrivals = [arrival for row in rows for arrival in self._parsed[body_of(row)]]
        said = [one for one in arrivals if one.role not in ("status", "nobodys", "other")]
        echoes = await self._echoes.among(tx, [key_of(one) for one in said]) if said else set()
        said = [one for one in said if key_of(one) not in echoes] if echoes else said
        changed, early = await _find_early(tx, [one for one in said if one.role == "changed"], said)
        statements = await self._messages(tx, [*[one for one in said if one.role == "written"], *early])
        statements += await self._history(tx, [one for one in said if one.role in ("history", "old_echo")])
        await _keep_echoes(tx, [one for one in said if one.role == "echo"])
        statements += await self._changes(tx, changed)
        statements += await people.apply(tx, self._announcer, arrivals)
        told, self._suspected = await news.apply(tx, self._announcer, arrivals)
        statements += told
        steps = [one for one in arrivals if one.role == "status"]
        happened, late = await self._statuses.apply(tx, [(one.account_id, one.instance_id, one.item) for one in steps])  # type: ignore[misc]
        statements += happened
        await _run_all(tx, statements)
        if echoes or late:
            about = echoes | late
            await raw_callbacks.empty(tx, [row for row in rows if about & set(map(key_of, self._parsed[body_of(row)]))])
        # A unit may run twice; what counts is what the last one planned.
        self._plans = {}
        for query, params in statements:
            self._plans.setdefault(cast("int", params["account_id"]), []).append((query, params))

    def done(self, rows: Sequence[TakenBody]) -> None:
        self._answerers.committed()
        for row in rows:
            for arrival in self._parsed.pop(body_of(row), []):
                _tell(arrival)
                if isinstance(arrival.item, NetworkError) and not arrival.is_strangers:
                    self._suspect(arrival.instance_id)
        for line_id in self._suspected:
            self._suspect(line_id)
        plans, self._plans = self._plans, {}
        for account_id, statements in plans.items():
            self._announcer.planned(account_id, statements)
            if any(query is media_store.INSERT for query, _ in statements):
                self._wake_fetching()

    async def _messages(self, tx: Tx, written: list[Arrival]) -> list[Statement]:
        """Keep what customers wrote, once, and plan the events for what is new."""
        if not written:
            return []
        contacts = await recognise(tx, [sender_of(one) for one in written])
        written = await _show_numbers(tx, written, contacts)
        for arrival, contact in zip(written, contacts, strict=True):
            await people.move_joined(tx, arrival.account_id, contact)
        rows = [row_of(one) for one in written]
        added = {row["id"] for row in await tx.gather(store.INSERT_INBOUND, rows)}
        statements: list[Statement] = []
        for arrival, row, contact in zip(written, rows, contacts, strict=True):
            if row["id"] in added:
                statements += self._tell_and_want(arrival, row["id"], contact.contact_id)
                statements += await self._answer(tx, arrival, row["id"], contact)
        return statements

    async def _changes(self, tx: Tx, arrivals: list[Arrival]) -> list[Statement]:
        """What its writer changed or took back. Who changes a text is heard again, as if they had said so."""
        statements: list[Statement] = []
        for one in await changes.apply(tx, self._announcer, arrivals) if arrivals else []:
            statements += one.statements
            if one.contact is not None:
                (arrival,) = await _show_numbers(tx, [changes.as_written(one.arrival)], [one.contact])
                change = one.arrival.item
                assert isinstance(change, MessageChange)
                statements += await self._answer(tx, arrival, one.row["id"], one.contact, change.kind)
        return statements

    async def _history(self, tx: Tx, arrivals: list[Arrival]) -> list[Statement]:
        """What was said before: kept, its files fetched, and no event of today."""
        if not arrivals:
            return []
        kept = await changes.keep_history(tx, arrivals, self._clock.now_ms())
        wishes = [self._want(arrival, key, new_media_id(), "") for arrival, key, _ in kept]
        return [wish for wish in wishes if wish is not None]

    async def _answer(
        self, tx: Tx, arrival: Arrival, message_key: str, contact: Recognised, change: str = ""
    ) -> list[Statement]:
        written = written_of(arrival, change)
        if written.message.group_id:
            # What is said among several is not said to us.
            return []
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
        item = message_of(arrival)
        media_id = new_media_id() if _file_of(item) else ""
        plan = self._announcer.received(arrival.account_id, arrival.instance_id, item, contact_id, media_id)
        wish = self._want(arrival, message_key, media_id, event_of(plan))
        return plan if wish is None else [*plan, wish]

    def _want(self, arrival: Arrival, message_key: str, media_id: str, event_id: str) -> Statement | None:
        item = message_of(arrival)
        file = item.media
        if file is None or not _file_of(item):
            return None
        return want(
            account_id=arrival.account_id, media_id=media_id, instance_id=arrival.instance_id, message_key=message_key,
            event_id=event_id, kind=item.type, network_media_id=file.media_id.replace("\x00", ""),
            mime_type=file.mime_type, filename=file.filename, sha256=file.sha256, now_ms=self._clock.now_ms(),
        )  # fmt: skip


def _called(row: TakenBody) -> int:
    """The line whose address was called."""
    return int(row["source"].partition(":")[2])


def _file_of(item: InboundMessage) -> str:
    """The network's id of the file that a message came with."""
    return item.media.media_id if item.type in MEDIA_MAX_BYTES and item.media is not None else ""


def _timed(item: Incoming, received_at: int) -> Incoming:
    """What has no time of its own happened about when we were told."""
    if isinstance(item, MessageChange):
        return msgspec.structs.replace(item, message=_timed(item.message, received_at))
    if isinstance(item, InboundMessage | StatusUpdate) and not item.at_ms:
        return msgspec.structs.replace(item, at_ms=received_at)
    return item


def _taken_back(status: StatusUpdate) -> MessageChange:
    """A message of ours that was deleted where it was shown."""
    gone = InboundMessage(
        network_id=status.network_id, at_ms=status.at_ms, type="unsupported", network_type="", sender_phone="",
        sender_user_id="", sender_name="", recipient=status.recipient, echo=True, raw={},
    )  # fmt: skip
    return MessageChange(kind="deleted", message=gone, phone_number_id=status.phone_number_id)


async def _find_early(tx: Tx, changed: list[Arrival], said: list[Arrival]) -> tuple[list[Arrival], list[Arrival]]:
    """Changes of messages that are known, and edits of those that are not: these are the messages themselves."""
    if not changed:
        return [], []
    known = {*await changes.originals(tx, changed), *(key_of(one) for one in said if one.role != "changed")}
    early = [
        one
        for one in changed
        if isinstance(one.item, MessageChange)
        and one.item.kind == "edited"
        and key_of(one) not in known
        and changes.as_written(one).role == "written"
    ]
    return [one for one in changed if one not in early], [changes.as_written(one) for one in early]


async def _show_numbers(tx: Tx, written: list[Arrival], contacts: list[Recognised]) -> list[Arrival]:
    """Who hides their number now may have shown it before, and is told of, answered and served by that one."""
    hidden = {
        (one.account_id, contact.contact_id)
        for one, contact in zip(written, contacts, strict=True)
        if not message_of(one).sender_phone
    }
    if not hidden:
        return written
    phones = await known_phones(tx, hidden)

    def show(one: Arrival, contact: Recognised) -> Arrival:
        item = message_of(one)
        phone = item.sender_phone or phones.get((one.account_id, contact.contact_id), "")
        return msgspec.structs.replace(one, item=msgspec.structs.replace(item, sender_phone=phone))

    return [show(one, contact) for one, contact in zip(written, contacts, strict=True)]


async def _keep_echoes(tx: Tx, said: list[Arrival]) -> None:
    """The other half of a conversation: what the owner wrote in the network's own app, at no cost of ours."""
    if said:
        await tx.gather(store.INSERT_ECHO, [echo_row_of(one) for one in said])


async def _run_all(tx: Tx, statements: list[Statement]) -> None:
    """Run plain statements, the same ones together."""
    groups: dict[Query, list[Params]] = {}
    for query, params in statements:
        groups.setdefault(query, []).append(params)
    for query, rows in groups.items():
        await tx.many(query, rows)


def _tell(arrival: Arrival) -> None:
    """What nobody acts on is kept in the inbox as it came, named in the log, and seen by people in the panel."""
    item, line_id = arrival.item, arrival.instance_id
    if isinstance(item, NetworkError):
        log.warning("line %s: the network reports %s: %s", line_id, item.error_code, item.detail)
    elif arrival.is_strangers:
        log.warning("line %s: something for the number %r, which is no line's", line_id, item.phone_number_id)
    elif arrival.role == "nobodys":
        whom = "nobody it was sent to" if message_of(arrival).echo else "no sender"
        log.warning("line %s: a message that names %s is kept as it came", line_id, whom)
    elif isinstance(item, UnknownChange):
        log.info("line %s: a callback of the kind %r is kept as it came", line_id, item.field)
