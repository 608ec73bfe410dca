"""Venues: where a restaurant is, when it is open, which line its guests write to, and how it takes orders."""

from __future__ import annotations

import re
from typing import Literal, get_args

import msgspec

from tablegram.errors import Conflict, FieldError, Invalid, NotFound, no_such
from tablegram.restaurant.hours import VenueHours, check_hours
from tablegram.restaurant.menu.model import ORDER_TYPES, OrderType
from tablegram.restaurant.rows.venues import VenueRow
from tablegram.restaurant.store import venues as store
from tablegram.storage.database import Params, Tx
from tablegram.values.coordinates import Point
from tablegram.values.countries import country_at
from tablegram.values.folding import fold
from tablegram.values.money import CURRENCY_WANTED, exponent, is_currency
from tablegram.values.opening_hours import ZONE_WANTED, is_time_zone

MAX_VENUES = 100
MAX_NAME = 120
MAX_LANGUAGES = 10
MAX_STATIONS = 20
# Hundredths of a percent.
MAX_SERVICE_CHARGE = 50_00
# How long a payment link may be open.
MIN_PAY_MIN, MAX_PAY_MIN = 5, 24 * 60

_LOCALE = re.compile(r"[a-z]{2}(-[A-Z]{2})?", re.ASCII)
_LANGUAGE = re.compile(r"[a-z]{2}", re.ASCII)
# It stands on tickets and in the event, where `kitchen` and `bar` are the usual ones.
# Words in any letters, one space between them; no sign that lists of stations are split at.
_STATION = re.compile(r"[^\s,;\x00-\x1f\x7f]+( [^\s,;\x00-\x1f\x7f]+)*")
MAX_STATION_NAME = 40

# From when on couriers at work hear of an order that nobody brings.
CallsCouriers = Literal["never", "accepted", "ready"]

_HOURS = msgspec.json.Decoder(VenueHours)


class Details(msgspec.Struct, frozen=True, omit_defaults=True):
    """What has no column of its own: words for guests and staff."""

    address: str = ""
    phone: str = ""
    # How long a dish takes, for the promise to the guest.
    preparation_min: int = 20
    # An order that nobody accepts or rejects for so long has expired.
    answer_within_min: int = 30
    # Whether what guests write freely is read as an order.
    reads_texts: bool = True
    # Whether a text that is read without any doubt is ordered without being read back.
    skips_read_back: bool = False
    # Whether guests are asked on the menu page if they want offers.
    asks_for_offers: bool = False
    # Which kinds of orders may be paid online, and of those the kinds that guests whom the house does not know yet
    # must pay so.
    pays_online: list[OrderType] = []
    prepaid: list[OrderType] = []
    # How long a payment link is open, and whose it is: a provider of the account, or its default one.
    pay_within_min: int = 30
    payment_provider_id: str = ""
    # The tax that prices usually include, in hundredths of a percent; nothing where no tax is shown.
    vat: int | None = None
    # When its business day ends, by its clock: what is sold and paid before belongs to the day before.
    day_ends_at: str = "06:00"
    # Who is told by message when tickets do not come out of a printer: digits with the country code, or nobody.
    alert_phone: str = ""
    # When couriers at work are told by message of an order that nobody brings yet.
    calls_couriers: CallsCouriers = "ready"
    # Where it is, in millionths of a degree: circles of delivery go around it, and distances are counted from it.
    latitude: int | None = None
    longitude: int | None = None
    logo_id: str | None = None
    # Under the QR, by language; where it is missing the product has words of its own.
    how_to: dict[str, str] = {}


_DETAILS = msgspec.json.Decoder(Details)


class Venue(msgspec.Struct, frozen=True):
    account_id: int
    id: str
    name: str
    currency: str
    time_zone: str
    hours: VenueHours
    # Sealed; see `tables`.
    signing_key: str
    created_at: int
    updated_at: int
    is_default: bool = False
    instance_id: int | None = None
    locale: str = "en"
    # Of the menu; its own is the first.
    languages: list[str] = msgspec.field(default_factory=lambda: ["en"])
    order_types: list[OrderType] = msgspec.field(default_factory=lambda: list(ORDER_TYPES[:1]))
    stations: list[str] = msgspec.field(default_factory=lambda: ["kitchen", "bar"])
    # Hundredths of a percent.
    service_charge: int = 0
    accepts_by_itself: bool = False
    # A table's number in a link is believed only with the signature of its code.
    refuses_unsigned: bool = True
    details: Details = Details()
    menu_version: int = 1

    @property
    def country(self) -> str:
        """Its two letters; nothing where it cannot be told."""
        return country_at(self.time_zone, self.locale)

    @property
    def point(self) -> Point | None:
        details = self.details
        return (
            None
            if details.latitude is None or details.longitude is None
            else Point(details.latitude, details.longitude)
        )


