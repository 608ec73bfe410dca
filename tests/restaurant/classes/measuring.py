"""How guests' texts are answered, counted by class: `make texts` prints it.

Each case of `texts.json` and `unseen.json` is a guest of their own, who writes to a venue that lets clear texts go straight
through: what goes wrong there is cooked. The first, the fourth and the seventh part were looked at while the reader was made, the
others only afterwards; to measure anew, write new ones before you look.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec
from sqlalchemy import select

from tablegram.restaurant.menu.model import Menu
from tablegram.storage.database import Query, Row
from tablegram.storage.tables import order_drafts
from tablegram.values.folding import fold, words
from tests.long import many
from tests.restaurant.flows.house import House, house

TEXTS = [Path(__file__).with_name(name) for name in ("texts.json", "unseen.json")]
Part = Literal[
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
]
PARTS: tuple[Part, ...] = get_args(Part)
Outcome = Literal["right order", "right question", "acceptable", "wrong reply", "wrong order", "silence"]
OUTCOMES: tuple[Outcome, ...] = ("right order", "right question", "acceptable", "wrong reply", "wrong order", "silence")
# Somebody of the house will answer: never wrong, and not what was hoped for.
_LEFT_TO_PEOPLE = ("colleague", "arkadas")
# What nobody ordered, as if it were a dish.
_NO_DISH = ("menumuzde yok", "is not on our menu")
_OPEN = ("anlayamadim", "did not understand", "bir sorumuz var", "a question")
_ENGLISH = {"the", "you", "your", "please", "thank", "welcome", "our", "is"}


class Case(msgspec.Struct, frozen=True, rename={"kind": "class"}, kw_only=True):
    """A talk, and what is to come of its last text."""

    kind: str
    part: Part
    talk: list[str]
    # What the guest has ordered before, and whether the kitchen has begun it.
    ordered: str = ""
    started: bool = False
    # Written in the evening.
    late: bool = False
    # The dishes with their quantities, and where they go: a table, takeaway, delivery, or `?` where that has to be asked.
    order: list[str] = []
    at: str = ""
    address: str = ""
    # Words of which one is to be shown as not understood.
    missed: str = ""
    # A second order of the same text, which is read back after the first.
    then: list[str] = []
    then_at: str = ""
    # One of these stands in the answer; and each of those, such as what a dish is to be like.
    says: list[str] = []
    shows: list[str] = []
    # What the earlier order has become: cancelled, or other dishes.
    becomes: str = ""
    tongue: str = ""


def cases() -> list[Case]:
    found = [case for file in TEXTS for case in msgspec.json.decode(file.read_bytes(), type=list[Case])]
    return sorted(found, key=lambda case: case.late)


class Result(msgspec.Struct):
    case: Case
    outcome: Outcome
    replies: list[str]


async def measure(database_url: str, part: str) -> list[Result]:
    """Every tenth case, and with `make texts` each of them, in one restaurant; those of the evening are the last."""
    results: list[Result] = []
    async with house(database_url) as one:
        numbers = itertools.count(905_551_300_000)
        for case in [case for case in cases() if case.part == part][:: many(10, 1)]:
            if case.late and one.clock.now_ms() < _evening(one):
                one.clock.advance(9 * 3_600)
            results.append(await _try(one, case, str(next(numbers))))
    return results


def _evening(one: House) -> int:
    return one.venue.created_at + 8 * 3_600_000


async def _try(one: House, case: Case, phone: str) -> Result:
    earlier = ""
    if case.ordered:
        await one.write(case.ordered, phone)
        (placed,) = await _orders(one, phone)
        earlier = placed["order_id"]
        if case.started:
            await one.act(earlier, "start")
    *before, last = case.talk
    for text in before:
        await one.write(text, phone)
    stood = [row for row in await _orders(one, phone) if row["order_id"] != earlier]
    told = len(await one.said(phone, all_of_it=True))
    await one.write(last, phone)
    replies = (await one.said(phone, all_of_it=True))[told:]
    return Result(case, await _judge(one, case, phone, earlier, stood, replies), replies)


async def _judge(one: House, case: Case, phone: str, earlier: str, stood: list[Row], replies: list[str]) -> Outcome:
    orders = {row["order_id"]: row for row in await _orders(one, phone)}
    former = orders.pop(earlier, None)
    if not replies:
        return "silence"
    if case.tongue and (case.tongue == "en") != any(_ENGLISH & set(words(reply)) for reply in replies):
        return "wrong reply"
    if stood and list(orders.values()) == stood and _asks(replies) and await _draft(one, phone) is None:
        # What earlier texts have ordered stands as they had it; about this one the guest or people are asked.
        return "acceptable"
    if case.order:
        return await _judge_order(one, case, phone, list(orders.values()), replies)
    if orders:
        return "wrong order"
    if case.becomes:
        assert former is not None
        now = former["state"] if former["state"] == "cancelled" else _shown(one.menu, former["lines"])
        if now != (case.becomes if former["state"] == "cancelled" else _sorted(case.becomes.split(";"))):
            return "wrong reply"
    said = fold("\n".join(replies))
    if case.kind not in ("not on the menu", "language") and any(words in said for words in _NO_DISH):
        return "wrong reply"
    if any(fold(one) in said for one in case.says):
        return "right question"
    return "acceptable" if any(word in said for word in _LEFT_TO_PEOPLE) else "wrong reply"


async def _judge_order(one: House, case: Case, phone: str, orders: list[Row], replies: list[str]) -> Outcome:
    draft = await _draft(one, phone)
    found = orders[-1] if orders else draft
    if found is None:
        # Asked back, or left to people.
        return "acceptable" if _asks(replies) else "wrong reply"
    shown, place = _shown(one.menu, found["lines"]), found["table_label"] or found["order_type"] or "?"
    is_whole = (shown, place) == (_sorted(case.order), case.at)
    is_part = not Counter(shown) - Counter(case.order) and place in (case.at, "?")
    if is_part and not is_whole and not orders and _names_open(replies):
        # Nothing in it is wrong, and the guest sees which words were not understood, or is asked about them.
        return "acceptable"
    if shown != _sorted(case.order):
        return "wrong order" if orders else "wrong reply"
    if place != case.at or found["address"] != case.address:
        return "wrong order" if orders else "wrong reply"
    said = "\n".join(replies)
    if (case.missed and case.missed not in said) or not all(fold(one) in fold(said) for one in case.shows):
        return "wrong reply"
    if not case.then:
        return "right order"
    await one.write("evet", phone)
    following = await _draft(one, phone)
    if following is None or _shown(one.menu, following["lines"]) != _sorted(case.then):
        return "wrong reply"
    is_there = (following["table_label"] or following["order_type"]) == case.then_at
    return "right order" if is_there else "wrong reply"


def _asks(replies: list[str]) -> bool:
    said = fold("\n".join(replies))
    return "?" in said or any(word in said for word in _LEFT_TO_PEOPLE)


def _names_open(replies: list[str]) -> bool:
    said = fold("\n".join(replies))
    return any(words in said for words in _OPEN)


async def _orders(one: House, phone: str) -> list[Row]:
    return [row for row in await one.placed() if row["customer_phone"] == phone]


async def _draft(one: House, phone: str) -> Row | None:
    d = order_drafts.c
    found = select(order_drafts).where(d.account_id == 1, d.phone == phone, d.state == "open")
    return next(iter(await one.db.all(Query(found))), None)


def _shown(menu: Menu, lines: str) -> list[str]:
    return _sorted(f"{line['quantity']} {menu.items_by_id[line['item_id']].name}" for line in json.loads(lines))


def _sorted(lines: Any) -> list[str]:
    return sorted(line.strip() for line in lines)


def table(part: str, results: list[Result]) -> str:
    """Outcomes by class, and what went wrong."""
    rows = [f"{f'{part} part':<24}" + "".join(f"{outcome:>16}" for outcome in OUTCOMES)]
    for kind in dict.fromkeys(one.case.kind for one in results):
        rows.append(_row(f"  {kind}", [one for one in results if one.case.kind == kind]))
    rows.append(_row(f"  all {len(results)}", results))
    for one in results:
        if one.outcome in ("wrong reply", "wrong order", "silence"):
            rows.append(f"{one.outcome}: {' / '.join(one.case.talk)}\n    {' | '.join(one.replies)[:300]!r}")
    return "\n".join(rows)


def _row(name: str, results: list[Result]) -> str:
    counts = Counter(one.outcome for one in results)
    return f"{name:<24}" + "".join(f"{counts[outcome] or '':>16}" for outcome in OUTCOMES)
