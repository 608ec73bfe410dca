"""Who a store's event is about, as notices and carts need it: the number, the language, and the shop that speaks."""

from __future__ import annotations

import msgspec

from tablegram.stores.model import PhoneProblem, ToldEvent
from tablegram.stores.ports import ShopCustomer, StoreEvent


class Shop(msgspec.Struct, frozen=True, kw_only=True):
    """The source that an event came from."""

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
    reason: PhoneProblem = ""
    language: str = "en"


def shop_of(told: ToldEvent) -> Shop:
    source = told.source
    return Shop(
        account_id=source.account_id,
        source_id=source.id,
        name=source.name,
        country=source.country,
        instance_id=source.instance_id,
    )


def reached_by(told: ToldEvent) -> Reached:
    person = told.event.person
    if not person.language and told.order is not None:
        person = msgspec.structs.replace(person, language=told.order.language)
    return Reached(
        phone=told.phone,
        reason=told.phone_problem if not told.phone else "",
        language=language_of(person, told.phone, told.source.country),
    )


def language_of(person: ShopCustomer, phone: str, country: str) -> str:
    """What the person reads, as far as the shop says; else what is spoken where they are."""
    if person.language:
        return person.language.partition("-")[0].lower()
    home = person.country or country
    return "tr" if home == "TR" or (not home and phone.startswith("90")) else "en"


def whole_event(told: ToldEvent) -> StoreEvent:
    """The event with what is known of its order: a parcel's own event names neither the goods nor the person."""
    event, order = told.event, told.order
    at = {"at": event.at or told.at}
    if order is None:
        return msgspec.structs.replace(event, **at)
    person = msgspec.structs.replace(
        event.person, name=event.person.name or order.name, email=event.person.email or order.email
    )
    amount = order.amount if event.amount is None else event.amount
    return msgspec.structs.replace(
        event,
        **at,
        person=person,
        number=event.number or order.number,
        checkout=event.checkout or order.checkout,
        goods=event.goods or order.goods,
        amount=amount,
        currency=event.currency or order.currency,
        url=event.url or order.url,
        tracking=event.tracking or order.tracking,
    )


def same_email(text: str) -> str:
    """An address as it is compared."""
    return text.strip().casefold()[:320]
