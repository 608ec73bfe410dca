"""Which country a place lies in: told by its time zone, since nobody is asked for it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def _countries_of_zones() -> dict[str, str]:
    """By time zone, the two letters of its country, as the time zone database itself lists them."""
    listed = files("tzdata").joinpath("zoneinfo", "zone.tab").read_text("utf-8")
    rows = [line.split("\t") for line in listed.splitlines() if line and not line.startswith("#")]
    return {row[2]: row[0] for row in rows}


def country_at(time_zone: str, locale: str = "") -> str:
    """The country's two letters; for a zone of no country, such as UTC, what the locale says, else nothing."""
    return _countries_of_zones().get(time_zone) or locale.partition("-")[2]
