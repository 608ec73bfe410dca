"""How guests' texts are answered, counted by class: `make texts` prints it.

Each case of `texts.json` and `unseen.json` is a guest of their own, who writes to a venue that lets clear texts go straight
through: what goes wrong there is cooked. The first, the fourth and the seventh part were looked at while the reader was made, the
others only afterwards; to measure anew, write new ones before you look.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
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
    "twentyfirst",
    "twentysecond",
    "twentythird",
    "twentyfourth",
    "twentyfifth",
    "twentysixth",
    "twentyseventh",
    "twentyeighth",
    "twentyninth",
    "thirtieth",
    "thirtyfirst",
    "thirtysecond",
    "thirtythird",
    "thirtyfourth",
    "thirtyfifth",
    "thirtysixth",
    "thirtyseventh",
    "thirtyninth",
    "fortyfirst",
    "fortythird",
    "thirtyeighth",
    "fortieth",
    "fortysecond",
    "fortyfourth",
    "fortyfifth",
    "fortyninth",
    "fortyseventh",
    "fiftyfirst",
    "fortysixth",
    "fortyeighth",
    "fiftieth",
    "fiftysecond",
]
PARTS: tuple[Part, ...] = get_args(Part)
Outcome = Literal["right order", "right question", "acceptable", "wrong reply", "wrong order", "silence"]
OUTCOMES: tuple[Outcome, ...] = ("right order", "right question", "acceptable", "wrong reply", "wrong order", "silence")
# Somebody of the house will answer: never wrong, and not what was hoped for.
_LEFT_TO_PEOPLE = ("colleague", "arkadas")
# What nobody ordered, as if it were a dish.
_NO_DISH = ("menumuzde yok", "is not on our menu")
_OPEN = ("anlayamadim", "did not understand", "bir sorumuz var", "a question")
# A link may hold a question mark, and words that nobody said.
_LINK = re.compile(r"https?://\S+")
# So much of a word is the same where a guest has misspelt it.
_ALIKE = 0.66
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


class Before(msgspec.Struct, frozen=True):
    """What there was before the last text."""

    order_id: str
    # What was ordered before the talk, as it was then.
    lines: str
    # What earlier texts of the talk have ordered, and what was read back.
    stood: list[Row]
    draft: Row | None


async def measure(database_url: str, parts: Sequence[str]) -> list[Result]:
    """Every sixtieth case, and with `make texts` each of them, in one restaurant; those of the evening are the last."""
    chosen = [case for part in parts for case in [case for case in cases() if case.part == part][:: many(60, 1)]]
    results: list[Result] = []
    async with house(database_url) as one:
        numbers = itertools.count(905_551_300_000)
        for case in sorted(chosen, key=lambda case: case.late):
            if case.late and one.clock.now_ms() < _evening(one):
                one.clock.advance(9 * 3_600)
            results.append(await _try(one, case, str(next(numbers))))
    return results


def _evening(one: House) -> int:
    return one.venue.created_at + 8 * 3_600_000


async def _try(one: House, case: Case, phone: str) -> Result:
    earlier = lines = ""
    if case.ordered:
        await one.write(case.ordered, phone)
        (placed,) = await _orders(one, phone)
        earlier, lines = placed["order_id"], placed["lines"]
        if case.started:
            await one.act(earlier, "start")
    *before, last = case.talk
    for text in before:
        await one.write(text, phone)
    stood = [row for row in await _orders(one, phone) if row["order_id"] != earlier]
    draft = await _draft(one, phone)
    told = len(await one.said(phone, all_of_it=True))
    await one.write(last, phone)
    replies = (await one.said(phone, all_of_it=True))[told:]
    return Result(case, await _judge(one, case, phone, Before(earlier, lines, stood, draft), replies), replies)


async def _judge(one: House, case: Case, phone: str, before: Before, replies: list[str]) -> Outcome:
    orders = {row["order_id"]: row for row in await _orders(one, phone)}
    former, stood = orders.pop(before.order_id, None), before.stood
    if not replies:
        return "silence"
    if case.tongue and (case.tongue == "en") != any(_ENGLISH & set(words(reply)) for reply in replies):
        return "wrong reply"
    if stood and list(orders.values()) == stood and _asks(replies) and await _draft(one, phone) is None:
        # What earlier texts have ordered stands as they had it; about this one the guest or people are asked.
        return "acceptable"
    if case.order:
        return await _judge_order(one, case, phone, before, list(orders.values()), replies)
    if orders:
        return "wrong order"
    if case.becomes:
        assert former is not None
        if former["state"] != "cancelled" and former["lines"] == before.lines and _is_left(replies):
            return "acceptable"
        now = former["state"] if former["state"] == "cancelled" else _shown(one.menu, former["lines"])
        if now != (case.becomes if former["state"] == "cancelled" else _sorted(case.becomes.split(";"))):
            return "wrong reply"
    said = fold("\n".join(replies))
    if case.kind not in ("not on the menu", "language") and any(words in said for words in _NO_DISH):
        return "wrong reply"
    if any(fold(one) in said for one in case.says):
        return "right question"
    return "acceptable" if _is_left(replies) else "wrong reply"


async def _judge_order(
    one: House, case: Case, phone: str, before: Before, orders: list[Row], replies: list[str]
) -> Outcome:
    draft = await _draft(one, phone)
    found = orders[-1] if orders else draft
    if found is None:
        # Asked back, or left to people.
        return "acceptable" if _asks(replies) else "wrong reply"
    shown, place = _shown(one.menu, found["lines"]), found["table_label"] or found["order_type"] or "?"
    is_whole = (shown, place) == (_sorted(case.order), case.at)
    wanted, got = Counter(case.order), Counter(shown)
    others = [_called(one.menu, line.split(" ", 1)[1]) for line in ((wanted - got) + (got - wanted))]
    if not is_whole and not orders and place in (case.at, "?") and _names_open(replies, others):
        # The guest sees of each dish that is not as they want it that it was not understood.
        return "acceptable"
    if not is_whole and not orders and before.draft is not None and _is_same(before.draft, found, case):
        # No dish is changed, and the guest sees that nothing of what they wrote was understood.
        return "acceptable" if _names_open(replies, [{word} for word in words(case.talk[-1])]) else "wrong reply"
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
    said = _plain(replies)
    return "?" in said or any(mark in said for mark in _OPEN) or _is_left(replies)


def _is_left(replies: list[str]) -> bool:
    return any(word in _plain(replies) for word in _LEFT_TO_PEOPLE)


def _is_same(draft: Row, other: Row, case: Case) -> bool:
    """Whether the dishes are as they were, and it goes where it went or where it is to go."""
    places = [row["table_label"] or row["order_type"] or "?" for row in (draft, other)]
    return draft["lines"] == other["lines"] and places[1] in (places[0], case.at)


def _plain(replies: list[str]) -> str:
    return fold(_LINK.sub("", "\n".join(replies)))


def _names_open(replies: list[str], missing: list[set[str]]) -> bool:
    """Whether something is named as not understood, and among it a word of each dish that is missing."""
    said = _plain(replies)
    place = min((said.find(mark) for mark in _OPEN if mark in said), default=-1)
    named = words(said[place:])
    return place >= 0 and all(any(_is_alike(word, own) for word in named for own in dish) for dish in missing)


def _called(menu: Menu, name: str) -> set[str]:
    (item,) = [item for item in menu.items if item.name == name]
    names = [item.name, item.kitchen_name, *(one.get("name", "") for one in item.translations.values())]
    return {word for one in names for word in words(fold(one)) if len(word) > 1}


def _is_alike(word: str, own: str) -> bool:
    return word.startswith(own) or SequenceMatcher(None, word, own).ratio() >= _ALIKE


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
