"""The judge of the other tests: it must see what is lost, doubled, stuck or made up."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.faults.burst import Sent, _check_answers, _check_network, _check_store


def stored(text: str, status: str = "delivered") -> dict[str, Any]:
    return {"text": text, "message_id": f"wamid.{text}", "gateway_id": f"gw.{text}", "status": status, "error": None}


def test_it_finds_nothing_where_nothing_is_wrong() -> None:
    sent = [Sent("a", "1", "plain", ["wamid.a"]), Sent("b", "1", "plain"), Sent("c", "1", "keyed", ["gw.c", "wamid.c"])]
    assert _check_answers(sent, [stored("a"), stored("c")]) == []
    assert _check_store([stored("a"), stored("c", "sent")]) == []
    assert _check_network([stored("a")], Counter(["gw.a"])) == []


def test_it_sees_a_message_that_was_answered_and_lost() -> None:
    assert _check_answers([Sent("a", "1", "plain", ["wamid.a"])], []) != []


def test_it_sees_a_message_stored_twice_or_under_another_id() -> None:
    sent = [Sent("a", "1", "keyed", ["gw.a"])]
    assert _check_answers(sent, [stored("a"), stored("a")]) != []
    assert _check_answers([Sent("a", "1", "keyed", ["gw.other"])], [stored("a")]) != []


def test_it_sees_a_key_that_was_never_answered_and_a_refusal() -> None:
    assert _check_answers([Sent("a", "1", "keyed")], []) != []
    assert _check_answers([Sent("a", "1", "plain", refusals=[{"status": 503}])], []) != []


def test_it_sees_a_message_nobody_asked_for() -> None:
    assert _check_answers([], [stored("a")]) != []


def test_it_sees_a_message_that_is_stuck_or_failed() -> None:
    assert len(_check_store([stored("a", "queued"), stored("b", "failed")])) == 2


def test_it_sees_what_reached_the_network_twice_never_or_from_nowhere() -> None:
    assert _check_network([stored("a")], Counter(["gw.a", "gw.a"])) != []
    assert _check_network([stored("a")], Counter()) != []
    assert _check_network([], Counter(["gw.a"])) != []
