"""The bill of a table, as a waiter and a manager handle it on their phones."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from tablegram.restaurant import venues
from tablegram.storage.database import Tx
from tablegram.wiring.areas.paying.payments import PaymentWorks
from tests.panel.diner import diner


async def test_a_bill_is_split_let_off_given_back_and_closed(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        orders = [await one.take(customer_name=name) for name in ("Ada", "Can")]
        waiter, owner, cook = [await one.one.person(role) for role in ("staff", "owner", "kitchen")]
        for order in orders:
            for action in ("finish", "serve"):
                assert (await waiter.post(f"/panel/orders/{order['order_id']}/{action}")).status == 303
        path = f"/panel/bills/{orders[0]['tab_id']}"
        assert (await cook.get(path)).status == 403
        assert path in (await waiter.get("/panel/bills")).text
        assert path in (await waiter.get("/panel/tables")).text
        assert path in (await waiter.get("/panel/board")).text
        assert path not in (await cook.get("/panel/tables")).text
        assert (await waiter.get(f"/panel/bills/at/{orders[0]['table_id']}")).location == path
        page = await waiter.get(path)
        assert "Ada" in page.words
        assert "One guest" in page.words
        for forbidden in ("Give a discount", "Close without payment"):
            assert forbidden not in page.words
            assert forbidden in (await owner.get(path)).words
        refused = await waiter.post(f"{path}/discount", {"figure": "10", "kind": "percent", "reason": "late"})
        assert refused.status == 403
        assert (
            await owner.post(f"{path}/discount", {"figure": "10", "kind": "percent", "reason": "late"})
        ).status == 303
        mark = re.findall(r'name="once" value="(\w+)"', page.text)[0]
        share = {"how": "share", "parts": "2", "method": "card", "once": mark}
        for _ in range(2):
            assert (await waiter.post(f"{path}/take", share)).status == 303
        for wrong, words in (
            ({"how": "amount", "amount": "x"}, "Write an amount"), ({"how": "amount", "amount": "99999"}, "more than is open"),
            ({"how": "dishes"}, "Choose what is paid"), ({"given": "0,01"}, "less than what is to be paid"),
            ({"open": "1"}, "has changed meanwhile"), ({"how": "guest", "guest": "ORD-1"}, ""),
        ):  # fmt: skip
            told = await waiter.post(f"{path}/take", {"method": "cash", **wrong})
            assert told.status in (409, 422)
            assert words in told.words
        shown = (await owner.get(path)).text
        (payment,) = set(re.findall(rf"{path}/payments/(\w+)/back", shown))
        assert (await owner.post(f"{path}/payments/{payment}/back", {"reason": "wrong card"})).status == 303
        (discount,) = set(re.findall(rf"{path}/discounts/(\w+)/remove", shown))
        assert (await owner.post(f"{path}/discounts/{discount}/remove")).status == 303
        dish = f"{orders[0]['order_id']}:0:1"
        assert (await waiter.post(f"{path}/take", {"how": "dishes", "dish": dish, "method": "cash"})).status == 303
        assert (await waiter.post(f"{path}/close", {})).status == 409
        gone = await owner.post(f"{path}/close", {"why": "walked_out"})
        assert gone.status == 303
        assert "Walked out" in (await owner.get(path)).words
        assert path in (await owner.get("/panel/bills?state=closed")).text
        assert path not in (await owner.get("/panel/bills")).text
        assert "/panel/bills?venue=" in (await waiter.get(f"/panel/bills/at/{orders[0]['table_id']}")).location
        assert (await waiter.get("/panel/bills/at/x")).status == 404


async def test_a_link_for_a_part_of_the_bill_is_made_shown_and_taken_back(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        product = one.one.running.api
        order = await one.take(customer_name="Ada")
        waiter, cook = await one.one.person("staff"), await one.one.person("kitchen")
        path = f"/panel/bills/{order['tab_id']}"
        assert "Payment link" not in (await waiter.get(path)).words
        assert (await waiter.post(f"{path}/link", {"how": "all"})).status == 409
        # A provider is there; it never answers.
        product.of(PaymentWorks).accesses._sandbox = True

        async def offer(tx: Tx) -> None:
            venue = await venues.lock(tx, 1, one.venue.id)
            details = msgspec.structs.replace(venue.details, pays_online=["dine_in"])
            await venues.update(tx, msgspec.structs.replace(venue, details=details), product.clock.now_ms())

        await product.db.write(offer)
        assert "Payment link" in (await waiter.get(path)).words
        assert (await cook.post(f"{path}/link", {"how": "all"})).status == 403
        made = await waiter.post(f"{path}/link", {"how": "share", "parts": "2", "phone": "0555 111 22 33"})
        assert made.status == 303
        page = await waiter.get(path)
        assert "905551112233" in page.words
        (link,) = set(re.findall(rf"{path}/links/(pay_\w+)/cancel", page.text))
        for wrong, words in (
            ({"how": "all"}, "Take one of them back"),
            ({"how": "amount", "amount": "1", "phone": "12"}, "number"),
        ):
            told = await waiter.post(f"{path}/link", wrong)
            assert told.status in (409, 422)
            assert words in told.words
        assert (await waiter.post(f"{path}/links/{link}/cancel")).status == 303
        assert link not in (await waiter.get(path)).text
        assert (await waiter.post(f"{path}/links/pay_x/cancel")).status == 404


async def test_a_receipt_is_asked_for_by_one_tap_and_says_what_is_missing(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        order = await one.take(customer_name="Ada")
        waiter, cook = await one.one.person("staff"), await one.one.person("kitchen")
        path = f"/panel/bills/{order['tab_id']}"
        assert "Print or send the bill" in (await waiter.get(path)).words
        assert (await cook.post(f"{path}/receipt", {"by": "paper"})).status == 403
        for fields, words in (
            ({"by": "paper"}, "No printer prints receipts"), ({"by": "message"}, "which phone"),
            ({"by": "message", "receipt_phone": "12"}, "number"),
            ({"by": "message", "receipt_phone": "0555 111 22 33"}, "No message can be sent"),
        ):  # fmt: skip
            told = await waiter.post(f"{path}/receipt", fields)
            assert told.status in (409, 422)
            assert words in told.words


async def test_a_refused_payment_keeps_what_was_chosen_and_typed(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        orders = [await one.take(customer_name=name) for name in ("Ada", "Can", "Ece")]
        waiter, owner = await one.one.person("staff"), await one.one.person("owner")
        path = f"/panel/bills/{orders[0]['tab_id']}"

        def chosen(text: str, name: str) -> list[str]:
            return re.findall(rf'name="{name}" value="([^"]*)" checked', text)

        ada, can, ece = (order["order_id"] for order in orders)
        assert chosen((await waiter.get(path)).text, "guest") == [ada]
        wrong = {"method": "cash", "given": "1", "tip": "2,50"}
        told = await waiter.post(f"{path}/take", {"how": "guest", "guest": can, **wrong})
        assert told.status == 422
        assert (chosen(told.text, "how"), chosen(told.text, "guest")) == (["guest"], [can])
        for typed in ('name="given" value="1"', 'name="tip" value="2,50"'):
            assert typed in told.text
        # Two of one dish, and one of another; what was not chosen stays so.
        two = f"{can}:0:2"
        told = await waiter.post(f"{path}/take", {"how": "dishes", "dish": two, **wrong})
        assert re.findall(r'<option value="([^"]+:\d:\d)" selected', told.text) == [two]
        assert chosen(told.text, "dish") == []
        told = await waiter.post(f"{path}/take", {"how": "dishes", "dish": f"{ece}:1:1", **wrong})
        assert (chosen(told.text, "how"), chosen(told.text, "dish")) == (["dishes"], [f"{ece}:1:1"])
        assert not re.findall(r'<option value="([^"]+:\d:\d)" selected', told.text)
        # Somebody else took the money of the guest meanwhile: nobody is chosen instead, and nobody pays for all.
        assert (await owner.post(f"{path}/take", {"how": "guest", "guest": can, "method": "cash"})).status == 303
        told = await waiter.post(f"{path}/take", {"how": "guest", "guest": can, **wrong})
        assert (told.status, chosen(told.text, "how"), chosen(told.text, "guest")) == (409, ["guest"], [])
        told = await waiter.post(f"{path}/take", {"how": "guest", "method": "cash"})
        assert (told.status, "Choose what is paid" in told.words) == (422, True)
        # With one guest left there is no guest to choose; what is asked for then is said.
        assert (await owner.post(f"{path}/take", {"how": "guest", "guest": ece, "method": "cash"})).status == 303
        told = await waiter.post(f"{path}/take", {"how": "guest", "guest": ada, **wrong})
        assert (told.status, chosen(told.text, "how")) == (422, ["all"])
        # The other forms of the page keep theirs too.
        told = await owner.post(
            f"{path}/discount", {"figure": "x", "kind": "amount", "on": f"{ada}:1", "reason": "late"}
        )
        assert f'<option value="{ada}:1" selected' in told.text
        told = await owner.post(f"{path}/close", {"why": "other", "reason": ""})
        assert chosen(told.text, "why") == ["other"]


async def test_what_goes_back_of_a_payment_is_said_before_and_after(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        first, second = [await one.take(customer_name=name) for name in ("Ada", "Can")]
        owner = await one.one.person("owner")
        path, total = f"/panel/bills/{first['tab_id']}", f"₺{first['total_amount']:,.2f}"
        for order, tip in ((first, "50"), (second, "10")):
            paid = {"how": "guest", "guest": order["order_id"], "tip": tip, "method": "cash"}
            assert (await owner.post(f"{path}/take", paid)).status == 303
        whole = f"₺{first['total_amount'] + 50:,.2f}"
        assert f"Give back {whole}" in (await owner.get(path)).words
        # On its own page the order is refunded, without the tip: so much is left of its payment.
        assert (await owner.post(f"/panel/orders/{first['order_id']}/refund", {"reason": "cold"})).status == 303
        page = await owner.get(path)
        for words in (f"{total} given back", "Give back ₺50.00", f"−{total}", f"Given back {total}"):
            assert words in page.words, words
        assert f"Give back {whole}" not in page.words
        (tip_of, rest_of) = dict.fromkeys(re.findall(rf"{path}/payments/(\w+)/back", page.text))
        for payment, toast, words in (
            (tip_of, "₺50.00 is noted as given back", "−₺50.00 tip"),
            (
                rest_of,
                f"₺{second['total_amount'] + 10:,.2f} is noted",
                f"−₺{second['total_amount'] + 10:,.2f} ₺10.00 of it tip",
            ),
        ):
            answer = await owner.post(f"{path}/payments/{payment}/back", {"reason": "wrong"})
            assert answer.status == 303
            cookies = "; ".join((f"tablegram_session={owner.token}", *answer.cookies))
            shown = await owner._ask("GET", path, b"", {"cookie": cookies})
            assert toast in shown.words
            assert words in shown.words
            assert f"{path}/payments/{payment}/back" not in shown.text


async def test_money_that_came_for_one_order_is_listed_with_its_number(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        order, _ = [await one.take(customer_name=name) for name in ("Ada", "Can")]
        owner = await one.one.person("owner")
        for action in ("finish", "serve", "pay"):
            answer = await owner.post(f"/panel/orders/{order['order_id']}/{action}")
            assert answer.status == 303, action
        shown = (await owner.get(f"/panel/bills/{order['tab_id']}")).text
        listed = shown.partition('<ul class="bill-payments">')[2].partition("</ul>")[0]
        assert f'href="/panel/orders/{order["order_id"]}"' in listed
        assert f"₺{order['total_amount']:,.2f}" in listed


async def test_a_discount_that_cannot_be_says_beside_its_figure_what_can(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        order = await one.take(customer_name="Ada")
        owner = await one.one.person("owner")
        for figure, kind, words in (
            ("150", "percent", "above 0 and up to 100"), ("0", "percent", "above 0 and up to 100"),
            ("0", "amount", "above zero"), ("99999", "amount", "At most what is open"),
        ):  # fmt: skip
            fields = {"figure": figure, "kind": kind, "reason": "late"}
            told = await owner.post(f"/panel/bills/{order['tab_id']}/discount", fields)
            beside = told.text.partition('name="figure"')[2].partition("</label>")[0]
            assert (told.status, words in beside) == (422, True), (figure, kind)
