"""The number of whoever an event is about: candidates in their order, read as people of the country write them."""

from __future__ import annotations

import re

from tablegram.errors import Invalid
from tablegram.stores.model import PhoneProblem
from tablegram.stores.ports import ShopCustomer
from tablegram.values.phone import is_assigned, local_phone, parse_phone

MAX_LENGTH = 40
_ABROAD = re.compile(r"\s*(\+|00)")
_DIGIT = re.compile(r"[0-9]")


def find_phone(person: ShopCustomer, shop_country: str) -> tuple[str, PhoneProblem]:
    """The first candidate that is a number, with its country code; else why there is none."""
    written = [one for one in person.phones if _DIGIT.search(one)]
    for one in written:
        for country in (person.country, shop_country):
            found = _read(one[:MAX_LENGTH], country)
            if found:
                return found, ""
    return "", "bad_number" if written else "no_phone"


def _read(text: str, country: str) -> str:
    digits = "".join(_DIGIT.findall(text))
    if _ABROAD.match(text):
        found = local_phone(_ABROAD.sub("+", text, count=1), "ZZ")
        if found:
            return found
        try:
            # Numbers that are newer than the library's list are taken as well.
            return parse_phone(digits.removeprefix("00"))
        except Invalid:
            return ""
    found = local_phone(text, country) if country else ""
    if found:
        return found
    # With its country code but without the plus sign. A short one may be anybody's elsewhere, and is no such number.
    return digits if len(digits) >= 11 and is_assigned(digits) else ""
