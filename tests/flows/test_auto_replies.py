"""A line answers by itself: once, in time, and never in circles."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.pool import OTHER, Pool, pool

pytestmark = pytest.mark.once

GREETING = {"kind": "greeting", "message": "Hoş geldiniz", "after_days": 30}
KEYWORD = {"kind": "keyword", "message": "Menü: …", "keywords": ["menü", "fiyat listesi"], "match": "word"}
# The test's clock stands on a Friday, 2027-01-15 at 08:00 UTC.
FOLLOWING = {"kind": "closed", "message": "Kapalıyız", "follows_venue": True}
ALWAYS_CLOSED = {"kind": "closed", "message": "Kapalıyız", "time_zone": "Europe/Istanbul", "hours": []}


async def add(one: Pool, fields: dict[str, Any], line: int | None = None, **more: Any) -> str:
    reply = await one.call("POST", f"/instances/{line or one.lines[1]}/auto-replies", {**fields, **more})
    assert reply.status == 201, reply.body
    return str(reply.json()["id"])


async def said(one: Pool) -> list[str]:
    return [row["text"] for row in await one.messages("out")]


@pytest.mark.later
async def test_a_first_message_is_greeted_once(database_url: str) -> None:
    async with pool(database_url) as one:
        await add(one, GREETING)
        await one.write()
        await one.write()
        (row,) = await one.messages("out")
        assert (row["text"], row["state"], row["phone"], row["instance_id"]) == (
            "Hoş geldiniz",
            "queued",
            "905551112233",
            one.lines[1],
        )
        await one.write(phone=OTHER)
        assert await said(one) == ["Hoş geldiniz"] * 2


async def test_a_customer_who_comes_back_after_long_is_greeted_again(database_url: str) -> None:
    async with pool(database_url) as one:
        await add(one, GREETING)
        await one.write()
        one.clock.advance(29 * 86_400)
        await one.write()
        assert len(await said(one)) == 1
        one.clock.advance(31 * 86_400)
        await one.write()
        assert len(await said(one)) == 2


async def test_a_contact_added_by_hand_is_greeted_when_he_first_writes(database_url: str) -> None:
    async with pool(database_url) as one:
        await add(one, GREETING)
        await one.call("POST", "/contacts", {"phone": OTHER})
        await one.write(phone=OTHER)
        assert len(await said(one)) == 1


@pytest.mark.parametrize(
    ("text", "match", "answered"),
    [
        ("MENÜ", "whole", True), ("menu", "whole", True), ("  Menü!  ", "whole", True), ("menü lütfen", "whole", False),
        ("menü lütfen", "word", True), ("Fiyat Listesı var mı", "word", True), ("fiyat", "word", False),
        ("menümüz", "word", False), ("", "word", False),
    ],
)  # fmt: skip
async def test_keywords_match_whatever_the_keyboard(database_url: str, text: str, match: str, answered: bool) -> None:
    async with pool(database_url) as one:
        await add(one, KEYWORD, match=match)
        await one.write(text)
        assert len(await said(one)) == answered


async def test_outside_opening_hours_customers_are_told(database_url: str) -> None:
    async with pool(database_url) as one:
        hours = [{"day": "friday", "opens": "10:00", "closes": "12:00"}]
        await add(one, ALWAYS_CLOSED, hours=hours, cooldown_s=10)
        await one.write()
        assert await said(one) == []
        one.clock.advance(2 * 3_600)
        await one.write()
        assert await said(one) == ["Kapalıyız"]


async def test_one_reply_answers_a_message_the_most_fitting(database_url: str) -> None:
    async with pool(database_url) as one:
        for fields in (GREETING, ALWAYS_CLOSED, KEYWORD):
            await add(one, fields)
        await one.write("menü")
        assert await said(one) == ["Menü: …"]
        await one.write("menü")
        # The keyword's reply rests; the next that fits answers.
        assert await said(one) == ["Menü: …", "Kapalıyız"]
        await one.write("menü")
        assert len(await said(one)) == 2


@pytest.mark.later
async def test_the_cool_down_ends(database_url: str) -> None:
    async with pool(database_url) as one:
        await add(one, KEYWORD, cooldown_s=60)
        for wait_s, total in ((0, 1), (59, 1), (1, 2), (30, 2)):
            one.clock.advance(wait_s)
            await one.write("menü")
            assert len(await said(one)) == total


async def test_nothing_else_is_answered(database_url: str) -> None:
    async with pool(database_url) as one:
        await add(one, GREETING)
        other_line = await one.add_line()
        await one.write(network_id="wamid.same", line=other_line)
        await one.write(type="reaction", phone=OTHER)
        await one.write(phone="905551112255", ago_s=7_200)
        await one.write(account=2)
        assert await said(one) == []


async def test_who_hides_the_number_is_answered_by_the_networks_id(database_url: str) -> None:
    async with pool(database_url) as one:
        await add(one, GREETING)
        await one.write(phone="", user_id="TR.9")
        assert await said(one) == [GREETING["message"]]
        (row,) = await one.messages("out")
        assert row["phone"] == "TR.9"


@pytest.mark.later
async def test_a_duplicate_is_not_answered(database_url: str) -> None:
    async with pool(database_url) as one:
        await add(one, KEYWORD, cooldown_s=10)
        await one.write("menü", network_id="wamid.same")
        one.clock.advance(60)
        await one.write("menü", network_id="wamid.same")
        assert len(await said(one)) == 1


@pytest.mark.later
async def test_the_switch_works_and_what_is_deleted_is_silent(database_url: str) -> None:
    async with pool(database_url) as one:
        reply_id = await add(one, KEYWORD, enabled=False)
        path = f"/instances/{one.lines[1]}/auto-replies/{reply_id}"
        await one.write("menü")
        assert await said(one) == []
        assert (await one.call("PATCH", path, {"enabled": True, "message": "Yeni"})).json()["message"] == "Yeni"
        await one.write("menü")
        assert await said(one) == ["Yeni"]
        one.clock.advance(3_600)
        assert (await one.call("DELETE", path)).status == 204
        await one.write("menü")
        assert await said(one) == ["Yeni"]
        assert (await one.call("GET", path)).json()["code"] == "auto_reply_unknown"


@pytest.mark.later
async def test_a_reply_is_paid_for_and_left_out_when_it_cannot_be(database_url: str) -> None:
    async with pool(database_url, billing="prepaid") as one:
        await add(one, KEYWORD, cooldown_s=10)
        await one.write("menü")
        assert (await one.call("GET", "/me")).json()["quota"]["free_used"] == 1
        one.clock.advance(100 * 3_600)
        await one.write("menü")
        assert len(await said(one)) == 1
        assert len(await one.messages("in")) == 2


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"kind": "keyword", "message": "x"}, "keywords", "missing"),
        ({"kind": "closed", "message": "x", "time_zone": "UTC"}, "hours", "missing"),
        ({**ALWAYS_CLOSED, "time_zone": "Mars/Base"}, "time_zone", "not_allowed"),
        ({**GREETING, "keywords": ["a"]}, "keywords", "not_for_kind"),
        ({**GREETING, "follows_venue": True}, "follows_venue", "not_for_kind"),
        ({**FOLLOWING, "hours": []}, "hours", "follows_venue"),
        ({**FOLLOWING, "follows_venue": False}, "hours", "missing"),
        ({**GREETING, "cooldown_s": 1}, "cooldown_s", "out_of_range"),
        ({**GREETING, "message": "  "}, "message", "blank"),
        ({**GREETING, "kind": "other"}, "kind", "not_allowed"),
        ({**ALWAYS_CLOSED, "hours": [{"day": "monday", "opens": "25:00", "closes": "1"}]}, "hours[0].opens", "format_invalid"),
    ],
)  # fmt: skip
async def test_what_makes_no_sense_is_refused(database_url: str, fields: dict[str, Any], field: str, code: str) -> None:
    async with pool(database_url) as one:
        reply = await one.call("POST", f"/instances/{one.lines[1]}/auto-replies", fields)
        assert reply.status == 422
        assert (field, code) in [(error["field"], error["code"]) for error in reply.json()["errors"]]


@pytest.mark.later
async def test_replies_are_their_accounts_own(database_url: str) -> None:
    async with pool(database_url) as one:
        reply_id = await add(one, GREETING)
        base = f"/instances/{one.lines[1]}/auto-replies"
        for method, path, body in (
            ("GET", base, None), ("POST", base, GREETING), ("GET", f"{base}/{reply_id}", None),
            ("PATCH", f"{base}/{reply_id}", {"enabled": False}), ("DELETE", f"{base}/{reply_id}", None),
        ):  # fmt: skip
            assert (await one.call(method, path, body, account=2)).status == 404
        foreign = f"/instances/{one.lines[2]}/auto-replies/{reply_id}"
        assert (await one.call("GET", foreign, account=2)).json()["code"] == "auto_reply_unknown"
        listed = (await one.call("GET", base)).json()["data"]
        assert [entry["id"] for entry in listed] == [reply_id]
