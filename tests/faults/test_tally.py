"""The judge of what comes in: it must see what is lost, doubled, changed, made up or told out of order."""

from __future__ import annotations

from typing import Any

import msgspec

from tests.events.receiver import Seen
from tests.faults.callers import Customer
from tests.faults.tally import _lost, check_contacts, check_feed, check_requests, check_store


def customer(*names: str, heard: tuple[str, ...] | None = None) -> list[Customer]:
    return [Customer("1", list(names), set(names if heard is None else heard))]


def stored(name: str, phone: str = "1", text: str | None = None) -> dict[str, Any]:
    return {"message_id": name, "phone": phone, "type": "text", "text": text or name, "media": None}


def event(name: str, event_id: str | None = None) -> dict[str, Any]:
    return {"id": event_id or f"evt_{name}", "body": {"data": {"message_id": name, "from": "1"}}}


def request(name: str, status: str = "OK", extra: str = "") -> Seen:
    body = msgspec.json.encode({"data": {"message_id": name, "from": "1", "extra": extra}})
    return Seen("/hook", {"webhook-id": f"evt_{name}"}, body, status)


def test_it_finds_nothing_where_nothing_is_wrong() -> None:
    wrote = customer("a", "b")
    feed = [event("a"), event("b")]
    assert check_store(wrote, [stored("a"), stored("b")]) == []
    assert check_contacts(wrote, [{"phones": ["1"]}]) == []
    assert check_feed(wrote, feed) == []
    seen = [request("a", "NO"), request("a"), request("b"), request("a")]
    assert check_requests(wrote, feed, seen) == []
    assert _lost(wrote, [stored("a"), stored("b")], seen) == set()


def test_it_sees_what_was_answered_and_is_not_stored_or_stored_twice() -> None:
    assert check_store(customer("a"), []) != []
    assert check_store(customer("a"), [stored("a"), stored("a")]) != []
    assert check_store(customer("a", heard=()), []) != []
    assert _lost(customer("a"), [], [request("a")]) == {"a"}
    assert _lost(customer("a"), [stored("a")], [request("a", "NO")]) == {"a"}


def test_it_sees_a_message_under_another_sender_with_other_words_or_from_nowhere() -> None:
    assert check_store(customer("a"), [stored("a", phone="2")]) != []
    assert check_store(customer("a"), [stored("a", text="b")]) != []
    assert check_store(customer(), [stored("a")]) != []


def test_it_sees_a_file_that_was_not_kept() -> None:
    assert check_store(customer("a"), [{**stored("a"), "media": {"state": "wanted"}}]) != []


def test_it_sees_a_contact_that_is_missing_double_or_made_up() -> None:
    assert check_contacts(customer("a"), []) != []
    assert check_contacts(customer("a"), [{"phones": ["1"]}, {"phones": ["1"]}]) != []
    assert check_contacts(customer(), [{"phones": ["1"]}]) != []


def test_it_sees_a_message_without_an_event_or_with_two() -> None:
    assert check_feed(customer("a"), []) != []
    assert check_feed(customer("a"), [event("a"), event("a", "evt_2")]) != []
    assert check_feed(customer(), [event("a")]) != []


def test_it_sees_an_event_that_was_never_taken_or_never_was() -> None:
    assert check_requests(customer("a"), [event("a")], []) != []
    assert check_requests(customer("a"), [event("a")], [request("a", "NO")]) != []
    assert check_requests(customer("a"), [], [request("a")]) != []


def test_it_sees_a_repeat_with_another_body() -> None:
    assert check_requests(customer("a"), [event("a")], [request("a"), request("a", extra="x")]) != []


def test_it_sees_a_sender_told_out_of_order() -> None:
    feed = [event("a"), event("b")]
    assert check_requests(customer("a", "b"), feed, [request("b"), request("a")]) != []
    assert check_requests(customer("a", "b"), feed, [request("b", "NO"), request("a"), request("b")]) != []
