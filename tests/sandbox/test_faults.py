"""Every fault does what it says, as often as it says, to whom it says."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tablegram.sandbox.faults import KINDS
from tests.sandbox.stage import ANNA, LINE, TOM, stage


@pytest.mark.parametrize(
    ("fault", "http_status", "code"),
    [
        ({"kind": "rate_limit"}, 429, 130429),
        ({"kind": "pair_rate"}, 400, 131056),
        ({"kind": "window_closed"}, 400, 131047),
        ({"kind": "undeliverable"}, 400, 131026),
        ({"kind": "graph_error", "code": 131048, "detail": "spam"}, 400, 131048),
        ({"kind": "graph_error", "code": 131000, "http_status": 500}, 500, 131000),
    ],
)
async def test_refusals_come_once_and_nothing_is_accepted(
    tmp_path: Path, fault: dict[str, Any], http_status: int, code: int
) -> None:
    async with stage(tmp_path / "s.db") as net:
        made = await net.fault(times=1, **fault)
        assert made["description"].startswith("The network ")
        status, answer = await net.send()
        assert (status, answer["error"]["code"]) == (http_status, code)
        assert await net.on_phone() == []
        assert (await net.send())[0] == 200
        assert (await net.call("GET", "/faults"))[1]["data"] == []


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_server_errors_come_without_a_graph_body(tmp_path: Path, status: int) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.fault(f"http_{status}", times=1)
        answered, body = await net.send()
        assert (answered, body[:6]) == (status, b"<html>")
        assert await net.on_phone() == []


async def test_a_lost_answer_is_accepted_all_the_same(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.fault("lost_answer", times=1)
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await net.send(biz_opaque_callback_data="lost")
        assert len(await net.on_phone()) == 1
        await net.until(lambda: len(net.statuses()) == 2)
        assert {status["biz_opaque_callback_data"] for status in net.statuses()} == {"lost"}


async def test_a_dropped_request_is_not_accepted(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.fault("dropped_request", times=1)
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await net.send()
        assert await net.on_phone() == []
        assert (await net.call("GET", "/counters"))[1]["accepted"] == 0


async def test_latency_delays_the_answer(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.fault("latency", ms=700, times=1, phone=ANNA)
        slow = asyncio.create_task(net.send())
        assert (await net.send(TOM))[0] == 200
        assert not slow.done()
        assert (await slow)[0] == 200


async def test_duplicated_callbacks_come_twice(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.fault("duplicated", times=2)
        await net.sent()
        await net.write(text="Twice")
        await net.until(lambda: len(net.statuses()) == 4 and len(net.messages()) == 2)
        assert sorted(status["status"] for status in net.statuses()) == ["delivered", "delivered", "sent", "sent"]
        assert len({message["id"] for message in net.messages()}) == 1


async def test_reordered_statuses_come_delivered_first(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.fault("reordered", times=1)
        await net.sent()
        await net.until(lambda: len(net.statuses()) == 2)
        assert [status["status"] for status in net.statuses()] == ["delivered", "sent"]
        assert (await net.on_phone())[0]["status"] == "delivered"


async def test_a_reordered_customer_message_is_overtaken_by_the_next(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.fault("reordered", times=1)
        await net.write(text="first")
        await net.write(text="second")
        await net.until(lambda: len(net.messages()) == 2)
        assert [message["text"]["body"] for message in net.messages()] == ["second", "first"]


async def test_batched_callbacks_share_a_body_in_lists_changes_and_entries(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.fault("batched", ms=2_000)
        for number in range(4):
            await net.sent(ANNA if number % 2 else TOM)
            await net.write(text=f"Word {number}")
        await net.settled()
        assert len(net.statuses()) == 8
        assert len(net.messages()) == 4
        assert len(net.told) <= 4
        assert max(len(body["entry"]) for body in net.told) == 2
        assert max(len(value.get("statuses", [])) for value in net.values()) > 1
        assert max(len(entry["changes"]) for body in net.told for entry in body["entry"]) > 1


async def test_timestamps_can_be_in_milliseconds(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.fault("millisecond_timestamps", times=2)
        await net.sent()
        await net.write(text="When?")
        await net.settled()
        assert {len(item["timestamp"]) for item in [*net.statuses(), *net.messages()]} == {13}


async def test_a_sender_can_be_without_profile_or_phone_number(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.fault("missing_profile", times=1)
        await net.fault("sender_without_phone", times=1)
        await net.write(text="Who am I?")
        await net.settled()
        [contact] = net.values()[0]["contacts"]
        assert set(contact) == {"user_id"}
        assert "from" not in net.messages()[0]
        assert net.messages()[0]["from_user_id"] == contact["user_id"]


async def test_a_message_can_be_accepted_and_fail_later(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.fault("failed_status", code=131049, times=1)
        wamid = await net.sent(biz_opaque_callback_data="f")
        await net.until(net.statuses)
        await net.settled()
        [status] = net.statuses(wamid)
        assert (status["status"], status["errors"][0]["code"]) == ("failed", 131049)
        assert await net.on_phone() == []


async def test_a_held_message_says_so_and_comes_later(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.fault("held", ms=600, times=1)
        _, answer = await net.send()
        assert answer["messages"][0]["message_status"] == "held_for_quality_assessment"
        assert await net.on_phone() == []
        await net.until(lambda: len(net.statuses()) == 2)
        assert len(await net.on_phone()) == 1


async def test_callbacks_can_be_late_or_never_come(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.fault("no_callbacks", times=1)
        silent = await net.sent()
        await net.fault("delayed_callbacks", ms=800, times=1)
        late = await net.sent()
        prompt = await net.sent()
        await net.until(lambda: len(net.statuses(prompt)) == 2)
        assert net.statuses(late) == []
        await net.until(lambda: len(net.statuses(late)) == 2)
        assert net.statuses(silent) == []
        assert [message["status"] for message in await net.on_phone()] == ["delivered"] * 3


async def test_a_fault_strikes_only_whom_it_names(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.register("second", "token-2", display_phone_number="15550783882")
        made = await net.fault("rate_limit", phone=f"+{TOM}", number_id=LINE)
        assert (await net.send(ANNA))[0] == 200
        assert (await net.send(TOM, line="second", token="token-2"))[0] == 200
        assert [(await net.send(TOM))[0] for _ in range(3)] == [429] * 3
        assert (await net.call("DELETE", f"/faults/{made['id']}"))[1] == {"removed": 1}
        assert (await net.send(TOM))[0] == 200
        assert (await net.call("DELETE", f"/faults/{made['id']}"))[0] == 404


async def test_times_are_counted_down_and_probability_holds(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.fault("undeliverable", times=3)
        await net.send()
        [fault] = (await net.call("GET", "/faults"))[1]["data"]
        assert fault["times"] == 2
        assert (await net.call("DELETE", "/faults"))[1] == {"removed": 1}
        await net.fault("undeliverable", probability=0.5)
        answers = [(await net.send())[0] for _ in range(60)]
        assert 0 < answers.count(200) < 60


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "meteor"},
        {},
        {"kind": "latency", "times": 0},
        {"kind": "latency", "ms": -1},
        {"kind": "graph_error"},
        {"kind": "latency", "probability": 0},
        {"kind": "latency", "probability": 2},
        {"kind": "latency", "colour": 1},
        {"kind": "latency", "phone": "x"},
        {"kind": "graph_error", "code": 1, "http_status": 200},
        [],
        "latency",
    ],
)
async def test_a_senseless_fault_is_refused_in_plain_words(tmp_path: Path, body: Any) -> None:
    async with stage(tmp_path / "s.db") as net:
        status, answer = await net.call("POST", "/faults", body)
        assert status == 422
        assert len(answer["detail"]) > 10
        assert (await net.call("GET", "/faults"))[1]["data"] == []


async def test_the_list_of_faults_names_every_kind(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        assert {kind["kind"] for kind in (await net.call("GET", "/faults"))[1]["kinds"]} == set(KINDS)
