"""A venue with what was given of it: each field checked and put where the venue keeps it."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

import msgspec

from tablegram.errors import Invalid
from tablegram.flows.delivery.points import read_point
from tablegram.flows.restaurant.desks.menu_wire import hundredths
from tablegram.flows.restaurant.venue_fields import PauseFields, VenueFields
from tablegram.flows.wire import picked
from tablegram.restaurant.hours import Pause, VenueHours
from tablegram.restaurant.menu.model import clean_line, clean_text
from tablegram.restaurant.takings import days
from tablegram.restaurant.venues import Details, Venue, check_calling, check_paying
from tablegram.values.opening_hours import Exceptional, WeekSpan
from tablegram.values.phone import parse_phone

PLAIN = ("instance_id", "currency", "time_zone", "locale", "languages", "order_types", "stations", "is_default",
          "accepts_by_itself", "refuses_unsigned")  # fmt: skip
DETAILS = ("address", "phone", "preparation_min", "answer_within_min", "reads_texts", "skips_read_back", "asks_for_offers",
            "pays_online", "prepaid", "pay_within_min", "payment_provider_id", "day_ends_at", "calls_couriers", "alert_phone",
            "logo_id", "how_to")  # fmt: skip
_MAX_TEXT = 500
_MAX_PREPARATION_MIN = 24 * 60
replace = msgspec.structs.replace


def changed(venue: Venue, fields: VenueFields) -> Venue:
    """The venue with what is given; the rest stays."""
    changes = picked(fields, *PLAIN)
    if "name" in fields:
        changes["name"] = clean_line(fields["name"])
    if "service_charge" in fields:
        # Hundredths of a percent are kept; nobody charges finer ones.
        changes["service_charge"] = int((Decimal(str(fields["service_charge"])) * 100).to_integral_value())
    given = replace(venue, **changes, details=_details(venue.details, fields))
    return replace(given, hours=_hours(venue.hours, given.time_zone, fields))


def _details(old: Details, fields: VenueFields) -> Details:
    changes = picked(fields, *DETAILS)
    if "address" in fields:
        changes["address"] = clean_text(fields["address"])[:_MAX_TEXT]
    if "phone" in fields:
        changes["phone"] = clean_text(fields["phone"])[:_MAX_TEXT]
    if not 0 <= fields.get("preparation_min", 0) <= _MAX_PREPARATION_MIN:
        detail = f"A dish takes 0 to {_MAX_PREPARATION_MIN:,} minutes."
        raise Invalid.field("preparation_min", "out_of_range", detail)
    if not 1 <= fields.get("answer_within_min", 1) <= _MAX_PREPARATION_MIN:
        detail = f"An order waits 1 to {_MAX_PREPARATION_MIN:,} minutes for an answer."
        raise Invalid.field("answer_within_min", "out_of_range", detail)
    changes |= _point(fields)
    if "vat_percent" in fields:
        changes["vat"] = hundredths(fields["vat_percent"])
    after = replace(old, **changes)
    check_paying(after)
    days.check(after)
    check_calling(after)
    if "alert_phone" in fields:
        given = (fields["alert_phone"] or "").strip()
        changes["alert_phone"] = parse_phone(given, "alert_phone") if given else ""
    if "how_to" in fields:
        lines = {language: clean_line(text)[:120] for language, text in fields["how_to"].items()}
        changes["how_to"] = {language: text for language, text in lines.items() if text}
    return replace(old, **changes)


def _point(fields: VenueFields) -> dict[str, Any]:
    """Where the venue is; both figures or none."""
    if "latitude" not in fields and "longitude" not in fields:
        return {}
    point = read_point(fields.get("latitude"), fields.get("longitude"))
    return {
        "latitude": None if point is None else point.latitude,
        "longitude": None if point is None else point.longitude,
    }


def _hours(old: VenueHours, time_zone: str, fields: VenueFields) -> VenueHours:
    changes: dict[str, Any] = {"time_zone": time_zone}
    if "hours" in fields:
        changes["hours"] = msgspec.convert(fields["hours"], list[WeekSpan])
    if "exceptions" in fields:
        changes["exceptions"] = msgspec.convert(fields["exceptions"], list[Exceptional])
    if "pauses" in fields:
        changes["pauses"] = [_pause(one, number) for number, one in enumerate(fields["pauses"])]
    if "last_order_min" in fields:
        changes["last_order_min"] = fields["last_order_min"]
    return replace(old, **changes)


def _pause(given: PauseFields, number: int) -> Pause:
    starts = _moment_ms(given["starts_at"], f"pauses[{number}].starts_at")
    ends = given.get("ends_at")
    until = None if ends is None else _moment_ms(ends, f"pauses[{number}].ends_at")
    return Pause(starts, until, clean_line(given.get("reason") or "")[:_MAX_TEXT])


def _moment_ms(text: str, field: str) -> int:
    try:
        return round(datetime.fromisoformat(text.replace("Z", "+00:00").replace("z", "+00:00")).timestamp() * 1_000)
    except (ValueError, OverflowError):
        detail = "Write the time as RFC 3339 with its offset, for example 2026-03-01T18:30:00+03:00."
        raise Invalid.field(field, "time_invalid", detail) from None
