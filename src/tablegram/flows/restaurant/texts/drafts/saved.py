"""Addresses that a guest had something brought to before: offered by number to the number that writes, and to no other."""

from __future__ import annotations

from tablegram.delivery.addresses import keeping
from tablegram.delivery.addresses.keeping import Address
from tablegram.delivery.addresses.labels import SAID, read_label
from tablegram.flows.restaurant.texts.said import Said
from tablegram.restaurant.lines import tidy
from tablegram.restaurant.texts.words import speak
from tablegram.storage.database import Tx
from tablegram.values.folding import fold

MAX_OFFERED = 5
_MAX_SHOWN = 80


async def offer(tx: Tx, said: Said, language: str) -> str:
    """The question with what is saved; nothing where nothing is."""
    known = await _known(tx, said)
    if not known:
        return ""
    words = speak(language)
    shown = [words["saved"].format(number=number, label=_name(one)) for number, one in enumerate(known, start=1)]
    return "\n".join([words["ask_saved"], *shown])


async def choose(tx: Tx, said: Said, text: str) -> Address | None:
    """The one that a guest means by its number, or by what it is called."""
    given = fold(text).strip(" .!")
    if len(given) > keeping.MAX_LABEL or not given:
        return None
    known = await _known(tx, said)
    if given.isascii() and given.isdecimal():
        number = int(given[:3])
        return known[number - 1] if 1 <= number <= len(known) else None
    called = read_label(given)
    alike = {given} if called is None else SAID[called]
    return next((one for one in known if one.label and fold(one.label) in alike), None)


async def _known(tx: Tx, said: Said) -> list[Address]:
    return (await keeping.every(tx, said.venue.account_id, said.contact_id))[:MAX_OFFERED]


def _name(one: Address) -> str:
    words = tidy(one.address)[:_MAX_SHOWN]
    if not words:
        latitude, longitude = (0.0, 0.0) if one.point is None else one.point.degrees
        words = f"{latitude:.5f}, {longitude:.5f}"
    return f"{one.label}: {words}" if one.label else words
