"""Who answers what customers write, in which order, and from whichever kind of source it comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from sqlalchemy import select

from tablegram.crm.conversations import count_unread
from tablegram.engine.inbox import MAX_ATTEMPTS, Inbox
from tablegram.flows.gateway.answering import Answered, Heard, Written
from tablegram.flows.gateway.inbound import Inbound
from tablegram.messaging.incoming import InboundMessage, Incoming, Malformed
from tablegram.messaging.lines.cloud import callbacks
from tablegram.storage.database import Tx
from tablegram.storage.tables import events
from tests.drained import drain_once
from tests.flows.callbacks import payload, receive
from tests.messaging.gateway import Gateway, gateway

pytestmark = pytest.mark.once


@dataclass
class Scripted:
    """Answers messages that hold its word, and breaks at those that hold `break`."""

    word: str
    precedence: int
    max_failures: int = 100
    settles: bool = False
    asked: list[str] = field(default_factory=list)
    prepared: list[list[str]] = field(default_factory=list)
    told: int = 0

    async def prepare(self, written: Sequence[Written]) -> None:
        self.prepared.append([one.message.text for one in written])

    async def answer(self, tx: Tx, heard: Heard) -> Answered | None:
        text = heard.written.message.text
        self.asked.append(text)
        if "break" in text:
            raise ValueError("a fault of ours")
        return Answered(is_settled=self.settles) if self.word in text else None

    def committed(self) -> None:
        self.told += 1


def read_lines(raw: bytes) -> list[Incoming]:
    """A network that is not the cloud: each line of a body is a message, `id|phone|text`."""
    try:
        rows = [line.split("|") for line in raw.decode().splitlines()]
    except UnicodeDecodeError:
        raise Malformed("It is not text.") from None
    return [
        InboundMessage(
            network_id=key, at_ms=0, type="text", network_type="text", sender_phone=phone, sender_user_id="",
            sender_name="", text=text, raw={"id": key},
        )
        for key, phone, text in rows
    ]  # fmt: skip


def listen(one: Gateway, *answerers: Scripted) -> Inbound:
    """Give the gateway a second kind of source, and somebody who answers."""
    inbound = one.inbound({"cloud": callbacks.parse, "plain": read_lines}, answerers)
    one.inbox = Inbox(one.db, one.clock, dict.fromkeys(("cloud", "plain"), inbound))
    return inbound


async def hear(one: Gateway, *texts: str) -> None:
    line = next(iter(one.switchboard.known()))
    for number, text in enumerate(texts):
        body = f"{text}{number}|90555111223{number}|{text}".encode()
        await one.inbox.store(1, f"plain:{line.instance.id}", body)
    await drain_once(one.inbox)


async def test_the_first_in_order_is_asked_first_and_an_answer_ends_it(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line("cloud")
        # The order in which they were given is not the order in which they are asked.
        late, early = Scripted("tea", 90), Scripted("order", 10)
        listen(one, late, early)
        await hear(one, "order tea", "tea", "hello")
        assert early.asked == ["order tea", "tea", "hello"]
        assert late.asked == ["tea", "hello"]
        assert [row["text"] for row in await one.rows()] == ["order tea", "tea", "hello"]


async def test_all_are_prepared_before_the_transaction_and_told_after_it(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line("cloud")
        answerers = Scripted("a", 10), Scripted("b", 20)
        listen(one, *answerers)
        await hear(one, "a", "b")
        assert [one.prepared for one in answerers] == [[["a", "b"]], [["a", "b"]]]
        assert [one.told for one in answerers] == [1, 1]


async def test_who_fails_again_and_again_is_passed_over_and_the_message_is_kept(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line("cloud")
        faulty, next_one = Scripted("order", 10, max_failures=2), Scripted("x", 20)
        listen(one, faulty, next_one)
        next_one.word = "break"
        await hear(one, "break")
        assert await one.rows() == []
        one.clock.advance(1)
        await drain_once(one.inbox)
        assert len(faulty.asked) == 2
        next_one.max_failures = 2
        one.clock.advance(5)
        await drain_once(one.inbox)
        assert [row["text"] for row in await one.rows()] == ["break"]
        assert (len(faulty.asked), next_one.asked, faulty.told) == (2, [], 1)


@pytest.mark.later
async def test_a_message_that_was_seen_before_is_answered_once(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line("cloud")
        answerer = Scripted("tea", 10)
        listen(one, answerer)
        await hear(one, "tea")
        line = next(iter(one.switchboard.known()))
        await one.inbox.store(1, f"plain:{line.instance.id}", b"tea0|905551112230|tea\nnew|905551112230|and")
        await drain_once(one.inbox)
        assert answerer.asked == ["tea", "and"]


@pytest.mark.later
async def test_bodies_of_two_kinds_in_one_lot_are_each_read_by_their_own_parser(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        answerer = Scripted("tea", 10)
        monkeypatch.setattr(listen(one, answerer), "is_awaited", lambda _row: True)
        await one.inbox.store(1, f"cloud:{line.instance.id}", payload("text"))
        await one.inbox.store(1, f"plain:{line.instance.id}", b"p1|905551112299|tea")
        await drain_once(one.inbox)
        rows = await one.rows()
        assert sorted(row["phone"] for row in rows) == ["905551112233", "905551112299"]
        assert all(row["instance_id"] == line.instance.id for row in rows)
        assert len(answerer.prepared) == 1, "one lot, although of two kinds"
        assert len(await one.db.all(select(events.c.id).where(events.c.account_id == 1))) == 2


async def test_a_body_that_its_parser_refuses_waits_alone(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        listen(one)
        await one.inbox.store(1, f"plain:{line.instance.id}", b"\xff")
        await hear(one, "tea")
        assert [row["text"] for row in await one.rows()] == ["tea"]


async def test_bodies_that_were_given_up_are_not_kept_in_memory(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        answerer = Scripted("", 10)
        inbound = listen(one, answerer)
        await hear(one, "break")
        for _ in range(MAX_ATTEMPTS - 1):
            one.clock.advance(4_000)
            await drain_once(one.inbox)
        assert len(answerer.asked) == MAX_ATTEMPTS
        await receive(one, line, payload("text"))
        assert len(inbound._parsed) <= 1


@pytest.mark.later
@pytest.mark.parametrize("settles", [True, False])
async def test_only_what_was_settled_leaves_the_teams_inbox(database_url: str, settles: bool) -> None:
    async with gateway(database_url) as one:
        await one.add_line("cloud")
        listen(one, Scripted("tea", 10, settles=settles))
        await hear(one, "tea")
        waiting = await one.db.snapshot(lambda tx: count_unread(tx, 1, one.clock.now_ms()))
        assert waiting == (0 if settles else 1)
