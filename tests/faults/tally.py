"""What customers wrote, compared with the store, the contacts, the feed and what the account's server saw."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from tests.events.receiver import Seen
from tests.faults.callers import Customer
from tests.faults.witness import Witness
from tests.product import Product

SETTLE_WITHIN_S = 60.0


@dataclass(frozen=True)
class Tally:
    """`problems` is empty when nothing was lost, made up, doubled, changed or told out of order."""

    written: int
    heard: int
    stored: int
    contacts: int
    events: int
    requests: int
    # Answered 200, and not in the store or never taken by the account's server.
    lost: int
    # Stored, or made an event of, more than once.
    twice: int
    problems: list[str]

    @property
    def repeats(self) -> int:
        """How many requests told what the account's server had been told before."""
        return self.requests - self.events

    def line(self) -> str:
        return (
            f"{self.written} written, {self.heard} answered 200, {self.stored} stored, {self.contacts} contacts, "
            f"{self.events} events seen in {self.requests} requests ({self.repeats} repeats), "
            f"{len(self.problems)} problems"
        )


def settle(product: Product, customers: list[Customer], witness: Witness, within_s: float = SETTLE_WITHIN_S) -> None:
    """Wait until the account's server has taken everything; what never comes is the tally's business."""
    wanted = {name for one in customers for name in one.wrote}
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        if wanted <= {_message_of(seen) for seen in list(witness.seen) if seen.status == "OK"}:
            return
        time.sleep(0.25)


def tally(product: Product, customers: list[Customer], witness: Witness) -> Tally:
    """Count everything about these customers."""
    phones = {one.phone for one in customers}
    stored = [one for one in pages(product, "/messages?direction=in") if one["phone"] in phones]
    contacts = [one for one in pages(product, "/contacts?") if phones & set(one["phones"])]
    feed = [one for one in every_event(product) if one["body"]["data"].get("from") in phones]
    seen = [one for one in list(witness.seen) if one.json()["data"].get("from") in phones]
    problems = [
        *check_store(customers, stored),
        *check_contacts(customers, contacts),
        *check_feed(customers, feed),
        *check_requests(customers, feed, seen),
        *[f"a signature did not verify: {one}" for one in witness.forged],
    ]
    return Tally(
        written=sum(len(one.wrote) for one in customers),
        heard=sum(len(one.heard) for one in customers),
        stored=len(stored),
        contacts=len(contacts),
        events=len({one.id for one in seen}),
        requests=len(seen),
        lost=len(_lost(customers, stored, seen)),
        twice=len(stored) - len({one["message_id"] for one in stored}) + len(feed) - len({_told(one) for one in feed}),
        problems=problems,
    )


def _lost(customers: list[Customer], stored: list[dict[str, Any]], seen: list[Seen]) -> set[str]:
    heard = {name for one in customers for name in one.heard}
    taken = {_message_of(request) for request in seen if request.status == "OK"}
    return heard - ({one["message_id"] for one in stored} & taken)


def check_store(customers: list[Customer], stored: list[dict[str, Any]]) -> list[str]:
    times = Counter(one["message_id"] for one in stored)
    writer = {name: one.phone for one in customers for name in one.wrote}
    problems = [f"{name} is stored {count} times" for name, count in times.items() if count > 1]
    for one in customers:
        problems += [f"{name} was answered 200 and is not in the store" for name in one.heard - set(times)]
        problems += [f"{name} was never answered 200" for name in set(one.wrote) - one.heard]
    for message in stored:
        name = message["message_id"]
        if writer.get(name) != message["phone"]:
            problems.append(f"{name} of {writer.get(name)} is stored as written by {message['phone']}")
        if message["type"] == "text" and message["text"] != name:
            problems.append(f"{name} is stored with another text: {message['text']}")
        if message["media"] is not None and message["media"]["state"] != "kept":
            problems.append(f"the file of {name} is {message['media']}")
    return problems


def check_contacts(customers: list[Customer], contacts: list[dict[str, Any]]) -> list[str]:
    times = Counter(phone for one in contacts for phone in one["phones"])
    wrote = {one.phone for one in customers if one.wrote}
    problems = [f"{phone} is {count} contacts" for phone, count in times.items() if count > 1]
    problems += [f"{phone} wrote and is no contact" for phone in wrote - set(times)]
    return problems + [f"{phone} never wrote and is a contact" for phone in set(times) - wrote]


def check_feed(customers: list[Customer], feed: list[dict[str, Any]]) -> list[str]:
    """Each message is one event of the feed."""
    times = Counter(_told(one) for one in feed)
    wrote = {name for one in customers for name in one.wrote}
    problems = [f"{name} is {count} events" for name, count in times.items() if count > 1]
    problems += [f"{name} has no event" for name in wrote - set(times)]
    return problems + [f"{name} has an event and was never written" for name in set(times) - wrote]


def check_requests(customers: list[Customer], feed: list[dict[str, Any]], seen: list[Seen]) -> list[str]:
    """What the account's server saw: every event, taken at least once, the same each time, in order for each sender."""
    told = {one["id"] for one in feed}
    bodies: dict[str, set[bytes]] = defaultdict(set)
    for request in seen:
        bodies[request.id].add(request.body)
    taken = {request.id for request in seen if request.status == "OK"}
    problems = [f"{name} was never taken by the account's server" for name in told - taken]
    problems += [f"{name} was posted and is not in the feed" for name in set(bodies) - told]
    problems += [f"{name} was posted with {len(some)} bodies" for name, some in bodies.items() if len(some) > 1]
    for one in customers:
        first_seen = list(dict.fromkeys(_message_of(request) for request in seen if _writer_of(request) == one.phone))
        if first_seen != [name for name in one.wrote if name in set(first_seen)]:
            problems.append(f"{one.phone} was told in another order: {_places(one.wrote, first_seen)}")
    return problems


def _told(event: dict[str, Any]) -> str:
    return str(event["body"]["data"]["message_id"])


def _places(wrote: list[str], told: list[str]) -> str:
    """Where it went wrong, and what stood around it."""
    places = {name: place for place, name in enumerate(wrote)}
    seen = [places.get(name, -1) for name in told]
    wrong = [at for at in range(1, len(seen)) if seen[at] < seen[at - 1]]
    return ", ".join(" ".join(str(one) for one in seen[max(0, at - 2) : at + 2]) for at in wrong)


def _writer_of(request: Seen) -> str:
    return str(request.json()["data"].get("from", ""))


def _message_of(request: Seen) -> str:
    return str(request.json()["data"].get("message_id", ""))


def pages(product: Product, path: str) -> list[dict[str, Any]]:
    """Every page of a list."""
    found: list[dict[str, Any]] = []
    cursor = ""
    while True:
        status, page = product.call("GET", f"{path}&limit=200{cursor}")
        assert status == 200, page
        found += page["data"]
        if page["next_cursor"] is None:
            return found
        cursor = f"&cursor={page['next_cursor']}"


def every_event(product: Product) -> list[dict[str, Any]]:
    """The whole feed of messages that came in."""
    found: list[dict[str, Any]] = []
    after = ""
    while True:
        status, page = product.call("GET", f"/events?type=messages.upsert&limit=200{after}")
        assert status == 200, page
        if not page["data"]:
            return found
        found += page["data"]
        after = f"&after={found[-1]['cursor']}"
