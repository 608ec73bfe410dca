"""What a key keeps of a struct: the same value for who looks inside, and the same bytes for who asked."""

from __future__ import annotations

import msgspec
import pytest

from tablegram.engine.idempotency import Call, KeptAnswer, Result, read_result
from tablegram.errors import Conflict
from tablegram.storage.database import Tx
from tests.engine.keys import CALL, desk


class Said(msgspec.Struct, frozen=True):
    word: str
    cost: float
    more: list[str] = []


async def test_a_value_is_given_again_as_the_value_that_it_was_and_in_the_same_bytes(database_url: str) -> None:
    async with desk(database_url) as one:
        runs = 0

        async def work(tx: Tx) -> Result[Said]:
            nonlocal runs
            runs += 1
            return Result(Said("çay", 5, ["a"]), 201)

        first = await one.keys.once_for(Said, 1, CALL, work)
        again = await one.keys.once_for(Said, 1, CALL, work)
        assert (first.value, first.status, first.replayed) == (Said("çay", 5, ["a"]), 201, False)
        assert (again.value, again.status, again.replayed) == (first.value, 201, True)
        assert again.encoded().body == first.encoded().body
        assert runs == 1
        assert read_result(again.encoded(), Said) == again
        # Without a key there is nothing to remember.
        assert not (await one.keys.once_for(Said, 1, Call("/send"), work)).replayed
        assert runs == 2


async def test_an_effect_is_answered_as_its_value_and_again_in_the_same_bytes(database_url: str) -> None:
    async with desk(database_url) as one:
        runs = 0

        async def effect() -> Result[Said]:
            nonlocal runs
            runs += 1
            if runs == 1:
                raise Conflict("not now")
            return Result(Said("çay", runs, ["a"]), 201)

        assert await one.keys.earlier_for(Said, 1, CALL) is None
        with pytest.raises(Conflict, match="not now"):
            await one.keys.after_for(Said, 1, CALL, effect)
        first = await one.keys.after_for(Said, 1, CALL, effect)
        again = await one.keys.after_for(Said, 1, CALL, effect)
        assert first == Result(Said("çay", 2, ["a"]), 201)
        assert (again.value, again.status, again.replayed) == (first.value, 201, True)
        assert again.kept == first.encoded().body
        assert await one.keys.earlier_for(Said, 1, CALL) == again
        assert runs == 2
        # Without a key there is nothing to remember.
        assert not (await one.keys.after_for(Said, 1, Call("/send"), effect)).replayed
        assert runs == 3


async def test_what_was_kept_is_sent_again_as_it_was_though_it_would_be_written_otherwise_by_now(
    database_url: str,
) -> None:
    async with desk(database_url) as one:
        older = b'{"cost": 5, "word": "\\u00e7ay", "gone": true}'
        await one.reserve()
        await one.db.put(one.keys.finish(1, CALL, KeptAnswer(202, older)))

        async def effect() -> Result[Said]:
            raise AssertionError("it has happened")

        again = await one.keys.after_for(Said, 1, CALL, effect)
        assert again.value == Said("çay", 5)
        assert again.encoded() == KeptAnswer(202, older, replayed=True)
