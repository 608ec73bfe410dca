"""Behind a bubble: the wire as it was, the callbacks as they were answered, and what can be done with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablegram.sandbox.delivery.outbox import KEPT, Attempt, Outbox, Planned
from tablegram.sandbox.store import Store
from tests.sandbox.stage import ANNA, LINE, SECRET, TOM, Stage, stage


async def behind(net: Stage, message_id: str, phone: str = ANNA) -> dict[str, Any]:
    status, found = await net.call("GET", f"/phones/{phone}/messages/{message_id}")
    assert status == 200, found
    return dict(found)


async def test_what_a_line_sent_is_shown_as_it_sent_it_with_every_callback(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        net.answers[:] = [503, 500]
        wamid = await net.sent(
            biz_opaque_callback_data="gw-1", text={"body": "Hello", "preview_url": False}, type="text"
        )
        await net.settled()
        found = await behind(net, wamid)
        assert found["wire"] == {
            "messaging_product": "whatsapp",
            "to": ANNA,
            "biz_opaque_callback_data": "gw-1",
            "text": {"body": "Hello", "preview_url": False},
            "type": "text",
        }
        ids = found["ids"]
        assert (ids["id"], ids["correlation"], ids["phone_number_id"], ids["wa_id"]) == (wamid, "gw-1", LINE, ANNA)
        sent, delivered = found["callbacks"]
        assert (sent["status"], delivered["status"]) == ("sent", "delivered")
        assert {one["state"] for one in found["callbacks"]} == {"answered"}
        # Two answers were not 200; each attempt says which, and the last of each callback is the 200.
        answers = [[one.get("http_status") for one in told["attempts"]] for told in (sent, delivered)]
        assert sorted(status for told in answers for status in told) == [200, 200, 500, 503]
        assert [told[-1] for told in answers] == [200, 200]
        assert [told["tries"] for told in (sent, delivered)] == [len(told) for told in answers]
        assert sent["body"] in net.told
        assert delivered["body"] in net.told
        assert SECRET not in str(found)
        assert "token-1" not in str(found)


async def test_what_a_customer_wrote_is_shown_as_the_line_was_told_it(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        message = await net.write(text="A table for two")
        await net.settled()
        found = await behind(net, message["id"])
        assert found["wire"] == net.told[0] == found["callbacks"][0]["body"]
        assert found["callbacks"][0]["kind"] == "message"
        for phone, id in ((TOM, message["id"]), (ANNA, "wamid.none"), (ANNA, "..%2f..")):
            status, _ = await net.call("GET", f"/phones/{phone}/messages/{id}")
            assert status == 404


async def test_a_callback_is_posted_again_and_one_that_waits_is_not(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        message = await net.write(text="Twice")
        await net.settled()
        [told] = (await behind(net, message["id"]))["callbacks"]
        again = f"/phones/{ANNA}/messages/{message['id']}/callbacks"
        status, made = await net.call("POST", f"{again}/{told['id']}/replay")
        assert status == 202
        await net.settled()
        assert net.told == [net.told[0]] * 2
        kept = (await behind(net, message["id"]))["callbacks"]
        assert [one["id"] for one in kept] == [told["id"], made["id"]]
        assert (await net.call("POST", f"{again}/999/replay"))[0] == 404
        assert (await net.call("POST", f"/phones/{TOM}/messages/{message['id']}/callbacks/{told['id']}/replay"))[
            0
        ] == 404
        # A line that does not answer is asked again by itself.
        net.answers[:] = [503] * 1_000
        late = await net.write(text="Later")

        while not (waiting := (await behind(net, late["id"]))["callbacks"][0])["tries"]:
            pass
        assert waiting["state"] == "waiting"
        assert waiting["due"]
        status, refused = await net.call(
            "POST", f"/phones/{ANNA}/messages/{late['id']}/callbacks/{waiting['id']}/replay"
        )
        assert (status, refused["code"]) == (409, "callback_waiting")
        net.answers.clear()


async def test_a_callback_that_nobody_was_told_says_why(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.fault("no_callbacks", times=1)
        kept_back = await net.write(text="Silence")
        await net.register("deaf", "token-2", callback_url="")
        unheard = await net.write(text="Nobody", to="deaf")
        await net.settled()
        states = [(await behind(net, one["id"]))["callbacks"][0]["state"] for one in (kept_back, unheard)]
        assert states == ["silent", "no_callback_url"]


async def test_one_conversation_is_cleared_and_the_rest_stays(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        await net.register("other", "token-2")
        gone = await net.write(text="Goes", name="Ayşe")
        stays = await net.write(text="Stays", to="other")
        foreign = await net.write(TOM, text="Stays too")
        await net.settled()
        status, answer = await net.call("DELETE", f"/phones/{ANNA}/messages?number_id={LINE}")
        assert (status, answer) == (200, {"number": ANNA, "messages_removed": 1})
        assert [message["id"] for message in await net.on_phone()] == [stays["id"]]
        assert [message["id"] for message in await net.on_phone(TOM)] == [foreign["id"]]
        assert (await net.call("GET", f"/phones/{ANNA}/messages/{gone['id']}"))[0] == 404
        names = {phone["number"]: phone["name"] for phone in (await net.call("GET", "/phones"))[1]["data"]}
        assert names[ANNA] == "Ayşe"
        assert (await net.call("GET", "/counters"))[1]["inbound"] == 3


async def test_the_log_is_there_after_a_restart_and_nothing_goes_out_twice(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        message = await net.write(text="Once")
        await net.settled()
    async with stage(tmp_path / "s.db") as net:
        await net.settled()
        assert net.told == []
        [told] = (await behind(net, message["id"]))["callbacks"]
        assert (told["state"], told["tries"]) == ("answered", 1)


def planned(number: int) -> Planned:
    return Planned(
        number_id=LINE, order_key=str(number), kind="status", message_id=f"m{number}", status="sent", value={}, due_ms=0
    )


def test_the_log_is_bounded(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.db")
    outbox = Outbox(store)
    outbox.add([planned(number) for number in range(KEPT + 1_500)], 0)
    # A line that was away for a week, and thousands that were answered.
    for tried in range(200):
        outbox.postpone([1], tried, Attempt(at_ms=tried, http_status=503, error="HTTP 503"))
    [away] = outbox.of_message("m0")
    assert (away.failures, len(away.attempts)) == (200, 20)
    assert [one.at_ms for one in away.attempts[:3]] == [0, 1, 2]
    assert away.attempts[-1].at_ms == 199
    with store.transaction():
        outbox.end(list(range(2, KEPT + 1_501)), Attempt(at_ms=1, http_status=200))
    kept = store.execute("SELECT count(*) FROM callbacks").fetchone()[0]
    assert kept <= KEPT + 501
    assert outbox.pending() == 1
    assert outbox.of_message("m0")
    store.close()


async def test_the_file_of_an_earlier_version_goes_on(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        before = await net.write(text="Old")
        await net.settled()
    old = Store(tmp_path / "s.db")
    for change in (
        "DROP INDEX callbacks_waiting",
        "ALTER TABLE messages DROP COLUMN wire",
        "DELETE FROM callbacks",
        "ALTER TABLE callbacks DROP COLUMN ended_ms",
        "ALTER TABLE callbacks DROP COLUMN log",
        "CREATE INDEX callbacks_due ON callbacks (number_id, due_ms, seq)",
    ):
        old.execute(change)
    old.close()
    async with stage(tmp_path / "s.db") as net:
        wamid = await net.sent()
        await net.settled()
        assert [one["state"] for one in (await behind(net, wamid))["callbacks"]] == ["answered"] * 2
        assert (await behind(net, before["id"]))["wire"] is None
