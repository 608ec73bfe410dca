"""What is asked of both databases, by turns: pages, searches and look-ups, and lists narrowed to what is rare in them."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Protocol
from urllib.parse import quote

from bench.cluster import family_cpu_s
from bench.large.filling import ALONE, DAY_MS

Figures = dict[str, dict[str, float]]


class Asked(Protocol):
    """A server on one of the two databases."""

    @property
    def pid(self) -> int: ...

    def get(self, path: str) -> Any: ...


Questions = Callable[[Asked], dict[str, str]]


def questions(place: Asked) -> dict[str, str]:
    """One that finds, for each kind of question: a person whom both databases know."""
    phone = str(905_300_000_000 + ALONE)
    contact = place.get(f"/contacts?q={phone}&limit=1")["data"][0]
    # As many people in the answer, wherever it is asked.
    (_,) = place.get(f"/contacts?q={quote(contact['name'])}")["data"]
    message = place.get("/messages?limit=1")["data"][0]
    return {
        "inbox page": "/conversations?limit=50",
        "list of messages": "/messages?limit=50",
        "search by number": f"/contacts?q={phone}",
        "search by name": f"/contacts?q={quote(contact['name'])}",
        "contact": f"/contacts/{contact['id']}",
        "thread": f"/conversations/{contact['id']}",
        "message": f"/messages/{message['message_id']}",
    }


def narrowed(place: Asked) -> dict[str, str]:
    """One for each filter of the lists that are filled: the newest that fits, or nothing where nothing does.

    What is rare or not there is found as soon as what is common, or the list walks through all that it has.
    """
    phone = str(905_300_000_000 + ALONE)
    endpoint = place.get("/webhooks")["data"][0]["id"]
    since = quote(datetime.fromtimestamp(time.time() - 20 * DAY_MS / 1_000, UTC).isoformat())
    lists: Mapping[str, tuple[str, ...]] = {
        "/messages": (
            "status=failed", "status=cancelled", "status=received", "status=queued", "status=sent", "status=delivered",
            "status=read", "direction=in", "direction=out", f"phone={phone}",
            f"phone={phone}&direction=in&status=received", f"since={since}",
        ),
        "/requests": ("status=500", "status=4xx", "key_id=k0"),
        f"/webhooks/{endpoint}/deliveries": ("state=dead", "state=pending", "state=delivered"),
        "/contacts": ("tag=nobody", f"active_since={since}"),
        "/conversations": ("status=closed", "status=snoozed", "assigned=nobody", "assigned=m0", "unread=true", "waiting=true"),
    }  # fmt: skip
    return {
        f"{_plain(path)}?{query}".replace(since, "…"): f"{path}?{query}&limit=1"
        for path, queries in lists.items()
        for query in queries
    }


def _plain(path: str) -> str:
    return "/deliveries" if path.startswith("/webhooks/") else path


def asked(
    questions_of: Questions, places: Mapping[str, Asked], postmaster: int, rounds: int, within_s: float
) -> Figures:
    """CPU of server and database for a call. What takes long is asked fewer times."""
    found: dict[tuple[str, str], list[float]] = {}
    paths = {name: questions_of(place) for name, place in places.items()}
    for turn in range(rounds + 1):
        print(f"{len(paths['large'])} questions, turn {turn + 1} of {rounds + 1} …", file=sys.stderr, flush=True)
        for what in paths["large"]:
            for name, place in places.items():
                before = family_cpu_s(place.pid) + family_cpu_s(postmaster)
                until, times = time.monotonic() + within_s, 0
                while times < 100 and (times < 3 or time.monotonic() < until):
                    place.get(paths[name][what])
                    times += 1
                spent = family_cpu_s(place.pid) + family_cpu_s(postmaster) - before
                if turn:
                    found.setdefault((f"{what}, CPU ms", name), []).append(spent / times * 1_000)
    return by_what({key: statistics.median(values) for key, values in found.items()})


def by_what(found: dict[tuple[str, str], float]) -> Figures:
    results: Figures = {}
    for (what, name), value in found.items():
        results.setdefault(what, {})[name] = value
    return results
