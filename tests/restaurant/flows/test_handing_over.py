"""Who writes a lot is served on: questions come to an end with a word that people take over, orders and calls much later."""

from __future__ import annotations

import pytest

from tablegram.restaurant.guests import MAX_ANSWERS, MAX_NEEDED
from tests.restaurant.flows.house import House, house

pytestmark = [pytest.mark.once, pytest.mark.later]


async def talk(one: House, text: str, times: int) -> None:
    for _ in range(times):
        await one.write(text)


async def last(one: House) -> str:
    return (await one.said(all_of_it=True))[-1]


async def test_orders_and_calls_are_answered_after_questions_are_not(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await one.write("iki lahmacun masa 4")
        await one.write("evet")
        await talk(one, "lahmacun kaç para", MAX_ANSWERS)
        told = await one.said(all_of_it=True)
        # The last of them says that people take over, once, and people are called.
        assert len(told) == MAX_ANSWERS + 1
        assert "bir arkadaşımız yanıt verecek" in told[-1]
        (call,) = (await one.orders.board(one.staff, one.venue.id)).calls
        assert (call.table_number, call.note) == ("4", "lahmacun kaç para")
        await talk(one, "lahmacun kaç para", 3)
        assert len(await one.said(all_of_it=True)) == MAX_ANSWERS + 1
        for text, says in (
            ("bir çay daha", "1 × Çay"),
            ("evet", "onaylandı"),
            ("hesabı alabilir miyim", "Masa 4"),
            ("garson lütfen", "Masa 4"),
        ):
            await one.write(text)
            assert says.lower() in (await last(one)).lower(), text


async def test_orders_come_to_an_end_too_and_the_guest_hears_so(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await talk(one, "bir lahmacun daha, masa 4", MAX_NEEDED + 10)
        told = await one.said(all_of_it=True)
        assert len(told) == MAX_NEEDED + 1
        assert "bir arkadaşımız okuyup" in told[-1]
        assert "1 × " in told[0]
        assert f"{MAX_NEEDED} × Lahmacun" in told[-2]
