"""Who a store's event is about: the number that they are reached at, and the language that they read."""

from __future__ import annotations

from typing import Literal

import msgspec

from tablegram.errors import Invalid
from tablegram.stores.ports import Person
from tablegram.values.phone import read_phone_in


class Shop(msgspec.Struct, frozen=True, kw_only=True):
    """The source that an event came from, as far as notices need it."""

    account_id: int
    source_id: str
    # What customers call it.
    name: str
    # Two capital letters, or nothing.
    country: str = ""
    # The line that its notices go by; the account's usual one where it names none.
    instance_id: int | None = None


class Reached(msgspec.Struct, frozen=True, kw_only=True):
    phone: str = ""
    reason: Literal["", "no_phone", "bad_number"] = ""
    language: str = "en"


def reach(person: Person, country: str) -> Reached:
    """The first of the candidates that is a number: read within the person's country, then within the shop's."""
    given = [one.strip() for one in person.phones if one.strip()]
    for text in given:
        for home in dict.fromkeys((person.country, country)):
            try:
                phone = read_phone_in(text[:40], home)
            except Invalid:
                continue
            return Reached(phone=phone, language=_language(person, phone, country))
    return Reached(reason="bad_number" if given else "no_phone", language=_language(person, "", country))


def _language(person: Person, phone: str, country: str) -> str:
    if person.language:
        return person.language.partition("-")[0].lower()
    home = person.country or country
    return "tr" if home == "TR" or (not home and phone.startswith("90")) else "en"


def same_email(text: str) -> str:
    """An address as it is compared."""
    return text.strip().casefold()[:320]