def check_venue(venue: Venue) -> list[FieldError]:
    """What is wrong with a venue; nothing when it may be kept."""
    errors: list[FieldError] = []

    def need(holds: bool, field: str, code: str, detail: str) -> None:
        if not holds:
            errors.append(FieldError(field, code, detail))

    need(0 < len(venue.name) <= MAX_NAME, "name", "name_invalid", f"A name has 1 to {MAX_NAME} characters.")
    need(is_currency(venue.currency), "currency", "currency_unknown", CURRENCY_WANTED)
    need(_LOCALE.fullmatch(venue.locale) is not None, "locale", "locale_invalid", "Write it as tr or tr-TR.")
    languages = venue.languages
    need(
        1 <= len(languages) <= MAX_LANGUAGES
        and len(set(languages)) == len(languages)
        and all(_LANGUAGE.fullmatch(one) is not None for one in languages),
        "languages",
        "language_invalid",
        f"Name 1 to {MAX_LANGUAGES} languages by their two letters, the menu's own first.",
    )
    need(
        bool(venue.order_types)
        and len(set(venue.order_types)) == len(venue.order_types)
        and all(one in ORDER_TYPES for one in venue.order_types),
        "order_types",
        "order_type_unknown",
        f"Offer at least one of {', '.join(ORDER_TYPES)}, each once.",
    )
    need(
        1 <= len(venue.stations) <= MAX_STATIONS
        and len({fold(one) for one in venue.stations}) == len(venue.stations)
        and all(len(one) <= MAX_STATION_NAME and _STATION.fullmatch(one) is not None for one in venue.stations),
        "stations",
        "station_invalid",
        f"Name 1 to {MAX_STATIONS} stations, each once and in at most {MAX_STATION_NAME} characters: kitchen, bar, ızgara.",
    )
    need(
        0 <= venue.service_charge <= MAX_SERVICE_CHARGE,
        "service_charge",
        "out_of_range",
        f"The service charge is 0 to {MAX_SERVICE_CHARGE // 100} percent.",
    )
    if not is_time_zone(venue.time_zone):
        need(False, "time_zone", "time_zone_unknown", ZONE_WANTED)
    else:
        errors += check_hours(venue.hours)
    return errors


def check_paying(details: Details) -> None:
    """Refuses what cannot be kept about paying online."""
    errors: list[FieldError] = []
    for field, among in (("pays_online", list(ORDER_TYPES)), ("prepaid", details.pays_online)):
        kinds: list[OrderType] = getattr(details, field)
        if len(set(kinds)) != len(kinds) or not set(kinds) <= set(ORDER_TYPES):
            errors.append(
                FieldError(field, "order_type_unknown", f"Name kinds among {', '.join(ORDER_TYPES)}, each once.")
            )
        elif not set(kinds) <= set(among):
            errors.append(
                FieldError(
                    field, "not_paid_online", "What must be paid online must be among what can be: `pays_online`."
                )
            )
    if not MIN_PAY_MIN <= details.pay_within_min <= MAX_PAY_MIN:
        detail = f"A payment link is open for {MIN_PAY_MIN} to {MAX_PAY_MIN:,} minutes."
        errors.append(FieldError("pay_within_min", "out_of_range", detail))
    if errors:
        raise Invalid.fields(errors)


def check_calling(details: Details) -> None:
    if details.calls_couriers not in get_args(CallsCouriers):
        detail = "Couriers are told `never`, when an order is `accepted`, or when it is `ready`."
        raise Invalid.field("calls_couriers", "choice_unknown", detail)


async def add(tx: Tx, venue: Venue) -> Venue:
    """Keep a new venue. The account's first one becomes its default."""
    venue = _checked(venue)
    await lock_all(tx, venue.account_id)
    count = await tx.first(store.COUNT, {"b_account": venue.account_id})
    known = 0 if count is None else count["n"]
    if known >= MAX_VENUES:
        raise Conflict(f"An account has at most {MAX_VENUES} venues.", code="venues_full")
    kept = msgspec.structs.replace(venue, is_default=venue.is_default or known == 0)
    if kept.is_default:
        await tx.run(store.NO_DEFAULT, {"b_account": venue.account_id})
    await tx.run(store.INSERT, write(kept))
    return kept


async def update(tx: Tx, venue: Venue, now_ms: int) -> Venue:
    """Keep a changed venue. Making it the default takes that from the other one; it cannot be taken from itself.

    All of it is written: read it with `lock` in the same transaction, or what somebody else has changed is lost.
    """
    venue = _checked(venue)
    old = await lock(tx, venue.account_id, venue.id)
    kept = msgspec.structs.replace(venue, is_default=venue.is_default or old.is_default, updated_at=now_ms)
    await _check_use(tx, old, kept)
    if kept.is_default and not old.is_default:
        await tx.run(store.NO_DEFAULT, {"b_account": venue.account_id})
    await _write_changes(tx, kept, None)
    return kept


async def remove(tx: Tx, account_id: int, venue_id: str, now_ms: int) -> None:
    """Close a venue for good. Its orders stay; another one must be the default before."""
    venue = await lock(tx, account_id, venue_id)
    if venue.is_default and len(await every(tx, account_id)) > 1:
        raise Conflict("This is the default venue. Make another one the default first.", code="venue_is_default")
    await _write_changes(tx, msgspec.structs.replace(venue, is_default=False, updated_at=now_ms), now_ms)


