"""On the menu's page: a message from the phone shows whose points they are, and what is chosen is taken off the order."""

from __future__ import annotations

from typing import Any, Unpack

import pytest
from msgspec import to_builtins
from msgspec.structs import asdict
from sqlalchemy import func, select

from tablegram.errors import Conflict, Invalid, NotFound, Problem, TooMany
from tablegram.flows.contacts.services import ContactServices
from tablegram.flows.loyalty import guest_rewards
from tablegram.flows.loyalty.fields import RewardFields
from tablegram.flows.loyalty.guest_rewards import GuestRewards
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.loyalty import proofs
from tablegram.storage.database import Query
from tablegram.storage.tables import loyalty_proofs
from tests.crm.pool import PHONE
from tests.loyalty.test_coupons import OTHER, coupon, order_of, states
from tests.loyalty.test_points import brought, guest, moved, switch_on
from tests.restaurant.flows.house import House, house

pytestmark = pytest.mark.later


def page(one: House) -> GuestRewards:
    return one.product.of(RestaurantServices).guest_rewards


async def begun(one: House, table: str | None = None, address: str = "10.0.0.1") -> dict[str, Any]:
    return asdict(await page(one).begin(await one.seat(table), "en", address))


async def proved(one: House, phone: str = PHONE) -> dict[str, Any]:
    made = await begun(one)
    await one.write(made["text"], phone)
    return made


async def seen(one: House, made: dict[str, Any]) -> dict[str, Any]:
    shown: dict[str, Any] = to_builtins(await page(one).look(one.venue, made["code"], made["secret"]))
    return shown


async def choose(one: House, made: dict[str, Any], **wish: Unpack[RewardFields]) -> dict[str, Any]:
    shown: dict[str, Any] = to_builtins(await page(one).choose(one.venue, made["code"], made["secret"], wish))
    return shown


async def order_here(one: House, made: dict[str, Any] | None, **fields: Any) -> dict[str, Any]:
    cart = await one.cart(table=None, order_type="takeaway")
    given = {"name": "Ada", "phone": f"+{OTHER}", **fields}
    if made is not None:
        given["proof"] = f"{made['code']}.{made['secret']}"
    placed: dict[str, Any] = await one.guests.order_from_page(one.venue, cart["code"], cart["holder"], given)
    return placed


async def test_a_guest_proves_the_phone_and_uses_a_coupon_and_points(database_url: str) -> None:
    async with house(database_url) as one:
        assert not (await one.guests.standing(one.venue))["rewards"]
        with pytest.raises(NotFound) as nothing:
            await begun(one)
        assert nothing.value.code == "loyalty_off"
        await switch_on(one)
        await brought(one)
        await coupon(one)
        await coupon(one, code="MINE", name="Yours", contact_id=await guest(one))
        assert (await one.guests.standing(one.venue))["rewards"]
        made = await begun(one)
        assert await seen(one, made) == {"known": False}
        with pytest.raises(Conflict) as early:
            await choose(one, made, code="TEN10")
        assert early.value.code == "proof_waits"
        said = len(await one.said())
        await one.write(made["text"])
        (thanks,) = (await one.said())[said:]
        assert thanks.startswith("Thank you!")
        held = (await moved(one))[-1][3]
        found = await seen(one, made)
        assert found == {
            "known": True, "has_points": True, "points": held, "worth": held * 50, "chosen": [], "cards": [],
            "coupons": [{"code": "MINE", "name": "Yours"}],
        }  # fmt: skip
        # The last word of a kind counts, and all of it can be left.
        await choose(one, made, code="mine")
        assert (await choose(one, made, code="ten-10"))["chosen"] == [{"kind": "coupon", "name": "10% off"}]
        assert (await choose(one, made))["chosen"] == []
        await choose(one, made, code="MINE")
        assert len((await choose(one, made, points=0))["chosen"]) == 2
        # It is an order of the phone that wrote, whatever number is typed; nobody has to nod.
        placed = await order_here(one, made)
        order = await order_of(one, placed["order_id"])
        assert (order["customer_phone"], order["contact_id"]) == (PHONE, await guest(one))
        assert [extra["name"] for extra in order["discounts"]] == ["Yours", "Points"]
        assert order["state"] == "sent_to_kitchen"
        assert sorted(state for state in await states(one) if state[1] == "held") == [
            ("coupon", "held"),
            ("points", "held"),
        ]
        after = await seen(one, made)
        assert (after["points"], after["coupons"], after["chosen"]) == (0, [], [])
        # The same by a message from the phone: what was chosen on the page is taken off.
        await choose(one, made, code="TEN10")
        cart = await one.cart(table=None, order_type="takeaway")
        await one.write(cart["text"])
        assert [extra["name"] for extra in (await order_of(one, await last(one)))["discounts"]] == ["10% off"]


