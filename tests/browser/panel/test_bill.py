"""The bill of a table on a waiter's phone: split by dish and by share, in both languages."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.panel.diners import Diner
from tests.product import wait_until

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def paying(diner: Diner) -> Diner:
    """Guests of the venue may pay online, and prices include VAT."""
    offered = {"pays_online": ["dine_in"], "vat_percent": 10}
    assert diner.desk.product.call("PATCH", f"/restaurant/venues/{diner.venue_id}", offered)[0] == 200
    return diner


@pytest.mark.looks
def test_guests_pay_their_shares_on_their_own_phones(paying: Diner) -> None:
    product, (table_id, label) = paying.desk.product, paying.tables[8]
    order = paying.take(8)
    for action in ("finish", "serve"):
        paying.act(order, action)
    link = product.call("GET", f"/restaurant/venues/{paying.venue_id}/tables/{table_id}")[1]["link"]
    path = f"/restaurant/tabs/{order['tab_id']}"
    for language, share in (("tr", "2"), ("en", "1")):
        context = paying.desk.browser.new_context(
            viewport={"width": 390, "height": 844}, locale=language, has_touch=True
        )
        page = context.new_page()
        page.goto(f"{link}&lang={language}")
        page.locator("[data-call=bill]").click()
        page.locator("[name=method][value=online]").check()
        page.locator("#pay-share").select_option(share)
        # A tip in percent, and one of their own.
        page.locator("#pay-tip").select_option("10" if language == "tr" else "own")
        if language == "en":
            page.get_by_label("Your tip").fill("7,50")
        before = product.call("GET", path)[1]["open"]
        pays = before / int(share)
        pays += round(pays * 0.1, 2) if language == "tr" else 7.5
        # The button names the sum that is charged, and the payment page lists the tip of it.
        button = page.locator("[form=call-form]")
        assert figure(button.inner_text()) == round(pays, 2)
        button.click()
        page.wait_for_url("**/sandbox/pay/**")
        assert figure(page.locator("h1 .sum").inner_text()) == round(pays, 2)
        expect(page.locator("h1 .what")).to_have_text(
            re.compile(rf"· {'Masa' if language == 'tr' else 'Table'} {label}$")
        )
        expect(page.locator(".lines li")).to_contain_text(["Hesap", "Bahşiş"] if language == "tr" else ["Bill", "Tip"])
        page.get_by_role("button", name="Öde" if language == "tr" else "Pay").click()
        wait_until(lambda was=before: product.call("GET", path)[1]["open"] < was, "the money")
        expect(page.get_by_role("link", name="Geri dön" if language == "tr" else "Go back")).to_be_visible()
        context.close()
    bill = product.call("GET", path)[1]
    assert (bill["open"], bill["state"], [one["method"] for one in bill["payments"]]) == (0, "closed", ["online"] * 2)
    first, second = bill["payments"]
    assert (round(first["tip"], 2), second["tip"]) == (round(first["amount"] * 0.1 + 1e-9, 2), 7.5)


def figure(text: str) -> float:
    """An amount as both languages write it: `₺1.250,50`, `₺1,250.50`."""
    whole, _, rest = re.sub(r"[^0-9.,]", "", text).replace(",", ".").rpartition(".")
    return float(
        f"{whole.replace('.', '')}{rest}"
        if len(rest) == 3
        else f"{whole.replace('.', '') or rest}.{rest if whole else 0}"
    )


def ask_to_pay(page: Page) -> None:
    page.locator("[data-call=bill]").click()
    page.locator("[name=method][value=online]").check()


@pytest.mark.looks
def test_who_comes_back_from_paying_reads_what_came_of_it_and_that_all_is_paid(paying: Diner) -> None:
    product, (table_id, label) = paying.desk.product, paying.tables[10]
    order = paying.take(10)
    for action in ("finish", "serve"):
        paying.act(order, action)
    link = product.call("GET", f"/restaurant/venues/{paying.venue_id}/tables/{table_id}")[1]["link"]
    context = paying.desk.browser.new_context(viewport={"width": 390, "height": 844}, locale="tr", has_touch=True)
    first, told = context.new_page(), "#landed p[role=status]"
    first.goto(f"{link}&lang=tr")
    expect(first.locator(told)).to_have_text("")
    ask_to_pay(first)
    first.locator("#pay-share").select_option("2")
    first.locator("#pay-tip").select_option("10")
    first.locator("[form=call-form]").click()
    first.wait_for_url("**/sandbox/pay/**")
    counter, bill = first.url, product.call("GET", f"/restaurant/tabs/{order['tab_id']}")[1]
    (asked,) = bill["payment_links"]
    # Who leaves the payment page has paid nothing, and is told nothing; what they asked for is theirs to ask for again.
    first.get_by_role("link", name="Ödemeden çık").click()
    expect(first.locator("html")).to_have_attribute("data-ready", "yes")
    expect(first.locator(told)).to_have_text("")
    ask_to_pay(first)
    expect(first.locator("form p", has_text="başka biri ödüyor")).to_have_count(0)
    # Meanwhile it is somebody else's for everybody else.
    other = paying.desk.browser.new_context(viewport={"width": 390, "height": 844}, locale="en", has_touch=True)
    second = other.new_page()
    second.goto(f"{link}&lang=en")
    ask_to_pay(second)
    expect(second.locator(".types")).to_contain_text(re.compile("Someone else is paying ₺.* of it right now"))
    theirs = asked["amount"] - asked["tip"]
    assert figure(second.locator("#pay-share option").first.inner_text()) == round(bill["open"] - theirs, 2)
    # The way back proves nothing; the page follows by itself when the money does.
    first.goto(f"{product.url}/api/v1/menu/paid/1/{asked['id']}")
    expect(first.locator(told)).to_contain_text("Bankanın onayını bekliyoruz")
    assert "paid=" not in first.url
    assert "lang=tr" in first.url
    page = context.new_page()
    page.goto(counter)
    page.get_by_role("button", name="Öde").click()
    tab = f"/restaurant/tabs/{order['tab_id']}"
    wait_until(lambda: product.call("GET", tab)[1]["open"] < bill["open"], "the money")
    # A browser forgets to close a page that is on its way to another: this one has arrived.
    expect(page.get_by_role("link", name="Geri dön")).to_be_visible()
    page.close()
    expect(first.locator(told)).to_contain_text("Ödendi: ₺")
    said = first.locator(told).inner_text().split(", bunun ")
    assert [figure(one) for one in said] == [asked["amount"], asked["tip"]]
    # The other half, without a tip.
    second.reload()
    ask_to_pay(second)
    second.locator("[form=call-form]").click()
    second.get_by_role("button", name="Pay").click()
    second.get_by_role("link", name="Go back").click()
    expect(second.locator(told)).to_have_text(re.compile(r"^Paid: ₺[\d.,]+\. Thank you\.$"))
    second.reload()
    expect(second.locator(told)).to_contain_text("Paid: ")
    second.locator("#landed").get_by_role("button", name="Close").click()
    expect(second.locator(told)).to_have_text("")
    second.reload()
    second.locator("[data-call=bill]").click()
    sheet = second.get_by_role("dialog")
    expect(sheet).to_contain_text(f"Everything is paid. Nothing is open at table {label}.")
    expect(sheet.get_by_role("radio")).to_have_count(0)
    expect(sheet).not_to_contain_text("We bring the bill")
    sheet.get_by_role("button", name="Call the waiter").click()
    expect(second.get_by_role("button", name="Call now")).to_be_visible()
    for each in (context, other):
        each.close()


def test_a_bill_is_split_by_dish_and_by_share_on_a_phone(paying: Diner) -> None:
    diner = paying
    orders = [diner.take(9, customer_name=name) for name in ("Ada", "Can")]
    for order in orders:
        for action in ("finish", "serve"):
            diner.act(order, action)
    path = f"/restaurant/tabs/{orders[0]['tab_id']}"

    def open_now() -> float:
        return float(diner.desk.product.call("GET", path)[1]["open"])

    for language, paid in (("tr", "Ödendi"), ("en", "Paid")):
        page = diner.desk.person("owner", "Deniz", language=language, width=390)
        page.goto(f"/panel/bills/{orders[0]['tab_id']}")
        before = open_now()
        # A share by link: its code is shown, and it is taken back.
        page.locator("[name=how][value=share]").check()
        page.locator("[formaction$='/link']").click()
        expect(page.locator(".bill-link")).to_have_count(1)
        page.locator(".bill-link summary").click()
        expect(page.locator(".bill-link .qr-box svg")).to_be_visible()
        page.locator(".bill-link form button").click()
        expect(page.locator(".bill-link")).to_have_count(0)
        page.locator(f"[name=how][value={'dishes' if language == 'tr' else 'share'}]").check()
        if language == "tr":
            page.locator(".bill-dish input[type=checkbox]").first.check()
            expect(page.locator("[data-sum]")).to_be_visible()
        page.locator("[name=method][value=cash]").click()
        expect(page.locator(".bill-payments li")).to_have_count(1 if language == "tr" else 2)
        assert 0 < open_now() < before
        expect(page.locator(".stats")).to_contain_text(paid)
        expect(page.locator(".bill-vat")).to_contain_text("10")
        if language == "en":
            page.locator("[name=how][value=all]").check()
            page.locator("[name=method][value=card]").click()
            expect(page.locator("#take")).to_have_count(0)
            assert open_now() == 0
        page.context.close()


def test_a_page_whose_form_was_refused_goes_on_living(diner: Diner) -> None:
    """Its address only takes forms; what changes on it is asked for where the page is."""
    orders = [diner.take(10, customer_name=name) for name in ("Ada", "Can")]
    path = f"/restaurant/tabs/{orders[0]['tab_id']}"
    page = diner.desk.person("staff", "Elif", width=390)
    page.goto(f"/panel/bills/{orders[0]['tab_id']}")
    page.locator("[name=how][value=guest]").check()
    second = page.locator("[name=guest]").nth(1)
    second.check()
    page.get_by_label("Cash given").fill("1")
    page.locator("[name=method][value=cash]").click()
    expect(page).to_have_url(re.compile("/take$"))
    expect(second).to_be_checked()
    page.wait_for_selector("html[data-live=on]")
    status, answer = diner.desk.product.call("POST", f"{path}/payments", {"method": "card", "amount": 1})
    assert status == 201, answer
    expect(page.locator("[data-part=sums]")).to_contain_text("₺1.00")
    # So does the drawer.
    page.goto("/panel/till")
    page.get_by_role("button", name="Close the count").click()
    expect(page).to_have_url(re.compile("/till/count$"))
    page.wait_for_selector("html[data-live=on]")
    status, answer = diner.desk.product.call("POST", f"{path}/payments", {"method": "cash", "amount": 2})
    assert status == 201, answer
    expect(page.locator("[data-part=moved]")).to_contain_text("₺2.00")
    page.context.close()


@pytest.mark.looks
def test_forms_of_a_bill_follow_what_a_colleague_does(diner: Diner) -> None:
    orders = [diner.take(11, customer_name=name) for name in ("Ada", "Can")]
    path = f"/restaurant/tabs/{orders[0]['tab_id']}"

    def by_colleague(**fields: object) -> str:
        status, answer = diner.desk.product.call("POST", f"{path}/payments", {"method": "card", **fields})
        assert status == 201, answer
        return str(answer["payment"]["id"])

    def money(amount: float) -> str:
        return f"₺{amount:,.2f}"

    def open_now() -> float:
        return float(diner.desk.product.call("GET", path)[1]["open"])

    page = diner.desk.person("owner", "Deniz", width=390)
    page.goto(f"/panel/bills/{orders[0]['tab_id']}")
    page.wait_for_selector("html[data-live=on]")
    notice, now, rows = (
        page.locator("[data-changed]"),
        page.locator(".bill-now").first,
        page.locator(".bill-payments li"),
    )
    cash = page.locator("[name=method][value=cash]")
    # Nobody is at work on the forms: they are those of the new bill, with its payment.
    first = by_colleague(amount=10)
    expect(now).to_have_text(money(open_now()))
    expect(rows).to_have_count(1)
    expect(notice).to_be_hidden()
    # Somebody is: they keep what they typed, are told, and take no sum that is no longer so.
    page.locator("[name=how][value=dishes]").check()
    page.locator(".bill-dish input[type=checkbox]").nth(1).check()
    page.locator(".bill-dish select").first.select_option(index=1)
    page.get_by_label("Tip").fill("5")
    rows.first.locator("summary").click()
    rows.first.get_by_label("Reason").fill("wrong card")
    page.get_by_label("Tip").focus()
    shown = now.text_content()
    second = by_colleague(amount=20)
    expect(notice).to_contain_text(money(open_now()))
    expect(cash).to_be_disabled()
    assert now.text_content() == shown
    expect(rows).to_have_count(2)
    expect(rows.first.get_by_label("Reason")).to_have_value("wrong card")
    notice.get_by_role("button", name="Show the new bill").click()
    expect(notice).to_be_hidden()
    expect(now).to_have_text(money(open_now()))
    expect(page.get_by_label("Tip")).to_have_value("5")
    expect(page.locator(".bill-dish input[type=checkbox]").nth(1)).to_be_checked()
    expect(page.locator(".bill-dish input[type=checkbox]").first).not_to_be_checked()
    expect(page.locator(".bill-dish select").first).not_to_have_value("")
    # Written as everywhere else.
    expect(page.locator("[data-sum]")).to_have_text(re.compile(r"^₺[\d,]+\.\d\d$"))
    before = open_now()
    cash.click()
    expect(rows).to_have_count(3)
    assert 0 < open_now() < before
    # The last money comes, and some of it goes back: the form goes, and is there again.
    page.wait_for_selector("html[data-live=on]")
    by_colleague()
    expect(page.locator("#take")).to_have_count(0)
    for payment in (first, second):
        assert page.locator(f"form[action$='/payments/{payment}/back']").count() == 1
        status, answer = diner.desk.product.call("POST", f"{path}/payments/{payment}/refund", {"reason": "wrong"})
        assert status == 200, answer
        expect(page.locator(f"form[action$='/payments/{payment}/back']")).to_have_count(0)
        expect(now).to_have_text(money(open_now()))
    page.context.close()


@pytest.mark.looks
def test_money_of_a_link_comes_and_goes_back_while_somebody_looks(paying: Diner) -> None:
    order = paying.take(7)
    page = paying.desk.person("owner", "Deniz", width=390)
    page.goto(f"/panel/bills/{order['tab_id']}")
    page.wait_for_selector("html[data-live=on]")
    page.locator("[formaction$='/link']").click()
    page.locator(".bill-link summary").click()
    guest = page.context.new_page()
    guest.goto(page.locator(".bill-link code").text_content() or "")
    guest.get_by_role("button", name="Pay").click()
    rows, form = page.locator(".bill-payments li"), page.locator("#take")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("payment provider")
    expect(form).to_have_count(0)
    rows.locator("summary").click()
    rows.get_by_label("Reason").fill("wrong table")
    rows.get_by_role("button", name="Give back").click()
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("−₺")
    expect(form).to_have_count(1)
    expect(page.locator(".bill-paper form")).to_have_count(0)
    page.context.close()
