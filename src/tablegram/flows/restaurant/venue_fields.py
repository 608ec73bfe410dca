"""What may be given when a venue or its menu is made or changed. What is not named is not there."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from tablegram.flows.wire import DayFields, DayOffFields
from tablegram.restaurant.menu.model import OrderType, Translations
from tablegram.restaurant.venues import CallsCouriers


class PauseFields(TypedDict):
    """Moments in RFC 3339."""

    starts_at: str
    ends_at: NotRequired[str | None]
    reason: NotRequired[str]


class VenueFields(TypedDict, total=False):
    name: str
    currency: str
    time_zone: str
    instance_id: int | None
    locale: str
    languages: list[str]
    order_types: list[OrderType]
    stations: list[str]
    service_charge: float
    vat_percent: float | None
    hours: list[DayFields]
    exceptions: list[DayOffFields]
    pauses: list[PauseFields]
    last_order_min: int
    accepts_by_itself: bool
    refuses_unsigned: bool
    is_default: bool
    address: str
    phone: str
    preparation_min: int
    answer_within_min: int
    reads_texts: bool
    skips_read_back: bool
    asks_for_offers: bool
    pays_online: list[OrderType]
    prepaid: list[OrderType]
    pay_within_min: int
    payment_provider_id: str
    day_ends_at: str
    calls_couriers: CallsCouriers
    alert_phone: str | None
    latitude: float | None
    longitude: float | None
    logo_id: str | None
    how_to: dict[str, str]


class AvailabilityFields(TypedDict, total=False):
    hours: list[DayFields]
    order_types: list[OrderType]
    from_day: str | None
    until_day: str | None


class ThingFields(TypedDict, total=False):
    """What most things of a menu have."""

    name: str
    translations: Translations


class CategoryFields(ThingFields, total=False):
    description: str
    hidden: bool
    image_id: str | None
    availability: AvailabilityFields | None


class ItemFields(CategoryFields, total=False):
    category_id: str
    price: float | str
    code: str
    kitchen_name: str
    allergens: list[str]
    tags: list[str]
    station: str
    vat_percent: float | None
    option_group_ids: list[str]


class OptionFields(ThingFields, total=False):
    """With its id, or else its name, it stays the one that it was."""

    id: str
    kitchen_name: str
    price: float | str
    most: int
    default: bool
    opens: list[str]


class GroupFields(ThingFields, total=False):
    options: list[OptionFields]
    code: str
    required: bool
    least: int
    most: int | None


class PriceFields(TypedDict, total=False):
    """By a percentage, by an amount, or both; then rounded to `step`."""

    percent: float | str
    amount: float | str
    step: float | str | None
    rounding: Literal["nearest", "up", "down"]
    category_ids: list[str]
    item_ids: list[str]
    options: bool
    dry_run: bool
