"""An account's lines, as the API manages them."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from tablegram.engine.idempotency import Call
from tablegram.errors import Invalid, NotFound, Problem, ScopeMissing
from tablegram.flows.gateway.lines import LineDraft
from tablegram.messaging.links import LinkRow
from tablegram.messaging.records.line_changes import LineChange
from tests.messaging.gateway import PHONE, Gateway, body, gateway

pytestmark = pytest.mark.once

CALL = Call("/instances")
CLOUD = {
    "kind": "cloud", "name": "Till", "phone_number_id": "1065", "access_token": "canary-token",
    "app_secret": "canary-secret", "verify_token": "canary-word",
}  # fmt: skip


def draft(**fields: Any) -> LineDraft:
    return msgspec.convert({**CLOUD, **fields}, LineDraft)


async def create(one: Gateway, **fields: Any) -> dict[str, Any]:
    answer = await one.lines.create(one.caller, draft(**fields), CALL)
    assert answer.status == 201
    return body(answer)


async def test_a_line_is_made_without_waiting_for_its_network_and_can_send_at_once(database_url: str) -> None:
    async with gateway(database_url) as one:
        made = await create(one)
        assert (made["kind"], made["state"], made["is_default"]) == ("cloud", "created", True)
        assert made["callback_url"].startswith("http://127.0.0.1:8000/hooks/cloud/")
        assert "canary" not in repr(made)
        assert body(await one.send(PHONE, "a"))["status_code"] == "sent"


async def test_a_cloud_line_needs_all_its_credentials(database_url: str) -> None:
    async with gateway(database_url) as one:
        for missing in ("phone_number_id", "access_token", "app_secret", "verify_token"):
            for fields in ({name: value for name, value in CLOUD.items() if name != missing}, {**CLOUD, missing: ""}):
                with pytest.raises(Invalid) as caught:
                    await one.lines.create(one.caller, msgspec.convert(fields, LineDraft), CALL)
                assert caught.value.errors[0].field == missing
        assert await one.instances.of_account(1) == []


@pytest.mark.both
async def test_a_repeated_key_makes_one_line(database_url: str) -> None:
    async with gateway(database_url) as one:
        call = Call("/instances", "k1", "f1")
        first = await one.lines.create(one.caller, draft(), call)
        again = await one.lines.create(one.caller, draft(), call)
        assert (again.value, again.replayed) == (first.value, True)
        assert len(await one.instances.of_account(1)) == 1


@pytest.mark.both
async def test_a_test_key_makes_and_reaches_sandbox_lines_only(database_url: str) -> None:
    async with gateway(database_url) as one:
        cloud = await create(one)
        caller = one.call_as(1, "test")
        for attempt in (
            lambda: one.lines.create(caller, draft(), CALL),
            lambda: one.lines.update(caller, cloud["id"], LineChange(name="mine")),
            lambda: one.lines.delete(caller, cloud["id"]),
            lambda: one.lines.make_default(caller, cloud["id"], CALL),
            lambda: one.lines.restart(caller, cloud["id"]),
        ):
            with pytest.raises(ScopeMissing):
                await attempt()
        made = body(await one.lines.create(caller, LineDraft(kind="sandbox"), CALL))
        assert (await one.lines.update(caller, made["id"], LineChange(name="mine"))).name == "mine"
        assert (await one.lines.get(one.caller, cloud["id"])).name == "Till"


@pytest.mark.both
async def test_lists_go_on_where_they_ended(database_url: str) -> None:
    async with gateway(database_url) as one:
        made = [(await create(one))["id"] for _ in range(5)]
        found, cursor = [], None
        while True:
            answer = await one.lines.page(one.caller, 2, cursor)
            found += [line.id for line in answer.data]
            cursor = answer.next_cursor
            if cursor is None:
                break
        assert found == made
        assert (await one.lines.page(one.call_as(2), 10, None)).data == []


async def test_a_cursor_that_no_list_gave_is_refused(database_url: str) -> None:
    async with gateway(database_url) as one:
        for cursor in ("!", "LTE", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "YQ"):
            with pytest.raises(Invalid) as caught:
                await one.lines.page(one.caller, 2, cursor)
            assert caught.value.code == "cursor_invalid"


async def test_what_only_a_cloud_line_has_is_refused_elsewhere(database_url: str) -> None:
    async with gateway(database_url) as one:
        made = body(await one.lines.create(one.caller, LineDraft(kind="sandbox"), CALL))
        with pytest.raises(Invalid) as caught:
            await one.lines.update(one.caller, made["id"], LineChange(access_token="x"))
        assert (caught.value.code, caught.value.errors[0].field) == ("not_for_kind", "access_token")


@pytest.mark.both
async def test_a_new_default_counts_for_the_next_send(database_url: str) -> None:
    async with gateway(database_url) as one:
        first, second = await create(one), await create(one)
        await one.send(PHONE, "a")
        assert body(await one.lines.make_default(one.caller, second["id"], CALL))["is_default"]
        await one.send(PHONE, "b")
        assert one.drivers[first["id"]].texts() == ["a"]
        assert one.drivers[second["id"]].texts() == ["b"]


@pytest.mark.both
async def test_a_deleted_line_is_gone_at_once(database_url: str) -> None:
    async with gateway(database_url) as one:
        made = await create(one)
        await one.lines.delete(one.caller, made["id"])
        with pytest.raises(NotFound):
            await one.lines.get(one.caller, made["id"])
        with pytest.raises(Invalid) as caught:
            await one.send()
        assert caught.value.code == "instance_unknown"


async def test_pairing_is_for_linked_devices_only(database_url: str) -> None:
    async with gateway(database_url) as one:
        made = await create(one)
        with pytest.raises(Problem) as caught:
            await one.lines.log_out(one.caller, made["id"])
        assert caught.value.code == "kind_unavailable"
        with pytest.raises(NotFound):
            await one.lines.log_out(one.caller, 99_999)
        line = await one.switchboard.line(1, made["id"])
        assert line is not None
        # Whether a phone is paired is for the kind of line to say.
        assert (await one.lines.pair(one.caller, made["id"], "905551112233")).code.endswith("905551112233")
        with pytest.raises(NotFound):
            await one.lines.pair(one.caller, 99_999)


async def test_a_logout_answers_with_what_the_line_itself_says(database_url: str) -> None:
    """Whoever runs the line ends the pairing first and says so of the line a moment later."""
    async with gateway(database_url) as one:
        line = await one.add_line("linked")
        await one.instances.set_state(line.instance, "connected", "")
        lease = await one.leases.hold("a line")
        assert lease is not None
        link = one.links.of(1, line.instance.id)

        async def run() -> None:
            await wished(link)
            await link.end(lease, (await link.read()).epoch, "logged_out_here")
            # Long enough for several looks at the pairing.
            await asyncio.sleep(0.5)
            await one.instances.set_state(line.instance, "logged_out", "Logged out here.")

        running = asyncio.create_task(run())
        assert (await one.lines.log_out(one.caller, line.instance.id)).state == "logged_out"
        await running


async def wished(link: LinkRow) -> None:
    while (await link.read()).wish != "logout":
        await asyncio.sleep(0.01)


async def test_another_accounts_line_is_as_good_as_none(database_url: str) -> None:
    async with gateway(database_url) as one:
        made = await create(one)
        stranger = one.call_as(2)
        for attempt in (
            lambda: one.lines.get(stranger, made["id"]),
            lambda: one.lines.update(stranger, made["id"], LineChange(name="x")),
            lambda: one.lines.delete(stranger, made["id"]),
            lambda: one.lines.make_default(stranger, made["id"], CALL),
            lambda: one.lines.restart(stranger, made["id"]),
            lambda: one.lines.log_out(stranger, made["id"]),
            lambda: one.lines.pair(stranger, made["id"]),
        ):
            with pytest.raises(NotFound):
                await attempt()
