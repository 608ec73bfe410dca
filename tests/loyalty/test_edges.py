"""The first and the last case of a rule: the moment a card ends, the longest name, the page after the last row."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import select

from tablegram.crm.answers.own_data import ContactConsent
from tablegram.crm.consent.ledger import last_proof
from tablegram.errors import Invalid
from tablegram.loyalty import coupons, ledger, stamps
from tablegram.loyalty.coupons import Coupon, Dish, Occasion
from tablegram.loyalty.gifts import keeping
from tablegram.loyalty.gifts.keeping import MAX_YEARS, Spending
from tablegram.loyalty.gifts.model import Gift
from tablegram.loyalty.giving import Offer
from tablegram.loyalty.ledger import Cause
from tablegram.loyalty.stamps import Card
from tablegram.loyalty.store import gifts as store
from tablegram.storage.database import Query, Tx
from tablegram.storage.tables import loyalty_movements
from tablegram.values.clock import DAY_MS
from tablegram.values.ids import new_id
from tests.databases import Databases
from tests.restaurant.carts.books import Books
from tests.restaurant.kept import NOON

pytestmark = pytest.mark.later

OFFER = Offer(kind="code", name="Free tea", gives="amount", amount=100, currency="TRY")


@pytest.fixture
def books(databases: Databases) -> Iterator[Books]:
    url = databases.migrated()
    opened = Books(url)
    yield opened
    opened.close()
    databases.drop(url)


def gift(**fields: Any) -> Gift:
    given = {"currency": "TRY", "value": 100, "paid_by": "cash", "created_at": NOON, "updated_at": NOON, **fields}
    return Gift(account_id=1, id=new_id(), code=new_id(), venue_id="v", **given)


def coupon(**fields: Any) -> Coupon:
    code = new_id()
    given = {"gives": "amount", "amount": 100, "currency": "TRY", "created_at": NOON, "updated_at": NOON, **fields}
    return Coupon(account_id=1, id=code, code=code, shown_code=code, name="Ten off", **given)


def card(**fields: Any) -> Card:
    given = {"name": "Tea", "needed": 5, "offer": OFFER, "created_at": NOON, "updated_at": NOON, **fields}
    return Card(account_id=1, id=new_id(), **given)


def test_of_several_dishes_the_cheapest_is_free() -> None:
    dishes = (Dish("tea", "drinks", 300, 1), Dish("cola", "drinks", 200, 1), Dish("soup", "starters", 100, 1))
    order = Occasion(venue_id="v", order_type="table", currency="TRY", subtotal=600, open=600, dishes=dishes)
    assert coupons.worth(coupon(gives="item", amount=0, category_id="drinks"), order) == 200


def test_a_gift_card_ends_at_its_moment_and_ten_years_are_the_most() -> None:
    ends = NOON + DAY_MS
    assert gift(balance=1, expires_at=ends).standing(ends - 1) == "active"
    assert gift(balance=1, expires_at=ends).standing(ends) == "expired"
    latest = NOON + MAX_YEARS * 366 * DAY_MS
    keeping.check(gift(expires_at=latest))
    with pytest.raises(Invalid):
        keeping.check(gift(expires_at=latest + 1))
    with pytest.raises(Invalid):
        keeping.check(gift(expires_at=NOON))


def test_a_stamp_cards_name_has_its_length() -> None:
    stamps.check(card(name="n"))
    stamps.check(card(name="n" * coupons.MAX_NAME))
    for name in ("", "n" * (coupons.MAX_NAME + 1)):
        with pytest.raises(Invalid):
            stamps.check(card(name=name))


def test_the_last_word_on_advertising_is_the_proof() -> None:
    first = ContactConsent(
        purpose="marketing", state="granted", source="form", text_version="", proof="form 1", at="2026-01-01"
    )
    then = replace(first, proof="", source="message", at="2026-02-01")
    said = [first, then, replace(first, purpose="orders", proof="x", source="cart", at="2026-03-01")]
    assert last_proof(said) == "message 2026-02-01"
    assert last_proof(said[:1]) == "form 1"
    assert last_proof(said[2:]) == ""


def test_cards_are_listed_by_what_they_are_and_nothing_is_spent_for_nothing(books: Books) -> None:
    assert not books.do(lambda tx: keeping.has_any(tx, 1))
    ends = NOON + DAY_MS
    kinds = {
        "active": [gift(balance=100), gift(balance=100, expires_at=ends + 1)],
        "spent": [gift(spent=100)],
        "expired": [gift(balance=100, expires_at=ends), gift(expired=100, expires_at=ends)],
        "cancelled": [gift(cancelled=100, state="cancelled"), gift(cancelled=60, expired=40, state="cancelled")],
    }

    async def fill(tx: Tx) -> None:
        for one in chain.from_iterable(kinds.values()):
            assert await tx.run(store.INSERT, msgspec.structs.asdict(one))

    books.do(fill)
    assert books.do(lambda tx: keeping.has_any(tx, 1))
    assert not books.do(lambda tx: keeping.has_any(tx, 2))
    for standing, ones in kinds.items():
        query = store.page(1, standing, None, ends, None, 10)
        found = books.do(lambda tx, query=query: tx.all(query, {}))
        assert {row["id"] for row in found} == {one.id for one in ones}, standing
    nothing = Spending(payment_id=new_id(), tab_id="", venue_id="v", amount=0, by="Elif")
    told = books.do(lambda tx: keeping.redeem(tx, kinds["active"][0], nothing, "TRY", NOON))
    assert isinstance(told, Invalid)


def test_pages_of_coupons_follow_each_other(books: Books) -> None:
    made = [coupon(created_at=NOON + number) for number in range(5)]

    async def fill(tx: Tx) -> None:
        for one in made:
            await coupons.make(tx, one)

    books.do(fill)
    seen, cursor = [], None
    for _ in range(3):
        found, cursor = books.do(lambda tx, cursor=cursor: coupons.page(tx, 1, None, cursor, 2))
        seen += found
    assert seen == made[::-1]
    assert cursor is None


def test_nothing_is_left_to_use_of_who_is_forgotten(books: Books) -> None:
    async def earn_and_forget(tx: Tx) -> None:
        await ledger.add(tx, 1, "c1", "adjust", 10, Cause(name="adjust:1", by="Elif"), NOON)
        await ledger.forget(tx, 1, "c1", "nobody", NOON)

    books.do(earn_and_forget)
    m = loyalty_movements.c
    rows = books.do(lambda tx: tx.all(Query(select(loyalty_movements).where(m.account_id == 1).order_by(m.id)), {}))
    assert sorted((row["kind"], row["contact_id"], row["points"], row["unused"]) for row in rows) == [
        ("adjust", "nobody", 10, 0),
        ("expire", "nobody", -10, 0),
    ]
