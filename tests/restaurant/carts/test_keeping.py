from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest

from tablegram.errors import Conflict, Gone, Invalid, NotFound
from tablegram.restaurant.bills import keeping as bills
from tablegram.restaurant.carts import keeping as carts
from tablegram.restaurant.carts import tabs
from tablegram.restaurant.carts.contents import (
    MAX_BYTES,
    MAX_CHOICES,
    MAX_ID,
    MAX_LINES,
    MAX_NOTE,
    MAX_QUANTITY,
    check_menu,
    clean_lines,
)
from tablegram.restaurant.carts.keeping import FRESH_MS, LIVES_MS, Cart, shared_name
from tablegram.restaurant.lines import Choice, DishLine, LineProblem, PricedLine, reckon
from tablegram.restaurant.menu.pricing import MenuPrices
from tablegram.restaurant.store import carts as cart_store
from tablegram.storage.database import Database, Tx
from tests.restaurant.bistro import bistro
from tests.restaurant.kept import NOON, store


async def _open(db: Database, *lines: DishLine, account: int = 1, **more: Any) -> tuple[Cart, str]:
    return await db.write(lambda tx: carts.open_cart(tx, account, "v", "dine_in", "en", NOON, lines=lines, **more))


def test_lines_that_are_the_same_for_the_kitchen_become_one() -> None:
    hot, mild = (Choice("hot"), Choice("lavash")), (Choice("lavash"), Choice("hot"))
    lines = clean_lines(
        [DishLine("adana", 1, hot), DishLine("tea"), DishLine("adana", 2, mild), DishLine("adana", 1, hot, " crisp\n ")]
    )
    assert lines == (DishLine("adana", 3, hot), DishLine("tea"), DishLine("adana", 1, hot, "crisp"))


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ([DishLine("tea")] * 1_000, "too_many_lines"),
        ([DishLine("tea")] * (MAX_LINES + 1), "too_many_lines"),
        ([DishLine("tea", 0)], "quantity_invalid"),
        ([DishLine("tea", -3)], "quantity_invalid"),
        ([DishLine("tea", MAX_QUANTITY + 1)], "quantity_invalid"),
        ([DishLine("tea", MAX_QUANTITY), DishLine("tea", 1)], "quantity_invalid"),
        ([DishLine("tea", 1, (Choice("weak", 0),))], "quantity_invalid"),
        ([DishLine("tea", 1, (Choice("weak"),) * 31)], "too_many_options"),
        ([DishLine("tea", 1, (Choice("weak"), Choice("sweet", 0)))], "quantity_invalid"),
        ([DishLine("tea", note="x" * (MAX_NOTE + 1))], "too_long"),
        ([DishLine("x" * (MAX_ID + 1))], "too_long"),
        ([DishLine("tea", 1, (Choice("weak"), Choice("x" * (MAX_ID + 1))))], "too_long"),
    ],
)
def test_limits_are_refused_in_words(lines: list[DishLine], code: str) -> None:
    with pytest.raises(Invalid) as refused:
        clean_lines(lines)
    assert refused.value.code == code
    assert refused.value.detail.endswith(".")


def test_what_just_fits_is_taken() -> None:
    choices = (Choice("x" * MAX_ID, MAX_QUANTITY), *[Choice(f"{number}") for number in range(MAX_CHOICES - 1)])
    line = DishLine("x" * MAX_ID, MAX_QUANTITY, choices, "x" * MAX_NOTE)
    assert clean_lines([line]) == (line,)


def test_a_cart_holds_what_the_menu_has_or_what_it_held_before() -> None:
    menu = bistro()
    known, gone = DishLine("adana", 2, (Choice("half"),)), DishLine("nothing")
    check_menu([known], menu)
    for lines, fields in (
        ([known, gone], ["lines[1].item_id"]),
        ([DishLine("adana", 1, (Choice("half"), Choice("nothing")))], ["lines[0].choices"]),
        ([gone, known, DishLine("")], ["lines[0].item_id", "lines[2].item_id"]),
    ):
        with pytest.raises(Invalid) as refused:
            check_menu(lines, menu)
        assert (refused.value.code, [one.field for one in refused.value.errors]) == ("dish_unknown", fields)
    # It was on the menu when it was chosen: the guest is told, and takes it out.
    check_menu([known, gone], menu, kept=[gone])


