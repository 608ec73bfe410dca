"""Bodies and answers of the calls about venues, waiters, sections, tables and images."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.delivery.points import VenueLatitude, VenueLongitude
from tablegram.api.schemas.fields import MAX_INTEGER, Phone, line, moment, optional_block, optional_line
from tablegram.api.schemas.restaurant.paying import PaymentProviderId, PaysOnline, PayWithin, Prepaid, Vat
from tablegram.api.schemas.restaurant.venue_habits import (
    AlertPhone,
    AnswerWithin,
    AsksForOffers,
    DayEndsAt,
    ReadsTexts,
    SkipsReadBack,
)
from tablegram.flows.restaurant.answers.venues import CallsCouriers
from tablegram.flows.wire import DayOff, OpenDay
from tablegram.restaurant.menu.model import OrderType
from tablegram.values.money import EXPONENTS

Language = Annotated[str, Meta(pattern="^[a-z]{2}$", description="Two letters, as in ISO 639.", examples=["tr"])]
_ONCE_EACH = {"uniqueItems": True}

_Name = Annotated[str, line(120, "What guests know it by.", "Safran Lokantası")]
_Line = Annotated[int, Meta(ge=1, le=MAX_INTEGER, description="A line of the account.")]
_Currency = Annotated[
    str,
    Meta(
        pattern="^[A-Z]{3}$",
        description="Of all prices: its code in ISO 4217.",
        examples=["TRY"],
        extra_json_schema={"enum": sorted(EXPONENTS)},
    ),
]
_TimeZone = Annotated[str, line(64, "Name of the time zone in the IANA database.", "Europe/Istanbul")]
_Locale = Annotated[
    str,
    Meta(pattern="^[a-z]{2}(-[A-Z]{2})?$", description="How numbers and dates are written.", examples=["tr-TR"]),
]
_Languages = Annotated[
    list[Language],
    Meta(min_length=1, max_length=10, description="Of the menu; its own is the first.", extra_json_schema=_ONCE_EACH),
]
_OrderTypes = Annotated[
    list[OrderType],
    Meta(min_length=1, max_length=3, description="What is on offer.", extra_json_schema=_ONCE_EACH),
]
_Station = Annotated[str, Meta(pattern=r"^[^\s,;]+( [^\s,;]+)*$", max_length=40, examples=["kitchen"])]
_Stations = Annotated[
    list[_Station],
    Meta(min_length=1, max_length=20, description="Where items are made.", extra_json_schema=_ONCE_EACH),
]
_Charge = Annotated[float, Meta(ge=0, le=50, description="Service charge in percent, two decimals.", examples=[10])]
_Hours = Annotated[list[OpenDay], Meta(max_length=70, description="The week; days that are not named are closed.")]
_Exceptions = Annotated[list[DayOff], Meta(max_length=366, description="Days that differ from the week.")]
_LastOrder = Annotated[
    int, Meta(ge=0, le=720, description="So many minutes before it closes the kitchen takes the last order.")
]
_Preparation = Annotated[int, Meta(ge=0, le=1_440, description="Minutes that an order usually takes.")]
_HowTo = Annotated[
    dict[Language, Annotated[str, optional_line(120, "One line.", "Scan, choose, send.")]],
    Meta(
        max_length=10, description="The line under each code, by language; where there is none the product has its own."
    ),
]
_Address = Annotated[str, optional_block(500, "Where it is.", "Moda Caddesi 12, Kadıköy, İstanbul")]
_PhoneText = Annotated[
    str, optional_line(40, "The number that guests may call, as it is written.", "+90 216 555 00 00")
]
_ImageId = Annotated[str, line(64, "An image of the venue.")]
_AcceptsByItself = Annotated[
    bool,
    Meta(
        description="Whether orders go to the kitchen without anybody's nod. Those of visitors who proved neither a table nor a number wait for one in any case."
    ),
]
_RefusesUnsigned = Annotated[
    bool, Meta(description="Whether a table must be opened by its code. true for a new venue unless it says otherwise.")
]


class VenuePause(Struct, kw_only=True, forbid_unknown_fields=True):
    """No orders for a while, whatever the hours say."""

    starts_at: Annotated[str, moment("When it begins.", "2027-01-31T18:30:00+03:00")]
    ends_at: Annotated[
        Annotated[str, moment("When it ends.")] | None,
        Meta(description="When it ends. Null or absent: when somebody takes it away."),
    ] = None
    reason: Annotated[str, optional_line(200, "What guests are told.", "The oven is being repaired")] = ""


_Pauses = Annotated[list[VenuePause], Meta(max_length=100, description="Times without orders.")]


class CreateVenue(Struct, kw_only=True, forbid_unknown_fields=True):
    """A new venue. Without hours it is open day and night."""

    name: _Name
    currency: _Currency
    time_zone: _TimeZone
    instance_id: Annotated[_Line | None, Meta(description="The line that guests write to.")] | UnsetType = UNSET
    locale: _Locale | UnsetType = UNSET
    languages: _Languages | UnsetType = UNSET
    order_types: _OrderTypes | UnsetType = UNSET
    stations: _Stations | UnsetType = UNSET
    service_charge: _Charge | UnsetType = UNSET
    vat_percent: Vat | UnsetType | None = UNSET
    hours: _Hours | UnsetType = UNSET
    exceptions: _Exceptions | UnsetType = UNSET
    pauses: _Pauses | UnsetType = UNSET
    last_order_min: _LastOrder | UnsetType = UNSET
    accepts_by_itself: _AcceptsByItself | UnsetType = UNSET
    refuses_unsigned: _RefusesUnsigned | UnsetType = UNSET
    is_default: Annotated[bool, Meta(description="true: the one that is shown where none is named.")] | UnsetType = (
        UNSET
    )
    address: _Address | UnsetType = UNSET
    phone: _PhoneText | UnsetType = UNSET
    preparation_min: _Preparation | UnsetType = UNSET
    answer_within_min: AnswerWithin | UnsetType = UNSET
    reads_texts: ReadsTexts | UnsetType = UNSET
    skips_read_back: SkipsReadBack | UnsetType = UNSET
    asks_for_offers: AsksForOffers | UnsetType = UNSET
    pays_online: PaysOnline | UnsetType = UNSET
    prepaid: Prepaid | UnsetType = UNSET
    pay_within_min: PayWithin | UnsetType = UNSET
    payment_provider_id: PaymentProviderId | UnsetType = UNSET
    day_ends_at: DayEndsAt | UnsetType = UNSET
    calls_couriers: CallsCouriers | UnsetType = UNSET
    alert_phone: AlertPhone | UnsetType = UNSET
    latitude: VenueLatitude | UnsetType = UNSET
    longitude: VenueLongitude | UnsetType = UNSET
    how_to: _HowTo | UnsetType = UNSET


class UpdateVenue(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are. A list that is given replaces the one that was there."""

    name: _Name | UnsetType = UNSET
    currency: _Currency | UnsetType = UNSET
    time_zone: _TimeZone | UnsetType = UNSET
    instance_id: Annotated[_Line | None, Meta(description="Null: no line; the menu is only shown.")] | UnsetType = UNSET
    locale: _Locale | UnsetType = UNSET
    languages: _Languages | UnsetType = UNSET
    order_types: _OrderTypes | UnsetType = UNSET
    stations: _Stations | UnsetType = UNSET
    service_charge: _Charge | UnsetType = UNSET
    vat_percent: Vat | UnsetType | None = UNSET
    hours: _Hours | UnsetType = UNSET
    exceptions: _Exceptions | UnsetType = UNSET
    pauses: _Pauses | UnsetType = UNSET
    last_order_min: _LastOrder | UnsetType = UNSET
    accepts_by_itself: _AcceptsByItself | UnsetType = UNSET
    refuses_unsigned: _RefusesUnsigned | UnsetType = UNSET
    is_default: (
        Annotated[bool, Meta(description="true takes it from the one that was; false changes nothing.")] | UnsetType
    ) = UNSET
    address: _Address | UnsetType = UNSET
    phone: _PhoneText | UnsetType = UNSET
    preparation_min: _Preparation | UnsetType = UNSET
    answer_within_min: AnswerWithin | UnsetType = UNSET
    reads_texts: ReadsTexts | UnsetType = UNSET
    skips_read_back: SkipsReadBack | UnsetType = UNSET
    asks_for_offers: AsksForOffers | UnsetType = UNSET
    pays_online: PaysOnline | UnsetType = UNSET
    prepaid: Prepaid | UnsetType = UNSET
    pay_within_min: PayWithin | UnsetType = UNSET
    payment_provider_id: PaymentProviderId | UnsetType = UNSET
    day_ends_at: DayEndsAt | UnsetType = UNSET
    calls_couriers: CallsCouriers | UnsetType = UNSET
    alert_phone: AlertPhone | UnsetType = UNSET
    latitude: VenueLatitude | UnsetType = UNSET
    longitude: VenueLongitude | UnsetType = UNSET
    logo_id: Annotated[_ImageId | None, Meta(description="An image of the venue; null: none.")] | UnsetType = UNSET
    how_to: _HowTo | UnsetType = UNSET


