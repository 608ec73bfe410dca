"""A panel with a venue in it."""

from __future__ import annotations

from tests.panel.visiting import Person

FIRST = {
    "name": "Çınaraltı",
    "language": "tr",
    "currency": "TRY",
    "time_zone": "Europe/Istanbul",
    "opens": "00:00",
    "closes": "00:00",
}


async def set_up(person: Person, **fields: str) -> str:
    """A new venue; answers its id."""
    made = await person.post("/panel/venue", {**FIRST, **fields})
    assert made.status == 303, made.words
    return made.location.partition("venue=")[2]