async def test_no_cart_is_larger_than_some_kilobytes(database_url: str) -> None:
    async with store(database_url) as db:
        many = tuple(Choice(f"{number:064}") for number in range(30))
        lines = [DishLine(f"{number:064}", 1, many, "ğ" * MAX_NOTE) for number in range(MAX_LINES)]
        with pytest.raises(Invalid) as refused:
            await _open(db, *lines)
        assert refused.value.code == "cart_too_large"
        cart, holder = await _open(db, *lines[:3])
        with pytest.raises(Invalid):
            await db.write(lambda tx: carts.change(tx, 1, cart.code, holder, NOON, lines=lines))
        row = await db.first(cart_store.GET, {"b_account": 1, "b_code": cart.code})
        assert row is not None
        assert len(row["lines"]) < MAX_BYTES


def test_a_cart_is_priced_by_the_menu_and_what_cannot_be_had_is_told_apart() -> None:
    lines = (DishLine("adana", 2, (Choice("half"),), "crisp"), DishLine("nothing"), DishLine("coffee"))
    found = reckon(lines, MenuPrices(bistro(), NOON, "dine_in", "en"))
    assert [(line.name, line.amount, line.note) for line in found.lines] == [("Adana Kebab", 74_000, "crisp")]
    assert found.subtotal == 74_000
    assert [(one.line, one.problems[0].code) for one in found.troubles] == [
        (lines[1], "item_unknown"),
        (lines[2], "too_few_options"),
    ]
    assert found.remaining == (lines[0],)


class Doubled:
    def price(self, line: DishLine) -> PricedLine | tuple[LineProblem, ...]:
        return PricedLine(line.item_id, line.item_id, "", "bar", line.quantity, 200)


def test_a_price_that_changed_meanwhile_is_the_new_one() -> None:
    assert reckon([DishLine("tea", 3)], Doubled()).subtotal == 600


async def test_a_cart_is_found_by_its_code_however_it_is_typed(database_url: str) -> None:
    async with store(database_url) as db:
        cart, _ = await _open(db, DishLine("tea", 2))
        for typed in (
            cart.code,
            cart.code.lower(),
            f"#{cart.code[:4]}-{cart.code[4:]}",
            f" {cart.code[:4]} {cart.code[4:]}",
        ):
            assert await db.snapshot(partial(lambda typed, tx: carts.find(tx, 1, typed), typed)) == cart


async def test_a_typing_error_is_told_from_a_code_nobody_has_and_other_accounts_have_none(database_url: str) -> None:
    async with store(database_url) as db:
        cart, _ = await _open(db, DishLine("tea"))
        with pytest.raises(Invalid) as misspelt:
            await db.snapshot(lambda tx: carts.find(tx, 1, cart.code[:-1]))
        assert misspelt.value.code == "cart_code_misspelt"
        with pytest.raises(NotFound):
            await db.snapshot(lambda tx: carts.find(tx, 2, cart.code))


async def test_only_its_browser_changes_a_cart(database_url: str) -> None:
    async with store(database_url) as db:
        cart, holder = await _open(db, DishLine("tea"))
        changed = await db.write(
            lambda tx: carts.change(tx, 1, cart.code, holder, NOON + 5, lines=[DishLine("coke", 2)])
        )
        assert (changed.lines, changed.revision, changed.expires_at) == ((DishLine("coke", 2),), 2, NOON + 5 + LIVES_MS)
        for account, key in ((1, "wrong"), (1, ""), (2, holder)):
            with pytest.raises(NotFound):
                await db.write(
                    partial(lambda a, k, tx: carts.change(tx, a, cart.code, k, NOON, lines=[]), account, key)
                )
        with pytest.raises(Conflict):
            await db.write(lambda tx: carts.change(tx, 1, cart.code, holder, NOON, lines=[], revision=1))
        assert await db.snapshot(lambda tx: carts.find(tx, 1, cart.code)) == changed


async def test_the_same_change_twice_makes_one_revision(database_url: str) -> None:
    async with store(database_url) as db:
        cart, holder = await _open(db, DishLine("tea"))
        for _ in range(2):
            changed = await db.write(lambda tx: carts.change(tx, 1, cart.code, holder, NOON, notes="Hello"))
        assert (changed.notes, changed.revision) == ("Hello", 2)


