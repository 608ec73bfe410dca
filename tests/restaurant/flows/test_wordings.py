"""What a guest is told of hours, of how a change is said and of how they pay fits the venue and the order."""

from __future__ import annotations

import pytest

from tablegram.restaurant.hours import VenueHours
from tablegram.values.opening_hours import DAYS, WeekSpan
from tests.crm.pool import OTHER, PHONE
from tests.restaurant.flows.house import House, house
from tests.restaurant.flows.taps import buttons, tap

pytestmark = [pytest.mark.once, pytest.mark.later]
ALWAYS = VenueHours("Europe/Istanbul", [WeekSpan(day, "00:00", "00:00") for day in DAYS])
# The clock stands on a Friday at eleven.
EVENINGS = VenueHours("Europe/Istanbul", [WeekSpan("friday", "15:00", "23:00"), WeekSpan("monday", "15:00", "23:00")])


async def last(one: House, phone: str = PHONE) -> str:
    return (await one.said(phone, all_of_it=True))[-1]


async def test_a_house_that_never_closes_says_so(database_url: str) -> None:
    async with house(database_url) as one:
        await one.change_venue(hours=ALWAYS)
        for text, says in (
            ("kaça kadar açıksınız?", "Günün her saati açığız."),
            ("pazar günü açık mısınız?", "Pazar günü bütün gün açığız."),
        ):
            await one.write(text)
            assert await last(one) == says
        for text, says in (
            ("when do you close?", "We are open around the clock."),
            ("are you open on sunday?", "On Sunday we are open all day."),
        ):
            await one.write(text, OTHER)
            assert await last(one, OTHER) == says


async def test_when_it_opens_again_is_said_as_people_say_it(database_url: str) -> None:
    async with house(database_url) as one:
        await one.change_venue(hours=EVENINGS)
        await one.write("two lahmacun table 4")
        assert "We open again at 15:00." in await last(one)
        await one.write("are you open?", OTHER)
        assert "We open at 15:00." in await last(one, OTHER)
        one.clock.advance(13 * 3_600)
        await one.write("two lahmacun please, table 4")
        assert "We open again at 15:00 on 18 Jan." in await last(one)
        await one.write("2 lahmacun masa 4", OTHER)
        assert "Yeniden açılış: 18 Oca 15:00." in await last(one, OTHER)


async def test_how_a_change_may_be_said_fits_where_the_order_goes(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await one.change_venue(order_types=["dine_in", "takeaway", "delivery"])
        for order, phone, hint in (
            ("2 lahmacun masa 4", PHONE, "“masa 6”"),
            ("2 lahmacun gel al", OTHER, "“soğansız olsun”"),
            ("2 lahmacun, Moda Caddesi No 12 Daire 3", "905551112255", "“daire 5”"),
        ):
            await one.write(order, phone)
            shown = await buttons(one)
            await tap(one, shown[-1]["id"], f"wamid.change{phone}", phone)
            assert hint in await last(one, phone), order


@pytest.mark.parametrize(
    ("order", "said", "shows", "method"),
    [
        ("2 lahmacun, Moda Caddesi No 12 Daire 3", "kapıda nakit ödeyeceğim", "Ödeme: nakit\n", "cash"),
        (
            "2 lahmacun, Moda Caddesi No 12 Daire 3",
            "kapıda kartla ödeyeceğim",
            "Ödeme: kapıda kart\n",
            "card_on_delivery",
        ),
        ("2 lahmacun delivery please, 12 Moda Street flat 3", "I’ll pay cash please", "Payment: in cash\n", "cash"),
        ("2 lahmacun masa 4", "nakit", "Ödeme: nakit\n", "cash"),
    ],
)
async def test_how_a_guest_pays_is_noted_shown_and_ordered_so(
    database_url: str, order: str, said: str, shows: str, method: str
) -> None:
    async with house(database_url, reads_back=True) as one:
        await one.change_venue(order_types=["dine_in", "takeaway", "delivery"])
        await one.write(order)
        await one.write(said)
        told = await last(one)
        assert shows in told
        assert "Not" not in told.split("*")[0], "it is no note"
        await one.write("evet")
        placed = await one.order()
        assert (placed["payment_method"], placed["notes"]) == (method, "")


async def test_the_last_word_on_paying_counts_and_a_note_stays(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await one.write("2 lahmacun masa 4. Not: çocuk var")
        for text in ("nakit olsun", "kartla ödeyeceğiz"):
            await one.write(text)
        told = await last(one)
        assert "Ödeme: kart\n" in told
        assert "Not: çocuk var\n" in told
        # A question is answered, and settles nothing.
        await one.write("nakit olur mu?")
        await one.write("evet")
        placed = await one.order()
        assert (placed["payment_method"], placed["notes"]) == ("pos_at_table", "çocuk var")
