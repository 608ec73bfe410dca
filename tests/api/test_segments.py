"""Segments over HTTP: saved, counted, previewed with why, joined to each other; hostile rules are refused by their path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.api.product_in_process import product
from tests.api.restaurants import ok, refused
from tests.cases import cases

LEAF = {"rule": "orders", "at_least": 3}


def _deep(depth: int) -> Any:
    return LEAF if depth == 1 else {"not": _deep(depth - 1)}


HOSTILE: list[tuple[Any, str, str]] = [
    ({}, "rules", "rule_missing"),
    ({"rule": "nobody"}, "rules.rule", "rule_unknown"),
    ({"rule": ["orders"]}, "rules.rule", "rule_unknown"),
    ({"rule": "orders"}, "rules", "rule_incomplete"),
    ({"rule": "orders", "at_least": 3, "or": 1}, "rules", "rule_incomplete"),
    ({"rule": "orders", "at_least": True}, "rules.at_least", "type_invalid"),
    ({"rule": "orders", "at_least": 2.5}, "rules.at_least", "type_invalid"),
    ({"rule": "orders", "at_least": 10**30}, "rules.at_least", "out_of_range"),
    ({"rule": "orders", "at_least": 3, "within_days": 0}, "rules.within_days", "out_of_range"),
    ({"all": [LEAF, {"rule": "tag", "is": "x\u0000y"}]}, "rules.all[1].is", "text_invalid"),
    ({"any": [{"not": {"rule": "tag", "is": " "}}]}, "rules.any[0].not.is", "text_invalid"),
    ({"rule": "tag", "is": "x" * 65}, "rules.is", "text_invalid"),
    ({"rule": "spent", "currency": "QQQ", "at_least": 1}, "rules.currency", "currency_unknown"),
    ({"rule": "spent", "currency": "TRY", "at_least": 1.001}, "rules.at_least", "amount_invalid"),
    ({"rule": "spent", "currency": "TRY", "at_least": -1}, "rules.at_least", "out_of_range"),
    ({"rule": "last_order", "never": False}, "rules.never", "type_invalid"),
    ({"rule": "customer_class", "is": "'; drop table contacts --"}, "rules.is", "choice_invalid"),
    ({"rule": "segment", "is": "nobody"}, "rules", "segment_unknown"),
    ({"all": []}, "rules.all", "rules_empty"),
    ({"all": LEAF}, "rules.all", "rules_empty"),
    ({"all": [7]}, "rules.all[0]", "type_invalid"),
    ({"all": [LEAF], "any": [LEAF]}, "rules", "rule_ambiguous"),
    ({"all": [LEAF] * 21}, "rules.all", "rules_too_many"),
    ({"all": [{"any": [LEAF] * 20}, {"any": [LEAF] * 20}, LEAF]}, "rules.all[2]", "rules_too_many"),
    (_deep(7), "rules.not.not.not.not.not.not", "rules_too_deep"),
    (_deep(900), "rules.not.not.not.not.not.not", "rules_too_deep"),
]


async def test_a_segment_is_saved_counted_and_told_why(database_url: str, tmp_path: Path) -> None:
    async with product(database_url, tmp_path) as running:
        ask = running.ask
        for number in range(23):
            person = {"phone": f"9055511122{number:02}", "name": f"Guest {number}", "tags": ["vip"] if number else []}
            await ok(ask("POST", "/contacts", {**person, "language": "tr" if number % 2 else "en"}), 201)
        await ok(ask("POST", "/contacts", {"phone": "905551112200", "tags": ["vip"]}, account=2), 201)
        vips = {"all": [{"rule": "tag", "is": "VIP"}, {"rule": "last_order", "never": True}]}
        made = await ok(ask("POST", "/segments", {"name": " Vip  guests ", "rules": vips}), 201)
        assert (made["name"], made["rules"]) == ("Vip guests", vips)
        one = f"/segments/{made['id']}"
        assert (await ok(ask("GET", one)))["count"] == 22
        first = await ok(ask("GET", f"{one}/members?limit=15"))
        rest = await ok(ask("GET", f"{one}/members?limit=15&cursor={first['next_cursor']}"))
        names = {person["name"] for person in (*first["data"], *rest["data"])}
        assert names == {f"Guest {number}" for number in range(1, 23)}
        assert (len(first["data"]), rest["next_cursor"]) == (15, None)
        # Joined with another rule, in people's words, the rule that must not hold too.
        turks = {"all": [{"rule": "segment", "is": made["id"]}, {"not": {"rule": "language", "is": "en"}}]}
        assert await ok(ask("POST", "/segments/count", {"rules": turks})) == {"count": 11}
        shown = await ok(ask("POST", "/segments/preview", {"rules": turks}))
        assert (shown["count"], len(shown["data"])) == (11, 11)
        assert shown["data"][0]["why"] == ["Is in the segment Vip guests", "Not: Speaks English"]
        told = await ok(ask("POST", "/segments/preview", {"rules": turks, "language": "tr"}))
        assert told["data"][0]["why"] == ["Vip guests segmentinde", "Değil: Dili İngilizce"]
        assert len((await ok(ask("POST", "/segments/preview", {"rules": vips})))["data"]) == 20
        # No two names alike, no circle, and nothing goes that another needs.
        other = await ok(ask("POST", "/segments", {"name": "Turks", "rules": turks}), 201)
        assert await refused(ask("POST", "/segments", {"name": "TURKS", "rules": vips})) == (409, "name_taken")
        circle = {"rules": {"any": [{"rule": "segment", "is": other["id"]}]}}
        answer = await ask("PATCH", one, circle)
        assert (answer.status, answer.json()["errors"][0]["code"]) == (422, "segment_circle")
        assert await refused(ask("DELETE", one)) == (409, "segment_in_use")
        # Whatever of another account is named, it is not there.
        answer = await ask("POST", "/segments/count", {"rules": turks}, account=2)
        assert (answer.status, answer.json()["errors"][0]["code"]) == (422, "segment_unknown")
        assert [one["name"] for one in (await ok(ask("GET", "/segments?q=GUEST")))["data"]] == ["Vip guests"]
        assert (await ask("DELETE", f"/segments/{other['id']}")).status == 204
        assert (await ok(ask("PATCH", one, {"rules": turks["all"][1]})))["rules"] == turks["all"][1]
        assert (await ask("DELETE", one)).status == 204
        assert await refused(ask("GET", f"{one}/members")) == (404, "segment_unknown")
        with cases() as every:
            for rules, field, code in HOSTILE:
                with every.case(f"{field} {code}"):
                    answer = await ask("POST", "/segments/count", {"rules": rules})
                    assert answer.status == 422
                    error = answer.json()["errors"][0]
                    assert (error["field"], error["code"]) == (field, code)
                    assert error["detail"]