async def test_a_cart_whose_tables_code_changed_is_told_of_and_keeps_what_was_chosen(database_url: str) -> None:
    async with store(database_url) as db:
        at_table: dict[str, Any] = {"table_id": "t1", "is_signed": True}
        (mine, holder), (other, _) = [await _open(db, DishLine("tea"), **at_table), await _open(db, DishLine("tea"))]
        assert await db.write(lambda tx: carts.withdraw(tx, 1, "v", "t2")) == 0
        assert await db.write(lambda tx: carts.withdraw(tx, 1, "v", "t1")) == 1
        with pytest.raises(Gone) as refused:
            await db.write(lambda tx: carts.change(tx, 1, mine.code, holder, NOON, notes="x"))
        assert refused.value.code == "table_code_changed"
        kept = await db.snapshot(lambda tx: carts.find(tx, 1, mine.code))
        assert (kept.is_withdrawn, kept.lines) == (True, mine.lines)
        with pytest.raises(Gone):
            carts.check_proof(kept)
        carts.check_proof(await db.snapshot(lambda tx: carts.find(tx, 1, other.code)))
        # A browser is known by its secret, in its own account.
        known = [(1, holder), (2, holder), (1, "nobody's")]
        found = [await db.write(partial(lambda o, tx: carts.is_known(tx, *o), one)) for one in known]
        assert found == [True, False, False]


async def test_where_a_cart_goes_and_what_its_guest_ticked_is_kept(database_url: str) -> None:
    async with store(database_url) as db:
        cart, holder = await _open(db, DishLine("tea"))
        sat = await db.write(
            lambda tx: carts.seat(tx, cart, NOON + 1, order_type="takeaway", table_id=None, tab_id=None)
        )
        assert sat.order_type == "takeaway"
        assert (await db.snapshot(lambda tx: carts.find(tx, 1, cart.code))).order_type == "takeaway"
        for text, at in (("Write to me", NOON + 2), ("", None)):
            ticked = await db.write(
                partial(
                    lambda t, tx: carts.change(tx, 1, cart.code, holder, NOON + 2, offers_text=t, language="tr"), text
                )
            )
            assert (ticked.offers_text, ticked.offers_at, ticked.language) == (text, at, "tr")
        # What nobody names stays.
        plain = await db.write(lambda tx: carts.change(tx, 1, cart.code, holder, NOON + 3, notes="x"))
        assert (plain.language, plain.order_type, plain.lines) == ("tr", "takeaway", cart.lines)


async def test_an_old_cart_expires_and_can_no_longer_be_changed(database_url: str) -> None:
    async with store(database_url) as db:
        cart, holder = await _open(db, DishLine("tea"))
        with pytest.raises(Gone):
            await db.write(lambda tx: carts.change(tx, 1, cart.code, holder, NOON + LIVES_MS, notes="late"))
        assert await db.write(lambda tx: carts.expire_due(tx, NOON + LIVES_MS - 1)) == 0
        assert await db.write(lambda tx: carts.expire_due(tx, NOON + LIVES_MS)) == 1
        old = await db.snapshot(lambda tx: carts.find(tx, 1, cart.code))
        # Left alone, and not withdrawn with its table's code.
        assert (old.state, old.is_withdrawn) == ("expired", False)


async def test_phones_at_one_table_join_one_tab_even_in_the_same_moment(database_url: str) -> None:
    async with store(database_url) as db:

        async def join(table: str = "t1", account: int = 1, at: int = NOON) -> str:
            return await db.write(lambda tx: tabs.join(tx, account, "v", table, at))

        joined = await asyncio.gather(*(join() for _ in range(8)))
        assert len(set(joined)) == 1
        assert await join("t2") != joined[0]
        assert await join(account=2) != joined[0]
        assert await join(at=NOON + tabs.IDLE_MS - 1) == joined[0]
        assert await join(at=NOON + 2 * tabs.IDLE_MS) != joined[0]


async def go(tx: Tx, tab_id: str, now: int) -> None:
    """The guests of a tab who owe nothing leave."""
    await bills.close(tx, await bills.lock(tx, 1, tab_id), "", "Elif", now)


