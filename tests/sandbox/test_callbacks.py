"""A line is told everything that happens, signed, until it answers 200."""

from __future__ import annotations

from pathlib import Path

from tablegram.sandbox.delivery.courier import retry_delay_s
from tests.sandbox.stage import ANNA, DISPLAY, LINE, TOM, stage


async def test_a_message_is_reported_sent_then_delivered_then_read(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        wamid = await net.sent(biz_opaque_callback_data="ours-1")
        await net.until(lambda: len(net.statuses()) == 2)
        await net.call("POST", f"/phones/{ANNA}/read")
        await net.until(lambda: len(net.statuses()) == 3)
        assert [status["status"] for status in net.statuses(wamid)] == ["sent", "delivered", "read"]
        for status in net.statuses():
            assert status["biz_opaque_callback_data"] == "ours-1"
            assert (status["recipient_id"], len(status["timestamp"])) == (ANNA, 10)
        delivered = net.statuses()[1]
        assert delivered["pricing"] == {
            "billable": True,
            "pricing_model": "PMP",
            "type": "regular",
            "category": "service",
        }
        assert delivered["conversation"]["origin"] == {"type": "service"}
        for value in net.values():
            assert value["metadata"] == {"display_phone_number": DISPLAY, "phone_number_id": LINE}
            assert "profile" not in value["contacts"][0]
        assert {body["object"] for body in net.told} == {"whatsapp_business_account"}


async def test_who_reads_at_once_is_told_of_after_the_delivery(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        wamid = await net.sent()
        await net.call("POST", f"/phones/{ANNA}/read")
        await net.until(lambda: len(net.statuses()) == 3)
        assert [status["status"] for status in net.statuses(wamid)] == ["sent", "delivered", "read"]


async def test_a_template_is_priced_by_its_category(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        values = [{"type": "body", "parameters": [{"type": "text", "text": "Tom"}]}]
        template = {"name": "weekend_offer", "language": {"code": "en"}, "components": values}
        await net.sent(type="template", template=template)
        await net.until(lambda: len(net.statuses()) == 2)
        assert {status["pricing"]["category"] for status in net.statuses()} == {"marketing"}


async def test_a_customers_words_reach_the_line(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        written = await net.write(text="Merhaba", name="Ayşe Y.")
        await net.until(net.messages)
        [message] = net.messages()
        assert message == {
            "from": ANNA,
            "from_user_id": message["from_user_id"],
            "id": written["id"],
            "timestamp": str(written["timestamp"] // 1_000),
            "type": "text",
            "text": {"body": "Merhaba"},
        }
        [contact] = net.values()[0]["contacts"]
        assert (contact["profile"], contact["wa_id"]) == ({"name": "Ayşe Y."}, ANNA)
        await net.settled()
        assert (await net.on_phone())[0]["status"] == "delivered"


async def test_a_callback_is_repeated_until_it_is_answered_200(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        net.answers = [500, 403, 302, 204]
        await net.write(text="Again")
        await net.until(net.messages)
        await net.settled()
        assert len(net.messages()) == 1
        _, counters = await net.call("GET", "/counters")
        assert counters["callbacks"] == {"pending": 0, "delivered": 1, "failed_attempts": 4}


def test_retries_wait_longer_each_time_and_at_most_five_seconds() -> None:
    assert [retry_delay_s(attempt) for attempt in range(1, 8)] == [0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]
    assert retry_delay_s(100_000) == 5.0


async def test_a_dead_line_does_not_delay_another(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.register("dead", "token-2", callback_url="http://127.0.0.1:9/callback")
        for _ in range(50):
            await net.sent(line="dead", token="token-2")
        wamid = await net.sent(TOM)
        await net.until(lambda: len(net.statuses(wamid)) == 2)
        _, counters = await net.call("GET", "/counters")
        assert counters["callbacks"]["pending"] >= 50


async def test_a_line_that_comes_back_gets_everything_at_once(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.register(callback_url="http://127.0.0.1:9/callback")
        for number in range(40):
            await net.write(text=f"Message {number}")
        await net.until_failed(2)
        await net.register()
        await net.until(lambda: len(net.messages()) == 40)
        assert {message["text"]["body"] for message in net.messages()} == {f"Message {number}" for number in range(40)}


async def test_the_handshake_tells_what_came_of_it(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        status, answer = await net.call("POST", f"/numbers/{LINE}/verify")
        assert (status, answer["verified"]) == (200, True)
        await net.register(verify_token="wrong")
        _, answer = await net.call("POST", f"/numbers/{LINE}/verify")
        assert (answer["verified"], "403" in answer["detail"]) == (False, True)
        await net.register(callback_url="http://127.0.0.1:9/")
        _, answer = await net.call("POST", f"/numbers/{LINE}/verify")
        assert answer["verified"] is False


async def test_nothing_is_deduplicated_and_duplicates_are_counted(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        ids = [await net.sent(biz_opaque_callback_data=name) for name in ("a", "b", "a", "a")]
        assert len(await net.on_phone()) == 4
        _, counters = await net.call("GET", "/counters")
        assert (counters["accepted"], counters["duplicates"], counters["by_correlation"]) == (4, 2, {"a": 3})
        _, first = await net.call("GET", "/accepted?limit=3")
        _, rest = await net.call("GET", f"/accepted?limit=3&after={first['next_after']}")
        rows = first["data"] + rest["data"]
        assert [row["wamid"] for row in rows] == ids
        assert [row["correlation"] for row in rows] == ["a", "b", "a", "a"]
        assert [row["duplicate"] for row in rows] == [False, False, True, True]
        assert rest["next_after"] is None
        await net.call("DELETE", f"/phones/{ANNA}")
        assert (await net.call("GET", "/counters"))[1]["duplicates"] == 2
