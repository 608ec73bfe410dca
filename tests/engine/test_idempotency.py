"""One key, one effect; and an answer for whoever asks again."""

from __future__ import annotations

import pytest

from tablegram.engine.idempotency import Call, KeptAnswer
from tablegram.engine.kept_answers import KeptAnswers
from tablegram.errors import Conflict, Invalid, Problem
from tablegram.storage.database import Tx
from tablegram.values.secrets import SecretBox
from tests.accounts.opened import FORMER_SECRET, SECRET
from tests.engine.keys import CALL, DONE, KEEP_MS, desk
from tests.storage.opened import SET, facts


async def test_a_fresh_key_is_free_and_a_taken_one_is_seen(database_url: str) -> None:
    async with desk(database_url) as one:
        assert await one.look() is None
        await one.reserve()
        row = await one.look()
        assert row is not None
        assert (row["message_key"], row["status"]) == ("m1", None)


async def test_a_key_belongs_to_its_account_and_its_route(database_url: str) -> None:
    async with desk(database_url) as one:
        await one.reserve()
        assert await one.look(account_id=2) is None
        assert await one.look(Call("/send-media", "key-1", "body-1")) is None
        assert await one.look(Call("/send", "key-2", "body-1")) is None


async def test_a_finished_key_gives_its_answer_again_byte_for_byte(database_url: str) -> None:
    async with desk(database_url) as one:
        await one.reserve()
        await one.db.put(one.keys.finish(1, CALL, DONE))
        again = await one.resolve()
        assert (again.status, again.body, again.replayed) == (DONE.status, DONE.body, True)
        assert one.asked == []


async def test_a_key_with_another_body_is_refused_whether_finished_or_not(database_url: str) -> None:
    async with desk(database_url) as one:
        other = Call("/send", "key-1", "body-2")
        await one.reserve()
        for _ in range(2):
            with pytest.raises(Invalid) as caught:
                await one.resolve(other)
            assert (caught.value.status, caught.value.code) == (422, "idempotency_key_reused")
            await one.db.put(one.keys.finish(1, CALL, DONE))


async def test_a_key_that_is_being_worked_on_is_409_for_a_second(database_url: str) -> None:
    async with desk(database_url) as one:
        first = Call("/send", "key-1", "body-1")
        second = Call("/send", "key-1", "body-1")
        with one.keys.at_it(1, first):
            await one.reserve(first)
            for _ in range(2):
                # Whoever comes second does not end the first one's work by leaving.
                with one.keys.at_it(1, second):
                    assert await one.look(second) is not None
                with pytest.raises(Conflict) as caught:
                    await one.resolve(second)
                assert (caught.value.status, caught.value.code) == (409, "idempotency_in_flight")
                assert caught.value.retry_after_s == 1


async def test_a_call_that_ended_without_an_answer_is_answered_from_what_it_left(database_url: str) -> None:
    async with desk(database_url) as one:
        first, again = (Call("/send", "key-1", "body-1") for _ in range(2))
        with one.keys.at_it(1, first):
            await one.reserve(first)
        # The one that asks has tried to take the key itself, which is no reason to send it away.
        with one.keys.at_it(1, again):
            assert await one.look(again) is not None
        answer = await one.resolve(again)
        assert (answer.body, answer.replayed) == (b'{"said":"present"}', True)
        assert one.asked == ["m1"]
        # From now on the key is finished.
        assert (await one.resolve()).body == b'{"said":"present"}'
        assert one.asked == ["m1"]


async def test_a_call_that_was_answered_since_it_was_looked_at_is_told_that_answer(database_url: str) -> None:
    async with desk(database_url) as one:
        await one.reserve()
        row = await one.look()
        assert row is not None
        await one.db.put(one.keys.finish(1, CALL, DONE))
        assert (await one.keys.resolve(row, CALL, one.present)).body == DONE.body
        assert one.asked == []


