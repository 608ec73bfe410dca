"""Facts picked out of decoded values: always of the type that is asked for, always of a bounded size, never an error."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from urllib.parse import urlsplit

from tablegram.stores.ports import Good
from tablegram.values import Json
from tablegram.values.money import MAX_AMOUNT, from_wire, is_currency

MAX_TEXT = 200
MAX_ADDRESS = 2_000
# An order shows this many; whoever buys more of different things reads the rest at the shop.
MAX_GOODS = 200
MAX_QUANTITY = 100_000
MAX_PHONES = 8

# What a store cannot keep (NUL), a terminal would act on, or no text can hold (half of a pair).
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_LANGUAGE = re.compile(r"([a-zA-Z]{2})(?:$|[-_])")
_COUNTRY = re.compile(r"[A-Z]{2}")
_WHOLE = re.compile(r"[0-9]{1,9}(?:\.0{0,8})?", re.ASCII)
# Of this century: everything else is a unit that was mistaken, or no time at all.
_EPOCH, _MS = datetime(1970, 1, 1, tzinfo=UTC), timedelta(milliseconds=1)
_FIRST_MS, _LAST_MS = 946_684_800_000, 4_102_444_800_000


def part(found: object, *names: str) -> Json:
    """The object below these names; an empty one where there is none."""
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def parts(found: object, name: str, most: int = MAX_GOODS) -> list[Json]:
    """The objects of a list, the first of them where there are too many."""
    listed = found.get(name) if isinstance(found, dict) else None
    return [one for one in listed[:most] if isinstance(one, dict)] if isinstance(listed, list) else []


def text(value: object, most: int = MAX_TEXT) -> str:
    """A text or a number as a text of one line; empty for everything else."""
    return " ".join(lines(value, most * 2).split())[:most]


def lines(value: object, most: int = MAX_ADDRESS) -> str:
    """The same, with its lines."""
    if isinstance(value, str):
        return _CONTROLS.sub("", value[: most * 4]).strip()[:most]
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return ""
    # A figure of thousands of digits says nothing, and takes long to write.
    if isinstance(value, int):
        return str(value) if abs(value) < 10**30 else ""
    return str(value)[:most] if len(value.as_tuple().digits) < 40 else ""


def first(*values: object) -> str:
    """The first that says anything."""
    return next((told for told in map(text, values) if told), "")


def phones(*values: object) -> tuple[str, ...]:
    """Candidates in their order, each once. A number needs some digits to be one."""
    told = (text(value, 40) for value in values)
    return tuple(dict.fromkeys(one for one in told if sum(map(str.isdigit, one)) >= 5))[:MAX_PHONES]


def full_name(*names: object) -> str:
    return text(" ".join(filter(None, map(text, names))))


def email(*values: object) -> str:
    return next((told for told in (text(value, 254) for value in values) if "@" in told and " " not in told), "")


def language(*values: object) -> str:
    found = (_LANGUAGE.match(text(value, 20)) for value in values)
    return next((one[1].lower() for one in found if one), "")


def country(*values: object) -> str:
    told = (text(value, 20).upper() for value in values)
    return next((one for one in told if _COUNTRY.fullmatch(one)), "")


def flag(value: object) -> bool | None:
    """Yes or no as programs and forms write it; nothing where it is neither."""
    if isinstance(value, bool):
        return value
    told = text(value, 20).lower()
    if told in ("1", "true", "yes", "on", "evet", "subscribed", "opted_in"):
        return True
    return False if told in ("0", "false", "no", "off", "hayır", "hayir", "not_subscribed", "unsubscribed") else None


def link(value: object) -> str:
    """An address that a phone can open; nothing for every other scheme."""
    told = text(value, MAX_ADDRESS)
    if " " in told or not told.startswith(("https://", "http://")):
        return ""
    try:
        return told if urlsplit(told).hostname else ""
    except ValueError:
        return ""


def moment(value: object) -> int:
    """A time in ms: written as ISO 8601 (without a zone: of UTC), or counted in seconds or ms. 0 for what is none."""
    if isinstance(value, str) and 10 <= len(value) <= 40:
        try:
            told = datetime.fromisoformat(value.strip())
            return _of_this_century(((told if told.tzinfo else told.replace(tzinfo=UTC)) - _EPOCH) // _MS)
        except (ValueError, OverflowError):
            pass
    whole = text(value, 20)
    if not whole.isascii() or not whole.isdigit():
        return 0
    return _of_this_century(int(whole)) or _of_this_century(int(whole) * 1_000)


def _of_this_century(at: int) -> int:
    return at if _FIRST_MS <= at < _LAST_MS else 0


def currency(*values: object) -> str:
    told = (text(value, 20).upper() for value in values)
    return next((one for one in told if is_currency(one)), "")


def amount(value: object, of: str) -> int | None:
    """Minor units of a decimal number, exactly; nothing for what is negative, absurd, or finer than the currency is."""
    if isinstance(value, bool) or not isinstance(value, int | str | Decimal) or not is_currency(of):
        return None
    if isinstance(value, Decimal) and len(value.as_tuple().digits) > 20:
        # Reckoning would round it.
        return None
    try:
        found = from_wire(value.strip() if isinstance(value, str) else value, of)
    except (ValueError, ArithmeticError):
        return None
    return found if found >= 0 else None


def total(amounts: Iterable[int | None]) -> int | None:
    """The sum where each is known and it is not absurd."""
    found = 0
    for one in amounts:
        if one is None:
            return None
        found += one
    return found if found <= MAX_AMOUNT else None


def times(one: int | None, count: int) -> int | None:
    return total([None if one is None else one * count])


def quantity(value: object) -> int | None:
    """How many; nothing for a part of one, for none and for more than anybody buys."""
    told = text(value, 20)
    if _WHOLE.fullmatch(told) is None:
        return None
    found = int(told.partition(".")[0])
    return found if 0 < found <= MAX_QUANTITY else None


def good(
    name: object, count: object, line_amount: int | None, *, options: tuple[str, ...] = (), note: str = ""
) -> Good | None:
    """A line, unless it has no name or an absurd count."""
    called, many = text(name), quantity(1 if count is None else count)
    if not called or many is None:
        return None
    return Good(name=called, quantity=many, amount=line_amount, options=options, note=note)


def goods(found: Iterable[Good | None]) -> tuple[Good, ...]:
    return tuple(one for one in found if one is not None)
