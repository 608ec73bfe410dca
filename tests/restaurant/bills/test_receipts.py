"""The bill on paper before it is paid, and the receipt after it, on paper and by message."""

from __future__ import annotations

import pytest

from tablegram.engine.idempotency import Call
from tablegram.errors import Problem
from tablegram.flows.printing.fields import ReceiptFields
from tablegram.flows.restaurant.fields import PaymentFields
from tablegram.flows.restaurant.services import RestaurantServices
from tests.crm.pool import PHONE
from tests.printing.kitchen import Kitchen
from tests.restaurant.flows.house import house


async def test_guests_get_their_bill_and_their_receipt_on_paper_and_by_message(database_url: str) -> None:
    async with house(database_url) as one:
        kitchen, services = Kitchen(one), one.product.of(RestaurantServices)
        owner, give = kitchen.owner, kitchen.services.receipts.give
        await services.venue_desk.update(owner, one.venue.id, {"vat_percent": 10})
        await kitchen.take(one.line("Lahmacun", 2), one.line("Künefe"), language="tr")
        tab = str((await one.placed())[-1]["tab_id"])
        refusals: list[tuple[ReceiptFields, str]] = [
            ({"by": "paper"}, "receipt_printer_missing"),
            ({"by": "message"}, "receipt_phone_needed"),
        ]
        for fields, code in refusals:
            with pytest.raises(Problem) as refused:
                await give(owner, tab, fields, Call("receipt"))
            assert refused.value.code == code or refused.value.errors[0].code == code
        desk = await kitchen.printer("Desk", extras=["receipt"])
        bill = await services.bills.get(owner, tab)
        assert (await give(owner, tab, {"by": "paper"}, Call("receipt"))).value.printers == 1
        paper = (await kitchen.contents())[-1]
        assert [line.amount for line in paper.lines] == [round(line.amount * 100) for line in bill.orders[0].items]
        assert paper.totals[-1] == ("Toplam", round(bill.total * 100))
        assert ("%10 KDV dahil", round(bill.vat[0].tax * 100)) in paper.totals
        assert (await kitchen.claim(desk)).ticket_id
        # Paid with a tip and change: the receipt tells all of it, once however often the tap arrives.
        paying: PaymentFields = {"method": "cash", "tip": 5, "given": bill.total + 25}
        await services.bills.take(owner, tab, paying, Call("take"))
        call = Call("receipt", "one-tap", "same")
        for _ in range(2):
            told = await give(owner, tab, {"by": "message", "phone": PHONE}, call)
        assert told.value.phone == PHONE
        said = [text for text in await one.said() if "Ödenen" in text]
        assert len(said) == 1
        for words in ("2 × Lahmacun", "%10 KDV dahil", "Nakit", "Para üstü", "Bahşiş", "Toplam", "Masa 5"):
            assert words in said[0], said[0]
        await give(owner, tab, {"by": "paper", "language": "en"}, Call("receipt"))
        labels = dict((await kitchen.contents())[-1].totals)
        given, change, tip = labels["Cash"], labels["Change"], labels["Tip"]
        assert (given + change - tip, tip, labels["Paid"]) == (labels["Total"], 500, labels["Total"])
