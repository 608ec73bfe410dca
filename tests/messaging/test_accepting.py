"""What the network took at one moment is written down together, and a bad one among them fails alone."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tablegram.messaging.store import messages as store
from tablegram.messaging.transmission.accepting import Accepting
from tablegram.messaging.transmission.outcomes import Attempt, Conclusion
from tablegram.storage.database import Tx
from tests.messaging.gateway import Gateway, gateway, phone


async def queued(one: Gateway, count: int) -> list[str]:
    """Messages of a line that is held, so that its drain leaves them alone."""
    line = await one.add_line()
    line.held_until = float("inf")
    for number in range(count):
        await one.queue(phone(number), "offer")
    return [row["id"] for row in await one.rows()]


def taken(key: str) -> tuple[Attempt, Conclusion, int]:
    params = {"b_account": 1, "b_id": key, "new_network_id": f"wamid.{key}", "now": 5}
    return Attempt(1, key, "", 0, 0), Conclusion("sent", (store.ACCEPTED, params), f"wamid.{key}"), 1


async def test_many_are_written_by_one_statement_and_told_once_each(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one:
        keys = await queued(one, 20)
        told: list[str] = []
        units: list[Any] = []
        write = one.db.write

        async def counted(work: Any, **how: Any) -> Any:
            units.append(work)
            return await write(work, **how)

        monkeypatch.setattr(one.db, "write", counted)

        def news(attempt: Attempt, conclusion: Conclusion, instance_id: int) -> list[Any]:
            told.append(attempt.key)
            return []

        accepting = Accepting(one.db, one.tasks, news)
        await asyncio.gather(*(accepting.put(*taken(key)) for key in keys))
        assert len(units) == 1
        assert sorted(told) == sorted(keys)
        assert {(row["state"], row["network_id"]) for row in await one.rows()} == {
            ("sent", f"wamid.{key}") for key in keys
        }
        # What a callback has told already is no news.
        await accepting.put(*taken(keys[0]))
        assert len(told) == len(keys)


async def test_a_bad_one_fails_alone(database_url: str) -> None:
    async with gateway(database_url) as one:
        keys = await queued(one, 5)

        def news(attempt: Attempt, conclusion: Conclusion, instance_id: int) -> list[Any]:
            if attempt.key == keys[2]:
                raise ValueError("cannot be told")
            return []

        accepting = Accepting(one.db, one.tasks, news)
        came = await asyncio.gather(*(accepting.put(*taken(key)) for key in keys), return_exceptions=True)
        assert [type(result) for result in came] == [type(None)] * 2 + [ValueError] + [type(None)] * 2
        states = {row["id"]: row["state"] for row in await one.rows()}
        assert states == {key: "queued" if key == keys[2] else "sent" for key in keys}


async def test_a_later_crowd_is_written_while_the_first_one_is_committed(database_url: str) -> None:
    async with gateway(database_url) as one:
        keys = await queued(one, 6)
        accepting = Accepting(one.db, one.tasks, lambda *_: [])
        first = [asyncio.ensure_future(accepting.put(*taken(key))) for key in keys[:3]]
        await asyncio.sleep(0)
        await asyncio.gather(*first, *(accepting.put(*taken(key)) for key in keys[3:]))

        async def look(tx: Tx) -> list[str]:
            found = [await tx.first(store.GET, {"b_account": 1, "b_id": key}) for key in keys]
            return [row["state"] for row in found if row is not None]

        assert await one.db.snapshot(look) == ["sent"] * 6
