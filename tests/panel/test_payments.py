"""Payments in the panel: providers connected, links made, refunded and decided about, and only by whom they may."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from tablegram.flows.payments.services import PaymentServices
from tablegram.payments.ports import ProviderDown, Signal
from tablegram.payments.providers.sandbox import Sandbox
from tablegram.payments.store import signals as signal_store
from tablegram.wiring.areas.paying.payments import PaymentWorks
from tests.panel.visiting import House, Person, house
from tests.payments.test_api import shop

SECRET = "whsec_" + "c2VjcmV0LW9mLW9uZXMtb3duLXByb3ZpZGVyLTE="
OWN = {
    "provider": "generic", "mode": "live", "keys.secret": SECRET, "keys.pay_url": "https://pay.example/{link_id}",
}  # fmt: skip
DINNER = {"amount": "1.250,50", "currency": "TRY", "description": "Masa 12", "expires_in_s": "1800"}


async def connect(person: Person) -> str:
    made = await person.post("/panel/payments/providers", OWN)
    assert made.status == 303, made.words
    return made.location


async def paid(one: House, link_id: str, amount: int) -> None:
    """The provider tells that somebody has paid."""
    works = one.running.api.of(PaymentWorks)
    row = await one.running.api.db.snapshot(lambda tx: works.payments.get(tx, 1, link_id))
    signal = Signal(id=f"s{amount}", kind="paid", link_id=link_id, amount=amount, currency="TRY")
    await one.running.api.db.write(
        lambda tx: works.hearing.hear(tx, 1, row.provider_id, signal, one.running.api.clock.now_ms())
    )


async def test_money_for_a_link_that_nobody_knows_is_shown_until_somebody_has_seen_to_it(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        provider_id = (await connect(owner)).partition("?")[0].rpartition("/")[2]
        told = [
            Signal(id="first", kind="paid", reference="bank 7", amount=125_050, currency="TRY"),
            Signal(id="second", kind="paid"),
        ]
        row = {"account_id": 1, "provider_id": provider_id, "link_id": "", "reference": "", "state": "unknown"}
        row |= {"received_at": one.running.api.clock.now_ms(), "settled_by": "", "settled_at": None}
        for signal in told:
            await one.running.api.db.put(
                (signal_store.INSERT, {**row, "id": signal.id, "signal": msgspec.json.encode(signal).decode()})
            )
        page = await owner.get("/panel/payments/decisions")
        assert "₺1,250.50" in page.words
        # What has no name at the provider goes by that of what was told.
        assert "bank 7" in page.words
        assert "second" in page.words
        for signal in told:
            form = {"provider": provider_id, "signal": signal.id}
            assert (await owner.post("/panel/payments/decisions/settle", form)).status == 303
        assert "Nothing to decide" in (await owner.get("/panel/payments/decisions")).words


async def test_a_provider_is_connected_a_link_is_made_and_money_is_decided_about(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        assert "No payment provider is connected" in (await owner.get("/panel/payments")).words
        assert "Your own provider" in (await owner.get("/panel/payments/providers/new")).words
        wrong = await owner.post("/panel/payments/providers", {**OWN, "keys.secret": "short"})
        assert wrong.status == 422
        assert "keys.secret-error" in wrong.text
        provider = await connect(owner)
        page = await owner.get(provider)
        assert "/hooks/pay/generic/" in page.text
        assert SECRET not in page.text
        assert "https://pay.example/{link_id}" in page.text
        kept = await owner.post(provider, {"keys.secret": "", "keys.pay_url": "https://other.example/{link_id}"})
        assert kept.status == 303
        refused = await owner.post("/panel/payments", {**DINNER, "amount": "-1"})
        assert refused.status == 422
        assert "amount-error" in refused.text
        made = await owner.post("/panel/payments", DINNER)
        assert made.status == 303, made.words
        link_id = made.location.partition("?")[0].rpartition("/")[2]
        page = await owner.get(made.location)
        assert f"https://other.example/{link_id}" in page.text
        assert "₺1,250.50" in page.words
        assert (await owner.post(f"/panel/payments/links/{link_id}/cancel")).status == 303
        await paid(one, link_id, 125_050)
        listed = (await owner.get("/panel/payments?q=Masa&state=paid")).words
        assert "Needs a decision" in listed
        decisions = (await owner.get("/panel/payments/decisions")).words
        assert "Paid after the link had ended" in decisions
        too_much = await owner.post(f"/panel/payments/links/{link_id}/refund", {"amount": "9999"})
        assert too_much.status == 422
        assert "amount-error" in too_much.text
        assert (await owner.post(f"/panel/payments/links/{link_id}/accept")).status == 303
        assert "Nothing to decide" in (await owner.get("/panel/payments/decisions")).words
        table = (await owner.get("/panel/payments/export")).text
        assert "1250.50,TRY,1250.50,TRY" in table
        turkish = await one.person(language="tr")
        for path in ("/panel/payments", "/panel/payments/new", "/panel/payments/decisions", provider):
            assert (await turkish.get(path)).status == 200
        unused = await owner.post(f"{provider}/delete", {"confirm": "wrong"})
        assert unused.status == 422
        assert (await owner.post(f"{provider}/delete", {"confirm": "generic"})).status == 303


async def test_who_takes_money_does_not_change_where_it_goes(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        provider = await connect(await one.person())
        staff, kitchen = await one.person("staff"), await one.person("kitchen")
        page = await staff.get(provider)
        assert page.status == 200
        assert "/hooks/pay/" not in page.text
        for closed in ("/panel/payments/providers/new",):
            assert (await staff.get(closed)).status == 403
        for act in ("", "/check", "/default", "/delete"):
            assert (await staff.post(f"{provider}{act}", {"confirm": "generic"})).status == 403
        assert (await staff.post("/panel/payments", DINNER)).status == 303
        for closed in ("/panel/payments", "/panel/payments/decisions", provider):
            assert (await kitchen.get(closed)).status == 403


async def test_the_button_that_tries_the_sandbox_goes_the_whole_way(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with shop(database_url, tmp_path) as one:
        owner, staff = await House(one.running).person(), await House(one.running).person("staff")
        turkish = await House(one.running).person(language="tr")
        provider = (await owner.post("/panel/payments/providers", {"provider": "sandbox"})).location.partition("?")[0]
        assert "Try a payment" in (await owner.get(provider)).words
        assert (await staff.post(f"{provider}/check")).status == 403
        mark = {"once": "a" * 20}
        tried = await owner.post(f"{provider}/check", mark)
        assert tried.status == 200, tried.words
        assert re.findall(r'data-step="(\w+)" data-done', tried.text) == ["made", "paid", "heard", "returned"]
        assert "The signed notice came in, and the link is paid." in tried.words
        # A page that is sent again is the same test.
        again = await owner.post(f"{provider}/check", mark)
        assert "Payments work" in again.words
        (link,) = (await one.api("GET", "/payment-links"))["data"]
        assert (link["state"], link["mode"], link["description"]) == ("paid", "test", "Test payment")
        assert (link["paid_amount"], link["refunded_amount"], link["subject_kind"]) == (1, 1, "")
        assert link["id"] in tried.text
        assert "Ödemeler çalışıyor" in (await turkish.post(f"{provider}/check")).words

        # Its notices find no way here: the page says how far it came, and nothing is left to decide about.
        one.running.api.of(PaymentServices).trials.wait_s = 0.01
        monkeypatch.setattr(one.works.accesses, "hook_url", lambda kept: f"{one.url}/hooks/pay/sandbox/{'0' * 32}")
        stopped = await owner.post(f"{provider}/check")
        assert re.findall(r'data-step="(\w+)" data-done', stopped.text) == ["made", "paid"]
        assert "no notice came in" in stopped.words
        last = (await one.api("GET", "/payment-links?limit=1"))["data"][0]
        assert (last["state"], last["refunded_amount"], last["attention"]) == ("paid", 1, "")
        assert "Nothing to decide" in (await owner.get("/panel/payments/decisions")).words

        # The sandbox does not answer at all.
        async def down(*_: object) -> None:
            raise ProviderDown("closed")

        monkeypatch.setattr(Sandbox, "check", down)
        assert "provider_down" in (await owner.post(f"{provider}/check")).words
