"""Finding messages again, and the few things that can still be done with one."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tablegram.engine.idempotency import Call
from tablegram.errors import Conflict, Invalid, NotFound, Refused, Unavailable
from tablegram.messaging import ports
from tablegram.messaging.ports import Delayed, Unknown
from tests.engine.waiting import until
from tests.flows.callbacks import payload, receive
from tests.messaging.gateway import OTHER, PHONE, Gateway, body, gateway

pytestmark = pytest.mark.later

CANCEL = Call("/messages/cancel")


async def page(one: Gateway, **filters: Any) -> dict[str, Any]:
    asked: dict[str, Any] = {
        "phone": None, "status": None, "since_ms": None, "direction": None, "limit": 50, "cursor": None, **filters,
    }  # fmt: skip
    return body(
        await one.lookups.messages(
            filters.pop("caller", one.caller), **{k: v for k, v in asked.items() if k != "caller"}
        )
    )


async def texts(one: Gateway, **filters: Any) -> list[str]:
    return [message["text"] for message in (await page(one, **filters))["data"]]


async def test_a_message_is_found_by_either_id_with_everything_about_it(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network_id = body(await one.send(PHONE, "Merhaba"))["message_id"]
        view = body(await one.lookups.message(one.caller, network_id))
        assert view == body(await one.lookups.message(one.caller, view["gateway_id"]))
        assert set(view) >= {
            "message_id", "gateway_id", "instance_id", "phone", "type", "text", "status", "status_history", "error",
            "cost_usd", "created_at",
        }  # fmt: skip
        assert (view["phone"], view["type"], view["text"], view["status"]) == (PHONE, "text", "Merhaba", "sent")
        assert (view["instance_id"], view["error"], view["cost_usd"]) == (line.instance.id, None, 0.001)
        assert [step["status"] for step in view["status_history"]] == ["queued", "sent"]
        assert view["created_at"] == "2027-01-15T08:00:00.000Z"


async def test_what_is_not_there_is_404(database_url: str) -> None:
    async with gateway(database_url) as one:
        for message_id in ("gw.", "gw.nothing", "wamid.nothing", "", "gw.' or 1=1", "ğü"):
            with pytest.raises(NotFound) as caught:
                body(await one.lookups.message(one.caller, message_id))
            assert caught.value.code == "message_unknown"


async def test_another_accounts_message_is_as_good_as_none(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line()
        network_id = body(await one.send())["message_id"]
        own_id = (body(await one.lookups.message(one.caller, network_id)))["gateway_id"]
        stranger = one.call_as(2)
        for message_id in (network_id, own_id):
            for attempt in (
                lambda i=message_id: one.lookups.message(stranger, i),
                lambda i=message_id: one.lookups.cancel(stranger, i, CANCEL),
                lambda i=message_id: one.lookups.mark_read(stranger, i, CANCEL),
            ):
                with pytest.raises(NotFound):
                    await attempt()
            with pytest.raises(Invalid) as caught:
                await one.lookups.network_id_of(stranger, message_id)
            assert caught.value.code == "message_unknown"
        assert (await page(one, caller=stranger))["data"] == []


async def test_lists_are_newest_first_and_filtered(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        await one.send(PHONE, "a")
        one.clock.advance(60)
        since = one.clock.now_ms()
        await one.send(OTHER, "b")
        one.network(line).script.append(Delayed("busy", "Later.", 600, "recipient"))
        await one.send(PHONE, "c")
        assert await texts(one) == ["c", "b", "a"]
        assert await texts(one, phone=PHONE) == ["c", "a"]
        assert await texts(one, status="sent") == ["b", "a"]
        assert await texts(one, status="queued", phone=PHONE) == ["c"]
        assert await texts(one, since_ms=since) == ["c", "b"]
        assert await texts(one, since_ms=since, status="read") == []
        assert await texts(one, direction="in") == []
        assert await texts(one, direction="out") == ["c", "b", "a"]


async def test_pages_hold_everything_once_while_more_comes_in(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line()
        for number in range(7):
            await one.send(PHONE, f"{number}")
        found, cursor = [], None
        while True:
            answer = await page(one, limit=3, cursor=cursor, phone=PHONE)
            assert len(answer["data"]) <= 3
            found += [message["text"] for message in answer["data"]]
            cursor = answer["next_cursor"]
            if cursor is None:
                break
            await one.send(PHONE, "newer")
        assert found == [f"{number}" for number in reversed(range(7))]


async def test_a_last_page_that_is_just_full_has_no_cursor(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line()
        for number in range(3):
            await one.send(PHONE, f"{number}")
        assert (await page(one, limit=3))["next_cursor"] is None


async def test_a_cursor_that_no_list_gave_is_refused(database_url: str) -> None:
    async with gateway(database_url) as one:
        for cursor in ("!", "=", "a", "çç", "/w==", "_w"):
            with pytest.raises(Invalid) as caught:
                await page(one, cursor=cursor)
            assert (caught.value.code, caught.value.errors[0].field) == ("cursor_invalid", "cursor")


async def test_a_queued_message_is_cancelled_and_can_be_cancelled_again(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line()
        key = body(await one.send(send_at_ms=one.clock.now_ms() + 60_000))["message_id"]
        for _ in range(2):
            view = body(await one.lookups.cancel(one.caller, key, CANCEL))
            assert (view["status"], view["cost_usd"]) == ("cancelled", 0)
        assert [step["status"] for step in view["status_history"]] == ["queued", "cancelled"]


async def test_what_is_sent_cannot_be_cancelled(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line()
        network_id = body(await one.send())["message_id"]
        with pytest.raises(Conflict, match="sent") as caught:
            await one.lookups.cancel(one.caller, network_id, CANCEL)
        assert (caught.value.status, caught.value.code) == (409, "state_conflict")


async def test_what_may_be_on_its_way_cannot_be_cancelled(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network = one.network(line)
        network.script.append(Unknown("lost"))
        doubtful = body(await one.send(PHONE))["message_id"]
        with pytest.raises(Conflict, match="network's word"):
            await one.lookups.cancel(one.caller, doubtful, CANCEL)
        network.gate.clear()
        sending = asyncio.ensure_future(one.send(OTHER))
        await until(lambda: network.in_flight)
        (row,) = [row for row in await one.rows() if row["phone"] == OTHER]
        with pytest.raises(Conflict, match="being sent"):
            await one.lookups.cancel(one.caller, "gw." + row["id"], CANCEL)
        network.gate.set()
        assert body(await sending)["status_code"] == "sent"


async def test_cancelling_and_sending_at_once_never_do_both(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        keys = [await one.queue(f"90555222{number:04}", f"{number}") for number in range(25)]
        results = await asyncio.gather(
            *[one.lookups.cancel(one.caller, key, CANCEL) for key in keys], return_exceptions=True
        )
        cancelled = {f"{number}" for number, result in enumerate(results) if not isinstance(result, Conflict)}
        assert all(isinstance(result, Conflict) or body(result)["status"] == "cancelled" for result in results)  # type: ignore[arg-type]
        await until(lambda: len(one.network(line).seen) + len(cancelled) >= 25)
        assert set(one.network(line).texts()).isdisjoint(cancelled)
        assert len(one.network(line).seen) + len(cancelled) == 25


async def test_a_cancelled_key_is_replayed(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line()
        key = body(await one.send(send_at_ms=one.clock.now_ms() + 60_000))["message_id"]
        call = Call("/cancel", "k1", "f1")
        first = await one.lookups.cancel(one.caller, key, call)
        again = await one.lookups.cancel(one.caller, key, call)
        assert (again.value, again.replayed) == (first.value, True)


async def test_a_customers_message_is_marked_read_on_its_own_line(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        await one.add_line()
        await receive(one, line, payload("text"))
        (message,) = (await page(one, direction="in"))["data"]
        answer = body(await one.lookups.mark_read(one.caller, message["message_id"], CANCEL))
        assert answer == {"status": "success", "message_id": message["message_id"]}
        assert one.network(line).read == [message["message_id"]]


async def test_marking_read_tells_when_it_could_not(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        await receive(one, line, payload("text"))
        (message,) = (await page(one))["data"]
        one.network(line).script.extend(
            [ports.NetworkRefused("too_old", "No.", 100), Delayed("busy", "Later.", 5), Unknown("lost")]
        )
        with pytest.raises(Refused):
            await one.lookups.mark_read(one.caller, message["message_id"], CANCEL)
        for _ in range(2):
            with pytest.raises(Unavailable) as caught:
                await one.lookups.mark_read(one.caller, message["message_id"], CANCEL)
            assert caught.value.code == "line_unreachable"
        sent = body(await one.send())["message_id"]
        with pytest.raises(Conflict):
            await one.lookups.mark_read(one.caller, sent, CANCEL)


async def test_a_reply_needs_a_message_that_reached_the_network(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line()
        network_id = body(await one.send())["message_id"]
        own_id = (body(await one.lookups.message(one.caller, network_id)))["gateway_id"]
        assert await one.lookups.network_id_of(one.caller, own_id) == network_id
        waiting = body(await one.send(send_at_ms=one.clock.now_ms() + 60_000))["message_id"]
        with pytest.raises(Invalid) as caught:
            await one.lookups.network_id_of(one.caller, waiting, "reply_to")
        assert (caught.value.code, caught.value.errors[0].field) == ("message_not_sent", "reply_to")


async def test_a_test_key_finds_and_cancels_messages_even_when_its_lines_must_be_read_anew(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablegram.messaging.switchboard.FRESH_S", 0.0)
    async with gateway(database_url) as one:
        line = await one.add_line()
        one.network(line).script.append(Delayed("busy", "Later.", 600, "recipient"))
        message_id = body(await one.send(PHONE, "Merhaba"))["message_id"]
        tester = one.call_as(1, "test")
        assert (body(await one.lookups.message(tester, message_id)))["status"] == "queued"
        await one.lookups.cancel(tester, message_id, CANCEL)
        assert (body(await one.lookups.message(tester, message_id)))["status"] == "cancelled"
