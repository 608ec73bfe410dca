"""A send that another process of the machine can send is sent there, once, whatever becomes of that process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tablegram.engine.idempotency import Call
from tablegram.engine.together.peers import Peers
from tablegram.errors import Refused
from tablegram.flows.gateway.handing import colleagues
from tablegram.flows.gateway.handing.colleagues import Colleagues
from tablegram.messaging.ports import NetworkRefused
from tests.messaging.gateway import PHONE, Gateway, body, gateway, phone
from tests.messaging.scripted import ScriptedLine

pytestmark = pytest.mark.shared


@asynccontextmanager
async def two(database_url: str, budget_s: float = 30.0) -> AsyncIterator[tuple[Gateway, Gateway]]:
    """The second process has the line, and the first one knows that."""
    with TemporaryDirectory(prefix="peers-") as folder:
        async with gateway(database_url) as one, gateway(database_url, beside=one) as other:
            await one.add_line()
            peers = [Peers(Path(folder), each.owner.id, each.tasks) for each in (one, other)]
            for each, its in zip((one, other), peers, strict=True):
                Colleagues(its, each.sending, each.drains, each.db, budget_s)
                await its.open()
            assert body(await other.send(phone(1)))["status_code"] == "sent"
            try:
                yield one, other
            finally:
                for its in peers:
                    await its.close()


def only(process: Gateway) -> ScriptedLine:
    """What the process knows of the network."""
    (line,) = process.drivers.values()
    return line


async def test_it_is_answered_as_sent_and_stored_once(database_url: str) -> None:
    async with two(database_url) as (one, other):
        answers = await asyncio.gather(*[one.send(phone(number)) for number in range(10, 30)])
        assert {body(answer)["status_code"] for answer in answers} == {"sent"}
        assert not only(one).seen
        assert len(only(other).seen) == 21
        assert [row["state"] for row in await one.rows()] == ["sent"] * 21


async def test_who_answers_has_the_line_and_the_store_is_not_asked_again(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two(database_url) as (one, other):
        assert body(await one.send(phone(2)))["status_code"] == "sent"
        (line,) = (await one.switchboard.lines(1)).values()
        known = line.anothers_until
        assert body(await one.send(phone(3)))["status_code"] == "sent"
        assert line.anothers_until > known
        # Who does not have it says nothing of the kind.
        known = line.anothers_until
        monkeypatch.setattr(other.drains, "is_leaving", True)
        assert body(await one.send(phone(4)))["status_code"] == "queued"
        assert line.anothers_until == known


async def test_a_refusal_and_a_key_are_what_they_are_there(database_url: str) -> None:
    async with two(database_url) as (one, other):
        only(other).script.append(NetworkRefused("number_unknown", "No such number.", 7))
        with pytest.raises(Refused) as told:
            await one.send()
        assert (told.value.code, told.value.extra) == ("number_unknown", {"network_code": 7})
        call = Call("/messages/send", "k1", "f")
        first = await one.send(phone(2), call=call)
        again = await one.send(phone(2), call=call)
        assert body(again) == body(first)
        assert again.replayed


async def test_who_falls_silent_before_it_is_stored_leaves_it_to_the_queue(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(colleagues, "WAITS_S", 0.2)
    async with two(database_url, 0.0) as (one, other):
        taken = asyncio.Event()

        async def hang(_: object) -> None:
            taken.set()
            await asyncio.sleep(60)

        monkeypatch.setattr(other.sending, "take", hang)
        monkeypatch.setattr(colleagues, "MARGIN_S", -60.0)
        assert body(await one.send(PHONE))["status_code"] == "queued"
        assert taken.is_set()
        assert [row["state"] for row in await one.rows()] == ["sent", "queued"]


async def test_who_falls_silent_after_it_is_stored_has_it_and_nobody_else(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(colleagues, "WAITS_S", 0.5)
    async with two(database_url, 0.0) as (one, other):
        take, stored = other.sending.take, asyncio.Event()

        async def late(handed: object) -> object:
            answer = await take(handed)  # type: ignore[arg-type]
            stored.set()
            await asyncio.sleep(60)
            return answer

        monkeypatch.setattr(other.sending, "take", late)
        monkeypatch.setattr(colleagues, "MARGIN_S", -60.0)
        asking = asyncio.create_task(one.send(PHONE))
        await stored.wait()
        assert body(await asking)["status_code"] == "queued"
        assert len(await one.rows()) == 2


async def test_a_question_that_comes_too_late_is_not_begun(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with two(database_url) as (one, other):
        monkeypatch.setattr(colleagues, "MARGIN_S", 3_600.0)
        assert body(await one.send(PHONE))["status_code"] == "queued"
        assert len(only(other).seen) == 1
