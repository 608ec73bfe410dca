"""A line's state is what its network says, and says why."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import bindparam, update

from tablegram.engine.leases import MARGIN, Lease
from tablegram.messaging import watch
from tablegram.messaging.instances import Instance
from tablegram.messaging.ports import Delayed, Health
from tablegram.messaging.records.line_changes import LineChange
from tablegram.messaging.store import messages as store
from tablegram.messaging.switchboard import LiveLine
from tablegram.messaging.transmission.outcomes import Conclusion
from tablegram.messaging.watching.receipts import Receipts, undelivered
from tablegram.storage.database import Query
from tablegram.storage.tables import messages
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.gateway import LineWorks
from tests.accounts.opened import begin_ids_anew
from tests.api.product_in_process import product
from tests.drained import drain_once
from tests.engine.waiting import until
from tests.flows.callbacks import payload, receive
from tests.messaging.gateway import PHONE, Gateway, body, gateway, phone

GONE_OUT = Query(update(messages).where(messages.c.account_id == 1).values(state="sent"))
ARRIVED = Query(
    update(messages)
    .where(messages.c.account_id == 1, messages.c.network_id == bindparam("network"))
    .values(state="delivered", delivered_at=1)
)


async def state(one: Gateway) -> tuple[str, str]:
    (line,) = await one.instances.of_account(1)
    return line.state, line.reason


async def test_a_new_line_becomes_what_its_network_says(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        assert (await state(one))[0] == "created"
        await one.watch.look()
        assert await state(one) == ("connected", "")
        assert line.instance.state == "connected"


async def test_a_line_that_cannot_be_started_is_disconnected_and_tells_why(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        one.network(line).not_ready = "The sandbox does not answer."
        await one.watch.look()
        assert await state(one) == ("disconnected", "The sandbox does not answer.")


@pytest.mark.parametrize("found", ["degraded", "restricted", "needs_attention", "disconnected", "logged_out"])
async def test_trouble_is_kept_with_its_reason_and_ends(
    database_url: str, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "FIRST_RETRY_S", 0.0)
    async with gateway(database_url) as one:
        line = await one.add_line()
        one.network(line).health = Health(found, "The token has expired.")  # type: ignore[arg-type]
        await one.watch.look()
        assert await state(one) == (found, "The token has expired.")
        one.network(line).health = Health("connected", "")
        await one.watch.look()
        assert await state(one) == ("connected", "")


async def test_a_linked_line_whose_messages_never_arrive_is_degraded_until_one_does(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_ids_anew(monkeypatch)
    monkeypatch.setattr(watch, "FIRST_RETRY_S", 0.0)
    monkeypatch.setattr(watch, "HEALTHY_EVERY_S", 0.0)
    async with gateway(database_url) as one:
        await one.add_line("linked")
        one.watch.hold, one.watch.lag = one.drains.renewed_lease, Receipts(one.db, one.clock).lag
        await one.watch.look()
        sent = [body(await one.send(to=phone(number)))["message_id"] for number in range(5)]
        # The line is slow by itself; all of them have gone out now. Receipts may take a while.
        await one.db.put((GONE_OUT, {}))
        assert await state(one) == ("connected", "")
        await one.watch.look()
        assert await state(one) == ("connected", "")
        one.clock.advance(11 * 60)
        await one.watch.look()
        assert await state(one) == ("degraded", undelivered(5))
        await one.db.put((ARRIVED, {"network": sent[0]}))
        await one.watch.look()
        assert await state(one) == ("connected", "")


async def test_a_line_that_the_network_reports_a_trouble_of_is_asked_before_its_time(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        await one.watch.look()
        one.network(line).health = Health("needs_attention", "The token has expired.")
        await receive(one, line, payload("system_errors"))
        await one.watch.look()
        # It was asked just now.
        assert (await state(one))[0] == "connected"
        monkeypatch.setattr(watch, "TROUBLED_EVERY_S", 0.0)
        await receive(one, line, payload("system_errors") + b" ")
        await one.watch.look()
        assert (await state(one))[0] == "needs_attention"


async def test_a_cloud_line_learns_its_own_number_and_nothing_else_of_it_changes(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "HEALTHY_EVERY_S", 0.0)
    async with gateway(database_url) as one:
        line, sandbox = await one.add_line("cloud"), await one.add_line("sandbox")
        told: list[int] = []
        one.instances.listen(lambda _, line_id: told.append(line_id))
        assert one.instances.view(line.instance).phone is None
        one.network(sandbox).health = Health("connected", "", "905551110000")
        for phone in ("905551110001", "905551110001", "", "905551110002"):
            one.network(line).health = Health("connected", "", phone)
            await one.watch.look()
        assert told == [line.instance.id] * 2, "only what is news is written"
        assert one.instances.view(line.instance).phone == "905551110002"
        assert line.instance.config.phone_number_id == "1065"
        assert [built.id for built in one.built] == [line.instance.id, sandbox.instance.id], "no driver is built anew"
        assert "phone" not in body(one.instances.view(sandbox.instance))
        assert sandbox.instance.config.phone == ""


async def test_a_healthy_line_is_not_asked_again_at_once(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        await one.watch.look()
        one.network(line).health = Health("disconnected", "gone")
        await one.watch.look()
        assert (await state(one))[0] == "connected"


async def test_a_restarted_line_is_asked_at_once(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        await one.watch.look()
        line.hold(600, time.monotonic())
        one.network(line).health = Health("degraded", "slow")
        view = await one.lines.restart(one.caller, line.instance.id)
        assert view.state == "created"
        assert (line.strikes, line.held_until) == (0, 0.0)
        await one.watch.look()
        assert await state(one) == ("degraded", "slow")


async def test_a_line_that_is_back_is_let_go_at_once(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        one.network(line).script.append(Delayed("down", "No answer.", 600, "line", "disconnected"))
        await one.send(PHONE, "a")
        assert await state(one) == ("disconnected", "No answer.")
        assert line.strikes == 1
        await one.watch.look()
        assert await state(one) == ("connected", "")
        await one.until_states("sent")


async def test_an_attempt_that_succeeds_says_that_the_line_is_well(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line()
        await one.send(PHONE, "a")
        assert await state(one) == ("connected", "")


async def test_what_an_attempt_says_is_kept_only_if_it_is_news(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        trouble = Conclusion("queued", (store.DELAYED, {}), detail="Paused.", line_state="restricted")
        await one.watch.settled(line, trouble)
        assert await state(one) == ("restricted", "Paused.")
        again = Conclusion("queued", (store.DELAYED, {}), detail="Other words.", line_state="restricted")
        await one.watch.settled(line, again)
        assert await state(one) == ("restricted", "Paused.")
        await one.watch.settled(line, Conclusion("failed", (store.FAILED, {}), detail="Refused."))
        assert await state(one) == ("restricted", "Paused.")


async def test_many_messages_that_come_back_with_the_same_news_say_it_once(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        well = Conclusion("sent", (store.ACCEPTED, {}), line_state="connected")
        await asyncio.gather(*[one.watch.settled(line, well) for _ in range(20)])
        assert [row["state"] for row in await one.instances.states(1, line.instance.id, 50)] == ["connected", "created"]


async def test_the_keeper_sees_a_new_line_soon(database_url: str) -> None:
    async with gateway(database_url) as one:
        watching = asyncio.create_task(one.watch.watch_forever())
        await one.add_line()
        one.watch.look_soon()

        async def connected() -> bool:
            return (await state(one))[0] == "connected"

        await until(connected)
        watching.cancel()


async def test_a_line_that_hangs_delays_no_other_and_no_lease(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "LOOK_S", 0.01)
    async with gateway(database_url) as one:
        one.watch.hold, one.watch.wished = one.drains.renewed_lease, one.links.wished
        hung, *others = [await one.add_line("linked") for _ in range(4)]
        one.network(hung).door.clear()
        task = asyncio.create_task(one.watch.watch_forever())
        try:
            await until(
                lambda: all(line.instance.state == "connected" for line in others), "the others to be connected"
            )
            # One that is being started is told that it is led, again and again.
            for _ in range(3):
                one.network(hung).lease = None
                await until(lambda: one.network(hung).lease is not None, "the lease to be renewed")
            assert hung.instance.state == "created"
            # What is heard of it meanwhile is looked at as soon as it answers.
            one.network(hung).health = Health("pairing", "Waiting.")
            one.watch.heard_of(hung.instance.id)
            one.network(hung).door.set()
            await until(lambda: hung.instance.state == "pairing", "the last one")
            # Somebody wants something of a healthy one, in whichever process.
            asked = one.network(others[0])
            asked.health = Health("logged_out", "Logged out here.")
            await one.links.of(1, others[0].instance.id).log_out()
            await until(lambda: others[0].instance.state == "logged_out", "the wish to be seen")
            # What an attempt says of such a line is no state: its driver knows better by now.
            await one.watch.settled(others[1], Conclusion("queued", (store.DELAYED, {}), line_state="disconnected"))
            await until(lambda: not one.watch._asking, "everybody to be asked")
            assert others[1].instance.state == "connected"
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def test_a_line_that_is_taken_away_while_it_starts_is_let_go_of(database_url: str) -> None:
    async with gateway(database_url) as one:
        one.watch.hold = one.drains.renewed_lease
        line = await one.add_line("linked")
        network = one.network(line)
        network.door.clear()
        looking = asyncio.create_task(one.watch.look())
        await until(lambda: bool(one.watch._asking), "it to be asked")
        await one.lines.delete(one.caller, line.instance.id)
        network.door.set()
        await looking
        assert network.hear is None


async def test_a_line_that_another_process_runs_is_let_go_of_once_in_a_look(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("linked")
        looks = []
        every = one.instances.every

        async def counted() -> list[Instance]:
            looks.append(1)
            return await every()

        monkeypatch.setattr(one.instances, "every", counted)
        one.watch.look_s = 3_600.0
        task = asyncio.create_task(one.watch.watch_forever())
        try:
            await until(lambda: one.network(line).stops == 1 and not one.watch._asking, "it to be let go of")
            for _ in range(30):
                # By then another look would be over, if one had begun.
                await every()
            assert len(looks) == 1
            # Its lease is free: the next look is now.
            one.watch.look_soon()
            await until(lambda: len(looks) == 2, "another look")
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def test_a_line_that_is_led_anew_is_asked_now_whatever_it_waited_for(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("linked")
        network = one.network(line)
        network.not_ready = "Nobody leads it."
        leads = [Lease("line:1", "us", fence, time.monotonic) for fence in (1, 2)]
        turn = iter([leads[0], leads[0], leads[1]])

        async def hold(_: LiveLine) -> Lease | None:
            return next(turn)

        one.watch.hold = hold
        await one.watch.look()
        one.watch._next[line.instance.id] = (time.monotonic() + 3_600, 3_600)
        network.not_ready = None
        await one.watch.look()
        assert (await state(one))[0] == "disconnected"
        await one.watch.look()
        assert (await state(one))[0] == "connected"


async def test_only_secrets_that_changed_are_opened_again(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with gateway(database_url) as one:
        first = await one.add_line("cloud", access_token="a")
        await one.add_line("cloud", number="1066", access_token="b")
        await one.watch.look()
        opened: list[str] = []
        unseal = one.box.open

        def counted(sealed: str) -> str:
            opened.append(sealed)
            return unseal(sealed)

        monkeypatch.setattr(one.box, "open", counted)
        for _ in range(3):
            assert [each.secrets.access_token for each in await one.instances.every()] == ["a", "b"]
        assert opened == []
        await one.instances.update(1, first.instance.id, LineChange(access_token="c"))
        opened.clear()
        assert [each.secrets.access_token for each in await one.instances.every()] == ["c", "b"]
        assert len(opened) == 1


async def test_what_a_line_hears_by_itself_is_kept_once_before_its_network_is_told(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        await one.watch.look()
        hear = one.network(line).hear
        assert hear is not None
        for _ in range(2):
            await hear(payload("text"), "frame-1")
        assert await one.inbox.waiting(1, f"cloud:{line.instance.id}") == 1
        await drain_once(one.inbox)
        assert [(row["direction"], row["type"]) for row in await one.rows()] == [("in", "text")]


async def test_a_line_that_is_changed_or_taken_away_is_stopped_and_the_others_are_not(database_url: str) -> None:
    async with gateway(database_url) as one:
        line, other = await one.add_line("cloud"), await one.add_line("cloud", number="1066")
        network = one.network(line)
        await one.watch.look()
        # The next driver is another one.
        del one.drivers[line.instance.id]
        await one.instances.update(1, line.instance.id, LineChange(access_token="another"))
        await one.switchboard.reload(1)
        assert (network.stops, network.hear) == (1, None)
        await one.watch.look()
        fresh = one.network(line)
        assert fresh is not network
        assert fresh.hear is not None
        await one.lines.delete(one.caller, line.instance.id)
        assert (fresh.stops, one.network(other).stops) == (1, 0)
        await one.switchboard.stop()
        assert one.network(other).stops == 1


@pytest.mark.shared
async def test_whoever_has_short_leases_looks_often_enough_to_keep_them(database_url: str, tmp_path: Path) -> None:
    """A lease is sure for five sixths of it, and renewed by the first look after half of it."""
    async with product(database_url, tmp_path, lease_s=2.0) as one:
        assert one.api.of(LineWorks).watch.look_s <= 2.0 * (1 / 2 - MARGIN)


async def test_the_watch_of_a_product_knows_which_lines_are_handed_over(database_url: str, tmp_path: Path) -> None:
    async with product(database_url, tmp_path) as one:
        line: Any = SimpleNamespace(instance=SimpleNamespace(id=7))
        leases, watch = one.api.of(Engine).leases, one.api.of(LineWorks).watch
        await leases.hold("line:7")
        assert not watch.giving(line)
        leases.begin_giving("line:7", "heir")
        assert watch.giving(line)