async def test_a_key_of_a_living_process_is_409_and_of_a_dead_one_is_answered(database_url: str) -> None:
    async with desk(database_url) as one:
        owner, keys = one.another_process()
        await owner.register()
        await one.reserve(keys=keys)
        with pytest.raises(Conflict):
            await one.resolve()
        await owner.leave()
        assert (await one.resolve()).body == b'{"said":"present"}'


async def test_a_key_is_forgotten_after_24_hours_and_not_before(database_url: str) -> None:
    async with desk(database_url) as one:
        await one.reserve()
        one.clock.at_ms += KEEP_MS
        assert await one.look() is not None
        one.clock.at_ms += 1
        assert await one.look() is None
        await one.reserve(message_key="m2")
        row = await one.look()
        assert row is not None
        assert row["message_key"] == "m2"


async def test_purging_forgets_what_is_old_and_nothing_else(database_url: str) -> None:
    async with desk(database_url) as one:
        old, new = Call("/send", "old", ""), Call("/send", "new", "")
        await one.reserve(old)
        one.clock.at_ms += KEEP_MS
        await one.reserve(new)
        one.clock.at_ms += 1
        await one.keys.purge()
        one.clock.at_ms -= 1
        assert await one.look(old) is None
        assert await one.look(new) is not None


async def test_two_that_take_a_key_at_once_do_not_both_get_it(database_url: str) -> None:
    async with desk(database_url) as one:
        await one.reserve()
        with pytest.raises(Conflict) as caught:
            await one.reserve()
        assert caught.value.code == "idempotency_in_flight"


async def test_work_in_one_transaction_is_done_once(database_url: str) -> None:
    async with desk(database_url) as one:

        async def work(tx: Tx) -> KeptAnswer:
            await tx.run(SET, {"name": "effect", "value": ""})
            return DONE

        first = await one.keys.once(1, CALL, work)
        again = await one.keys.once(1, CALL, work)
        assert (first.replayed, again.replayed) == (False, True)
        assert first.body == again.body
        # How long this process was heard is beside it.
        assert set(await facts(one.db)) - {"listened_until"} == {"effect"}


async def test_work_that_is_refused_leaves_the_key_free(database_url: str) -> None:
    async with desk(database_url) as one:

        async def work(tx: Tx) -> KeptAnswer:
            await tx.run(SET, {"name": "effect", "value": ""})
            raise Conflict("not now")

        with pytest.raises(Conflict, match="not now"):
            await one.keys.once(1, CALL, work)
        assert await one.look() is None
        assert set(await facts(one.db)) <= {"listened_until"}


async def test_an_answer_with_a_secret_is_kept_sealed_and_given_again_opened(database_url: str) -> None:
    async with desk(database_url) as one:
        box = SecretBox(SECRET)

        async def work(tx: Tx) -> KeptAnswer:
            return KeptAnswer(201, b'{"key":"canary"}')

        await one.keys.once(1, CALL, work, seal=box)
        row = await one.look()
        assert row is not None
        assert row["body"] is not None
        assert "canary" not in row["body"]
        again = await one.keys.once(1, CALL, work, seal=box)
        assert (again.status, again.body, again.replayed) == (201, b'{"key":"canary"}', True)
        with pytest.raises(Conflict):
            await one.keys.once(1, CALL, work, seal=SecretBox(FORMER_SECRET))


async def test_an_effect_outside_the_store_is_remembered_once_it_has_happened(database_url: str) -> None:
    async with desk(database_url) as one:
        happened = 0

        async def effect() -> KeptAnswer:
            nonlocal happened
            happened += 1
            if happened == 1:
                raise Conflict("not now")
            return DONE

        with pytest.raises(Conflict, match="not now"):
            await one.keys.after(1, CALL, effect)
        for replayed in (False, True):
            answer = await one.keys.after(1, CALL, effect)
            assert (answer.body, answer.replayed) == (DONE.body, replayed)
        assert happened == 2
        with pytest.raises(Invalid):
            await one.keys.after(1, Call("/send", "key-1", "body-2"), effect)


