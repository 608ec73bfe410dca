"""Pages of the loyalty programme: switched on, members and their points, coupons, and rewards on an order."""

from __future__ import annotations

import re
from pathlib import Path

from tests.panel.diner import diner

PROGRAMME = {
    "is_on": "1", "currency": "TRY", "per_TRY": "10", "worth_TRY": "0,50", "expires_months": "12", "warn_days": "7",
}  # fmt: skip


async def test_a_programme_is_run_from_its_pages(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        owner, waiter, cook = [await one.one.person(role) for role in ("owner", "staff", "kitchen")]
        assert (await cook.get("/panel/loyalty")).status == 403
        assert "No points yet" in (await waiter.get("/panel/loyalty")).words
        assert (await waiter.get("/panel/loyalty/programme")).status == 403
        wrong = await owner.post("/panel/loyalty/programme", {**PROGRAMME, "per_TRY": ""})
        assert wrong.status == 422
        assert "Say what brings a point" in wrong.words
        assert (await owner.post("/panel/loyalty/programme", PROGRAMME)).status == 303
        assert 'value="0.5"' in (await owner.get("/panel/loyalty/programme")).text
        # A template for who has been silent; the network is not there to list any.
        template = "/panel/loyalty/programme/template"
        assert (
            "a guest who has been silent for 24 hours is not told"
            in (await owner.get("/panel/loyalty/programme")).words
        )
        assert (await waiter.get(template)).status == 403
        assert "The templates cannot be fetched" in (await owner.get(template)).words
        soon = {"template": "points_soon/tr", "place-1": "first_name", "place-2": "points"}
        assert (await owner.post(template, {**soon, "template": "Points soon/tr"})).status == 422
        assert (await owner.post(template, soon)).status == 303
        assert "points_soon (tr)" in (await owner.get("/panel/loyalty/programme")).words
        # What else is saved on the page leaves it as it is.
        assert (await owner.post("/panel/loyalty/programme", PROGRAMME)).status == 303
        assert "points_soon (tr)" in (await owner.get("/panel/loyalty/programme")).words
        # One for each language: another stands beside it, and takes the place of its like.
        for name in ("points_first", "points_end"):
            assert (await owner.post(template, {"template": f"{name}/en"})).status == 303
        shown = (await owner.get("/panel/loyalty/programme")).words
        assert [each in shown for each in ("points_soon (tr)", "points_first (en)", "points_end (en)")] == [
            True, False, True,
        ]  # fmt: skip
        assert (await owner.post(f"{template}/remove", {"language": "tr"})).status == 303
        shown = (await owner.get("/panel/loyalty/programme")).words
        assert ("points_soon" in shown, "points_end (en)" in shown) == (False, True)
        # A coupon, and the same code again.
        ten = {"name": "Ten <b>off", "code": "ten10", "gives": "percent", "percent": "10", "per_person": "1"}
        assert (await waiter.post("/panel/loyalty/coupons", ten)).status == 403
        assert (await owner.post("/panel/loyalty/coupons", ten)).status == 303
        again = await owner.post("/panel/loyalty/coupons", ten)
        assert again.status == 409
        assert "There is a coupon with this code already" in again.words
        listed = await waiter.get("/panel/loyalty/coupons")
        assert "TEN10" in listed.words
        assert "<b>off" not in listed.text
        # A stamp card, and one that cannot be.
        tea = {
            "name": "Tea <b>card",
            "counts": "",
            "needed": "5",
            "reward": "Half off",
            "gives": "percent",
            "days": "30",
        }
        assert (await waiter.post("/panel/loyalty/cards", {**tea, "percent": "50"})).status == 403
        assert (await owner.post("/panel/loyalty/cards", {**tea, "percent": "0"})).status == 422
        unfit = await owner.post("/panel/loyalty/cards", {**tea, "gives": "item"})
        assert (unfit.status, "Choose the dish that is free" in unfit.words) == (422, True)
        assert (await owner.post("/panel/loyalty/cards", {**tea, "percent": "50"})).status == 303
        cards = await waiter.get("/panel/loyalty/cards")
        assert "5 stamps" in cards.words
        assert "<b>card" not in cards.text
        kept = re.findall(r"/panel/loyalty/cards/(\w+)", (await owner.get("/panel/loyalty/cards")).text)[0]
        # Points by hand.
        made = await owner.post("/panel/contacts", {"phone": "905551112233", "name": "Ada"})
        contact = re.search(r"/panel/contacts/([0-9a-z]{20,})", made.location or "")
        assert contact is not None
        member = f"/panel/loyalty/members/{contact[1]}"
        assert (await owner.post(f"{member}/adjust", {"points": "200", "reason": "Welcome"})).status == 303
        refused = await owner.post(f"{member}/adjust", {"points": "-300", "reason": "x"})
        assert refused.status == 409
        assert "So many points are not there" in refused.words
        assert "Welcome" in (await waiter.get(member)).words
        assert "0 of 5 stamps" in (await waiter.get(member)).words
        assert (await owner.post(f"/panel/loyalty/cards/{kept}", {"is_active": "0"})).status == 303
        assert "stamps" not in (await waiter.get(member)).words
        assert "200 points" in (await owner.get(f"/panel/contacts/{contact[1]}")).words
        assert "Ada" in (await waiter.get("/panel/loyalty?q=Ada")).words
        assert "Nothing found" in (await waiter.get("/panel/loyalty?q=nobody")).words
        # A waiter uses both on an order, found by the number.
        order = await one.take()
        path = f"/panel/orders/{order['order_id']}"
        assert "Use points" in (await waiter.get(path)).words
        assert "Use points" not in (await cook.get(path)).words
        missing = await waiter.post(f"{path}/redeem", {"code": "nope9", "use": "code", "phone": "905551112233"})
        assert "There is no such code" in missing.words
        for use in ("code", "points"):
            done = await waiter.post(f"{path}/redeem", {"code": "TEN10", "use": use, "phone": "905551112233"})
            assert done.status == 303, done.words
        both = await waiter.get(path)
        marks = re.findall(r'name="redemption" value="(\w+)"', both.text)
        assert len(marks) == 2
        assert (await waiter.post(f"{path}/unredeem", {"redemption": marks[0]})).status == 303
        assert len(re.findall(r'name="redemption" value="(\w+)"', (await waiter.get(path)).text)) == 1
        coupon = re.findall(r"/panel/loyalty/coupons/(\w+)", (await owner.get("/panel/loyalty/coupons")).text)[0]
        assert (await owner.post(f"/panel/loyalty/coupons/{coupon}", {"is_active": "0"})).status == 303
        assert "Over" in (await owner.get("/panel/loyalty/coupons")).words