async def test_guests_who_went_leave_nothing_that_can_be_sent(database_url: str) -> None:
    async with store(database_url) as db:
        tab = await db.write(lambda tx: tabs.join(tx, 1, "v", "t1", NOON))
        cart, _ = await _open(db, DishLine("tea"), table_id="t1", tab_id=tab)
        await db.write(lambda tx: go(tx, tab, NOON + 1))
        assert (await db.snapshot(lambda tx: carts.find(tx, 1, cart.code))).state == "expired"
        assert await db.write(lambda tx: tabs.join(tx, 1, "v", "t1", NOON + 3)) != tab


async def test_one_guest_sends_for_all_and_nothing_is_ordered_twice(database_url: str) -> None:
    async with store(database_url) as db:
        tab = await db.write(lambda tx: tabs.join(tx, 1, "v", "t1", NOON))
        at_table: dict[str, Any] = {"table_id": "t1", "tab_id": tab, "is_signed": True}
        first, holder = await _open(db, DishLine("tea"), **at_table, notes="window")
        second, other = await _open(db, DishLine("tea", 2), DishLine("coke"), **at_table, notes="ice")
        strangers = [
            (await _open(db, DishLine("baklava"), **more))[0] for more in ({}, {**at_table, "is_signed": False})
        ]
        both = await asyncio.gather(
            db.write(lambda tx: carts.bring_together(tx, 1, first.code, holder, NOON + 1)),
            db.write(lambda tx: carts.bring_together(tx, 1, second.code, other, NOON + 1)),
        )
        kept = [
            await db.snapshot(partial(lambda code, tx: carts.find(tx, 1, code), code))
            for code in (first.code, second.code)
        ]
        counts = {line.item_id: line.quantity for cart in kept for line in cart.lines}
        assert counts == {"tea": 3, "coke": 1}
        assert sum(len(cart.lines) for cart in kept) == 2
        assert len(both) == 2
        for stranger in strangers:
            cart = await db.snapshot(partial(lambda code, tx: carts.find(tx, 1, code), stranger.code))
            assert cart.lines == (DishLine("baklava"),)


async def test_only_what_was_picked_and_is_fresh_is_taken_along(database_url: str) -> None:
    async with store(database_url) as db:
        tab = await db.write(lambda tx: tabs.join(tx, 1, "v", "t1", NOON))

        async def sit(item: str, at: int, *, is_signed: bool = True) -> tuple[Cart, str]:
            return await db.write(
                lambda tx: carts.open_cart(
                    tx,
                    1,
                    "v",
                    "dine_in",
                    "en",
                    at,
                    table_id="t1",
                    tab_id=tab,
                    lines=[DishLine(item)],
                    is_signed=is_signed,
                )
            )

        late = NOON + FRESH_MS
        await sit("abandoned", NOON)
        (mine, holder), (wanted, _), (other, _) = [await sit(item, late) for item in ("tea", "coke", "baklava")]
        named, key = await sit("named", late, is_signed=False)
        seen = await db.snapshot(lambda tx: carts.shared_at(tx, mine, late + 1))
        assert {cart.code for cart in seen} == {wanted.code, other.code}
        assert all(cart.code not in shared_name(cart) for cart in seen)
        for names in ([], ["nobody"]):
            alone = await db.write(
                partial(lambda n, tx: carts.bring_together(tx, 1, mine.code, holder, late + 1, only=n), names)
            )
            assert alone.lines == (DishLine("tea"),)
        only = [shared_name(wanted)]
        taken = await db.write(lambda tx: carts.bring_together(tx, 1, mine.code, holder, late + 1, only=only))
        assert taken.lines == (DishLine("tea"), DishLine("coke"))
        # Who only says where they sit sees and takes nothing.
        assert await db.snapshot(lambda tx: carts.shared_at(tx, named, late + 1)) == []
        alone = await db.write(lambda tx: carts.bring_together(tx, 1, named.code, key, late + 1))
        assert alone.lines == (DishLine("named"),)
        left = await db.snapshot(lambda tx: carts.find(tx, 1, other.code))
        assert left.lines == (DishLine("baklava"),)