async def last(one: House) -> str:
    return str((await one.placed())[-1]["order_id"])


async def test_a_proof_is_of_one_phone_one_page_and_one_visit(database_url: str) -> None:
    async with house(database_url) as one:
        await switch_on(one)
        await brought(one)
        made = await proved(one)
        # Another phone sends what it saw over somebody's shoulder: it learns nothing, and changes nothing.
        await one.write(made["text"], OTHER)
        assert (await one.said(OTHER))[-1].startswith("This has run out")
        assert (await seen(one, made))["points"] > 0
        wrong: list[dict[str, Any]] = [
            {"secret": made["secret"] + "x"},
            {"secret": ""},
            {"secret": "\ud800"},
            {"code": "AAAAAAAA"},
            {"code": "'; drop table"},
        ]
        for change in wrong:
            for work in (seen, choose, order_here):
                with pytest.raises(NotFound) as refused:
                    await work(one, {**made, **change})
                assert refused.value.code == "proof_unknown"
        # One that nobody sent orders nothing in anybody's name.
        with pytest.raises(NotFound):
            await order_here(one, await begun(one))
        assert len(await one.placed()) == 1
        for wish in ({"code": "NONE9"}, {"code": ""}, {"code": "ten10", "points": 5}):
            with pytest.raises(Invalid):
                await choose(one, made, **wish)
        # Who is erased is not known on any page.
        await one.product.of(ContactServices).erasure.erase(one.caller("owner"), await guest(one))
        with pytest.raises(NotFound):
            await seen(one, made)
        again = await begun(one)
        one.clock.advance(proofs.WAITS_MS // 1_000)
        await one.write(again["text"])
        with pytest.raises(NotFound):
            await seen(one, again)
        fresh = await proved(one)
        one.clock.advance(proofs.HOLDS_MS // 1_000)
        with pytest.raises(NotFound):
            await seen(one, fresh)


async def test_strangers_cause_a_few_proofs_and_try_a_few_codes(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guest_rewards, "CHOICES_H", 3)
    async with house(database_url) as one:
        await coupon(one)
        allowances: Any = page(one)._allowances
        monkeypatch.setitem(allowances._per_hour, "proof", 20)
        monkeypatch.setattr(allowances, "_share", 0.25)
        done = [await tried(begun(one)) for _ in range(8)]
        assert done == ["ok"] * 5 + ["guests_limit"] * 3
        # Who scanned the code of a table has an allowance of their own.
        assert await tried(begun(one, "5")) == "ok"
        rows = await one.db.all(
            Query(select(func.count().label("n")).select_from(loyalty_proofs).where(loyalty_proofs.c.account_id == 1))
        )
        assert rows[0]["n"] == 6
        made = await begun(one, "5")
        await one.write(made["text"])
        tries = [await tried(choose(one, made, code=f"GUESS{place}")) for place in range(5)]
        assert tries == ["coupon_unknown"] * 3 + ["guests_limit"] * 2
        with pytest.raises(TooMany):
            await choose(one, made, code="TEN10")


async def tried(work: Any) -> str:
    try:
        await work
    except Problem as refused:
        return refused.errors[0].code if refused.errors else refused.code
    return "ok"


def test_only_a_message_with_a_code_proves() -> None:
    assert proofs.code_in("Hello! Please show my points: PT-ABCD2345") == "ABCD2345"
    for text in ("", "PT-", "pt-abcd2345", "PT-ABCD234", "PT-ABCD23456", "XPT-ABCD2345", "PT-ABCD2345" + "x" * 400):
        assert proofs.code_in(text) is None, text
