"""What guests are told about where an order goes: what it costs, what is missing, and what would be possible instead."""

from __future__ import annotations

from tablegram.flows.delivery.terms import Looked
from tablegram.restaurant.destinations import Destination
from tablegram.restaurant.venues import Venue
from tablegram.values.figures.writing import number
from tablegram.values.money import written


def outside_words(words: dict[str, str], venue: Venue, looked: Looked, language: str) -> list[str]:
    """That it is too far, and everything that would be possible."""
    if looked.nearest and looked.beyond_m is not None:
        far = distance_words(looked.beyond_m, language)
        told = [words["outside_near"].format(distance=far, zone=looked.nearest)]
    else:
        told = [words["outside"]]
    if looked.other_venue:
        told.append(words["outside_other"].format(venue=looked.other_venue))
    if "takeaway" in venue.order_types:
        told.append(words["outside_pickup"])
    return told


def minimum_words(words: dict[str, str], venue: Venue, where: Destination, subtotal: int, language: str) -> str:
    """What is missing to what is brought there at least."""
    amounts = {"minimum": where.minimum, "missing": where.missing(subtotal)}
    facts = {name: written(amount, venue.currency, language) for name, amount in amounts.items()}
    return words["below_minimum"].format(zone=where.zone, **facts)


def distance_words(metres: int, language: str) -> str:
    """As one says it: 350 m, 1.4 km."""
    return f"{max(metres, 1)} m" if metres < 1_000 else f"{number(language, metres / 1_000, 1)} km"


def refusal_words(words: dict[str, str], venue: Venue, looked: Looked, subtotal: int, language: str) -> str:
    """Why it is not brought there, and what would help; nothing where it is."""
    where = looked.destination
    if where.standing == "outside":
        return "\n".join([*outside_words(words, venue, looked, language), words["outside_again"]])
    return minimum_words(words, venue, where, subtotal, language) if where.missing(subtotal) else ""