async def find(tx: Tx, account_id: int, venue_id: str) -> Venue:
    row = await tx.first(store.GET, {"b_account": account_id, "b_id": venue_id})
    if row is None:
        raise NotFound(no_such("venue"), code="venue_unknown")
    return read(row)


async def lock(tx: Tx, account_id: int, venue_id: str) -> Venue:
    """The same, and nobody else changes it until this transaction ends: for whoever writes what they have read."""
    row = await tx.first(store.LOCK, {"b_account": account_id, "b_id": venue_id})
    if row is None:
        raise NotFound(no_such("venue"), code="venue_unknown")
    return read(row)


async def lock_all(tx: Tx, account_id: int) -> None:
    """Call it before `lock` where other venues change too: two who do so at once then wait in one line."""
    await tx.all(store.LOCK_ALL, {"b_account": account_id})


async def find_ever(tx: Tx, account_id: int, venue_id: str) -> Venue:
    """The same, also when it was closed for good: its orders stay."""
    row = await tx.first(store.EVER, {"b_account": account_id, "b_id": venue_id})
    if row is None:
        raise NotFound(no_such("venue"), code="venue_unknown")
    return read(row)


async def default(tx: Tx, account_id: int) -> Venue:
    """The venue that is meant where none is named."""
    row = await tx.first(store.DEFAULT, {"b_account": account_id})
    if row is None:
        raise NotFound("The account has no venue yet.", code="venue_unknown")
    return read(row)


async def every(tx: Tx, account_id: int) -> list[Venue]:
    return [read(row) for row in await tx.all(store.ALL, {"b_account": account_id})]


async def of_line(tx: Tx, account_id: int, instance_id: int) -> Venue | None:
    """The venue whose guests write to a line: the default one when several share it."""
    rows = await tx.all(store.BY_LINE, {"b_account": account_id, "b_instance": instance_id})
    found = sorted((read(row) for row in rows), key=lambda venue: not venue.is_default)
    return found[0] if found else None


async def shown_to_guests(tx: Tx, venue_id: str | None) -> Venue | None:
    """The venue of the public page: the named one, else the default one of the account that had one first.

    A link that somebody printed without a venue goes on leading where it led, whoever comes after them.
    """
    named = venue_id is not None
    row = await (tx.first(store.ANYWHERE, {"b_id": venue_id}) if named else tx.first(store.FIRST, {}))
    return None if row is None else read(row)


def read(row: VenueRow) -> Venue:
    return Venue(
        account_id=row["account_id"],
        id=row["id"],
        name=row["name"],
        currency=row["currency"],
        time_zone=row["time_zone"],
        hours=_HOURS.decode(row["hours"]),
        signing_key=row["signing_key"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        is_default=bool(row["is_default"]),
        instance_id=row["instance_id"],
        locale=row["locale"],
        languages=msgspec.json.decode(row["languages"], type=list[str]),
        order_types=msgspec.json.decode(row["order_types"], type=list[OrderType]),
        stations=msgspec.json.decode(row["stations"], type=list[str]),
        service_charge=row["service_charge"],
        accepts_by_itself=bool(row["accepts_by_itself"]),
        refuses_unsigned=bool(row["refuses_unsigned"]),
        details=_DETAILS.decode(row["details"]),
        menu_version=row["menu_version"],
    )


def write(venue: Venue) -> Params:
    """The row of a venue."""
    row = msgspec.structs.asdict(venue)
    for name in ("hours", "languages", "order_types", "stations", "details"):
        row[name] = msgspec.json.encode(row[name]).decode()
    for name in ("is_default", "accepts_by_itself", "refuses_unsigned"):
        row[name] = int(row[name])
    return {**row, "deleted_at": None}


async def _write_changes(tx: Tx, venue: Venue, deleted_at: int | None) -> None:
    row = {**write(venue), "deleted_at": deleted_at}
    which = {"b_account": venue.account_id, "b_id": venue.id}
    await tx.run(store.UPDATE, {**which, **{f"new_{name}": value for name, value in row.items()}})


async def _check_use(tx: Tx, old: Venue, new: Venue) -> None:
    """Nothing is taken away that the menu still stands on."""
    used = {row["station"] for row in await tx.all(store.STATIONS_USED, {"b_account": new.account_id, "b_id": new.id})}
    gone = used - set(new.stations)
    if gone:
        raise Conflict(f"Items are still made at {min(gone)}. Move them to another station first.", code="station_used")
    if used and exponent(old.currency) != exponent(new.currency):
        raise Conflict(
            f"Prices are kept in {old.currency}, which has other coins than {new.currency}. Empty the menu first.",
            code="currency_used",
        )


def _checked(venue: Venue) -> Venue:
    """The venue with its hours in its own time zone, whatever zone they came with."""
    settled = msgspec.structs.replace(venue, hours=msgspec.structs.replace(venue.hours, time_zone=venue.time_zone))
    errors = check_venue(settled)
    if errors:
        raise Invalid.fields(errors)
    return settled
