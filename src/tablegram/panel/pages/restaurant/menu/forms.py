"""What people type into the forms of a menu, as the desk takes it; and what is kept, as the forms show it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, cast
from zoneinfo import ZoneInfo

import msgspec

from tablegram.errors import FieldError, Invalid
from tablegram.flows.restaurant.answers.menus import (
    AvailabilityView,
    CategoryView,
    ItemView,
    OptionGroupView,
    TranslationView,
)
from tablegram.flows.restaurant.venue_fields import AvailabilityFields
from tablegram.flows.wire import DayFields
from tablegram.panel.frame.forms import Form
from tablegram.panel.visitor import Visitor
from tablegram.restaurant.menu.model import OrderType, Translations
from tablegram.values.figures.writing import for_field
from tablegram.values.money import Money, exponent, from_wire, from_writing
from tablegram.values.opening_hours import DAYS

_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]", re.ASCII)
# Lines of days and times that a form has room for.
SPAN_ROWS = 6
TEXTS = ("name", "description")
# What a form of the menu is about.
Thing = CategoryView | ItemView | OptionGroupView


def seen_mark(thing: Thing) -> str:
    """Stands in a form, and tells on its way back whether somebody else changed the thing meanwhile.

    Whether it is sold out has buttons of its own, and is no reason to lose what was typed.
    """
    known: dict[str, Any] = msgspec.to_builtins(thing)
    kept = {name: value for name, value in known.items() if not name.startswith("sold_out")}
    if "options" in kept:
        kept["options"] = [
            {name: value for name, value in one.items() if not name.startswith("sold_out")} for one in kept["options"]
        ]
    return hashlib.sha256(msgspec.json.encode(kept, order="deterministic")).hexdigest()[:20]


def amount(form: Form, visitor: Visitor, name: str, currency: str, *, empty: str | None = None) -> str:
    """A price as people write it, as the decimal number that the desk takes."""
    typed = form.text(name)
    if not typed and empty is not None:
        return empty
    try:
        return str(Money(from_writing(typed, currency), currency).decimal)
    except ValueError:
        raise Invalid.field(name, "price_invalid", visitor.t("menu.price_invalid")) from None


def shown_amount(visitor: Visitor, value: float, currency: str) -> str:
    """A price for a field: without the currency, with the visitor's own point."""
    return for_field(visitor.language, Money(from_wire(value, currency), currency).decimal, exponent(currency))


def translations(form: Form, languages: Iterable[str], key: str = "", fields: tuple[str, ...] = TEXTS) -> Translations:
    """Names and descriptions in the menu's other languages."""
    return {language: {field: form.text(f"{field}{key}.{language}") for field in fields} for language in languages}


def texts_of(translations: Mapping[str, TranslationView]) -> Translations:
    """The same as a form shows them; what was not translated is not there."""
    return {
        language: {name: text for name in TEXTS if isinstance(text := getattr(one, name), str)}
        for language, one in translations.items()
    }


def availability(form: Form, visitor: Visitor) -> AvailabilityFields:
    """When and for whom; every line that makes no sense is named."""
    hours: list[DayFields] = []
    errors: list[FieldError] = []
    for row in range(SPAN_ROWS):
        days = [day for day in DAYS if day in form.all(f"days_{row}")]
        opens, closes = form.text(f"opens_{row}"), form.text(f"closes_{row}")
        if not opens and not closes:
            continue
        if not (_TIME.fullmatch(opens) and _TIME.fullmatch(closes)):
            errors.append(FieldError("availability", "time_invalid", visitor.t("problem.time_invalid")))
            continue
        hours += [{"day": day, "opens": opens, "closes": closes} for day in (days or DAYS)]
    if errors:
        raise Invalid.fields(errors[:1])
    return {
        "hours": hours,
        # The desk refuses what is none.
        "order_types": cast("list[OrderType]", form.all("order_types")),
        "from_day": form.text("from_day") or None,
        "until_day": form.text("until_day") or None,
    }


def span_rows(view: AvailabilityView, form: Form | None) -> list[tuple[list[str], str, str]]:
    """Days that share their times as one line, and a line to spare."""
    if form is not None:
        return [
            (form.all(f"days_{row}"), form.text(f"opens_{row}"), form.text(f"closes_{row}"))
            for row in range(SPAN_ROWS)
            if row < 2 or form.text(f"opens_{row}") or form.text(f"closes_{row}")
        ]
    by_time: dict[tuple[str, str], list[str]] = {}
    for span in view.hours:
        by_time.setdefault((span.opens, span.closes), []).append(span.day)
    rows = [(days, opens, closes) for (opens, closes), days in by_time.items()]
    return (rows + [([], "", "")] * max(1, 2 - len(rows)))[:SPAN_ROWS]


def split(text: str) -> list[str]:
    """Words between commas, each once."""
    return [one for one in dict.fromkeys(part.strip() for part in text.split(",")) if one]


def until(form: Form, visitor: Visitor, time_zone: str) -> Any:
    """How long something is sold out: `tomorrow`, `told`, a moment in milliseconds, or nothing for no longer."""
    chosen = form.text("until")
    if chosen in ("tomorrow", "told"):
        return chosen
    if chosen != "time":
        return None
    try:
        typed = datetime.fromisoformat(form.text("until_time"))
    except ValueError:
        raise Invalid.field("until_time", "moment_invalid", visitor.t("menu.moment_invalid")) from None
    return round(typed.replace(tzinfo=ZoneInfo(time_zone)).timestamp()) * 1_000