async def test_while_an_effect_happens_its_key_is_nobody_elses(database_url: str) -> None:
    async with desk(database_url) as one:
        happened: list[str] = []

        async def again() -> KeptAnswer:
            happened.append("again")
            return DONE

        async def effect() -> KeptAnswer:
            happened.append("first")
            for call, code in (
                (CALL, "idempotency_in_flight"),
                (Call("/send", "key-1", "x"), "idempotency_key_reused"),
            ):
                with pytest.raises(Problem) as caught:
                    await one.keys.after(1, call, again)
                assert caught.value.code == code
            # Another account's key, or another route's, is another key.
            await one.keys.after(2, CALL, again)
            return DONE

        await one.keys.after(1, CALL, effect)
        assert happened == ["first", "again"]


async def test_work_that_died_with_its_process_is_told_and_not_done_again(database_url: str) -> None:
    async with desk(database_url) as one:
        owner, keys = one.another_process()
        await owner.register()
        await one.reserve(keys=keys)
        await owner.leave()

        async def work(tx: Tx) -> KeptAnswer:
            raise AssertionError("nobody knows how far the first one came")

        with pytest.raises(Conflict, match="did not finish"):
            await one.keys.once(1, CALL, work)


async def test_work_without_a_key_is_done_each_time(database_url: str) -> None:
    async with desk(database_url) as one:
        runs = 0

        async def work(tx: Tx) -> KeptAnswer:
            nonlocal runs
            runs += 1
            return DONE

        for _ in range(2):
            assert not (await one.keys.once(1, Call("/send"), work)).replayed
        assert runs == 2


async def test_an_earlier_answer_is_told_only_once_it_is_finished(database_url: str) -> None:
    async with desk(database_url) as one:
        other = Call("/send", "key-1", "body-2")
        assert await one.keys.earlier(1, Call("/send")) is None
        assert await one.keys.earlier(1, CALL) is None
        await one.reserve()
        # Somebody is at it, or has died over it: whoever asks goes on, and their own work finds out which.
        assert await one.keys.earlier(1, CALL) is None
        with pytest.raises(Invalid) as caught:
            await one.keys.earlier(1, other)
        assert caught.value.code == "idempotency_key_reused"
        await one.db.put(one.keys.finish(1, CALL, DONE))
        assert await one.keys.earlier(1, CALL) == KeptAnswer(DONE.status, DONE.body, replayed=True)
        with pytest.raises(Invalid):
            await one.keys.earlier(1, other)
        one.clock.at_ms += KEEP_MS + 1
        assert await one.keys.earlier(1, CALL) is None
        assert await one.keys.earlier(1, other) is None


async def test_kept_answers_are_forgotten_by_what_stands_in_them_on_their_own_routes(database_url: str) -> None:
    async with desk(database_url) as one:
        calls = [Call(route, "key-1", "") for route in ("POST /a", "POST /a/1", "POST /b", "POST /ab")]
        for call in calls:
            await one.reserve(call)
            await one.db.put(one.keys.finish(1, call, KeptAnswer(200, b'{"to":"905551112233"}')))

        async def left(answers: KeptAnswers, text: str, account_id: int = 1) -> list[str]:
            await one.db.write(lambda tx: answers.forget(tx, account_id, ["nobody", text]))
            return [call.route for call in calls if await one.look(call) is not None]

        everything = [call.route for call in calls]
        assert await left(KeptAnswers(["POST /a"]), "905550000000") == everything
        assert await left(KeptAnswers(["POST /a"]), "905551112233", account_id=2) == everything
        assert await left(KeptAnswers(["POST /b"]), "905551112233") == ["POST /a", "POST /a/1", "POST /ab"]
        assert await left(KeptAnswers([], below="POST /a/"), "905551112233") == ["POST /a", "POST /ab"]
        assert await left(KeptAnswers(["POST /ab"], below="POST /a/"), "905551112233") == ["POST /a"]