_StaffName = Annotated[str, line(60, "A name of up to 60 characters.", "Elif")]
_WaiterPhone = Annotated[Phone | None, Meta(description="Where calls from their tables are sent to; null: nowhere.")]
_WaiterId = Annotated[str, line(64, "A waiter of the venue.")]
_SectionId = Annotated[str, line(64, "A section of the venue.")]


_MemberId = Annotated[str, line(64, "A member of the team.")]
_SignsIn = Annotated[
    _MemberId | None, Meta(description="Who signs in as this waiter: orders that they take are theirs. Null: nobody.")
]


class CreateWaiter(Struct, kw_only=True, forbid_unknown_fields=True):
    """Somebody who serves tables."""

    name: _StaffName
    phone: _WaiterPhone = None
    member_id: _SignsIn = None


class UpdateWaiter(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are."""

    name: _StaffName | UnsetType = UNSET
    phone: _WaiterPhone | UnsetType = UNSET
    member_id: _SignsIn | UnsetType = UNSET


class CreateSection(Struct, kw_only=True, forbid_unknown_fields=True):
    """A part of the room with the waiter who serves it."""

    name: _StaffName
    waiter_id: Annotated[_WaiterId | None, Meta(description="Null: nobody yet.")] = None


class UpdateSection(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are."""

    name: _StaffName | UnsetType = UNSET
    waiter_id: Annotated[_WaiterId | None, Meta(description="Null: nobody.")] | UnsetType = UNSET
    position: Annotated[int, Meta(ge=0, le=10_000, description="Its place among the sections.")] | UnsetType = UNSET


_Label = Annotated[str, line(40, "A number or a name, as it is written on the table; once in a venue.", "12")]
_Seats = Annotated[Annotated[int, Meta(ge=1, le=1_000)] | None, Meta(description="How many people sit there.")]


class CreateTable(Struct, kw_only=True, forbid_unknown_fields=True):
    """A new table, behind the others."""

    label: _Label
    section_id: Annotated[_SectionId | None, Meta(description="The part of the room it is in.")] = None
    waiter_id: Annotated[_WaiterId | None, Meta(description="Serves it whoever serves the section.")] = None
    seats: _Seats = None


class CreateTables(Struct, kw_only=True, forbid_unknown_fields=True):
    """Tables by number. Numbers that are there already are left as they are."""

    first: Annotated[int, Meta(ge=1, le=9_999, description="The first number.", examples=[1])]
    last: Annotated[
        int, Meta(ge=1, le=9_999, description="The last number; at most 200 tables at once.", examples=[12])
    ]
    section_id: Annotated[_SectionId | None, Meta(description="The part of the room they are in.")] = None


class UpdateTable(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are. A code that is printed stays valid while the label stays."""

    label: _Label | UnsetType = UNSET
    section_id: Annotated[_SectionId | None, Meta(description="Null: in none.")] | UnsetType = UNSET
    waiter_id: Annotated[_WaiterId | None, Meta(description="Null: the section's.")] | UnsetType = UNSET
    seats: _Seats | UnsetType = UNSET
    position: Annotated[int, Meta(ge=0, le=10_000, description="Its place among the tables.")] | UnsetType = UNSET
