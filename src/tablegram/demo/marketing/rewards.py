"""Guests of the demo have points; two coupons, a stamp card, a gift card and two segments are there to be looked at."""

from __future__ import annotations

import msgspec

from tablegram.campaigns.segments import keeping
from tablegram.campaigns.segments.store import saved as segment_store
from tablegram.demo import store
from tablegram.demo.stage import Stage
from tablegram.loyalty import coupons, ledger, programme, stamps
from tablegram.loyalty.coupons import Coupon
from tablegram.loyalty.gifts import keeping as gifts
from tablegram.loyalty.gifts.model import Gift
from tablegram.loyalty.giving import Offer
from tablegram.loyalty.ledger import Cause
from tablegram.loyalty.model import Programme, Rate
from tablegram.loyalty.stamps import Card
from tablegram.restaurant import venues
from tablegram.storage.database import Tx
from tablegram.values.clock import DAY_MS
from tablegram.values.ids import new_id

# How many days ago each of them got how many points.
_CAME = ((12, 60), (9, 35), (5, 80), (2, 40))
_SEGMENTS = {
    "Müdavimler": {"rule": "orders", "at_least": 4, "within_days": 90},
    "Uzun süredir gelmeyenler": {
        "all": [{"rule": "last_order", "not_within_days": 30}, {"rule": "orders", "at_least": 3}]
    },
}


async def fill(stage: Stage) -> None:
    account_id, now = stage.account_id, stage.clock.now_ms()

    async def work(tx: Tx) -> None:
        if not stage.filled or (await programme.find(tx, account_id)).updated_at:
            return
        rates = {"TRY": Rate(per=10_00, worth=50)}
        await programme.keep(tx, Programme(account_id=account_id, is_on=True, rates=rates, updated_at=now))
        guests = await tx.all(store.GUESTS, {"account_id": account_id})
        for place, guest in enumerate(guests):
            for days, points in _CAME[place % 3 :]:
                cause = Cause(name=f"demo:{guest['id']}:{days}", reason="Deftere yazılan puanlar", by="demo")
                await ledger.add(tx, account_id, guest["id"], "adjust", points, cause, now - days * DAY_MS)
        for code, name, percent in (("HOSGELDIN", "Hoş geldiniz", 1_000), ("OZLEDIK", "Sizi özledik", 1_500)):
            await coupons.make(
                tx,
                Coupon(
                    account_id=account_id, id=new_id(now), code=coupons.fold_code(code), shown_code=code, name=name,
                    kind="welcome" if percent == 1_000 else "win_back", gives="percent", percent=percent, by="demo",
                    created_at=now, updated_at=now,
                ),
            )  # fmt: skip
        reward = Offer(kind="stamps", name="Bizden bir indirim", gives="percent", percent=2_000, days=60)
        card = Card(
            account_id=account_id, id=new_id(now), name="Müdavim kartı", needed=10, offer=reward, expires_months=12,
            created_at=now, updated_at=now,
        )  # fmt: skip
        await stamps.add_card(tx, card)
        venue = await venues.default(tx, account_id)
        gift = Gift(
            account_id=account_id, id=new_id(now), code="", venue_id=venue.id, currency=venue.currency, value=750_00,
            paid_by="card", contact_id=guests[0]["id"] if guests else None, from_name="Zeynep",
            greeting="Doğum günün kutlu olsun!", language="tr", expires_at=now + 365 * DAY_MS, by="demo",
            sent_at=now - 3 * DAY_MS, created_at=now - 3 * DAY_MS, updated_at=now - 3 * DAY_MS,
        )  # fmt: skip
        await gifts.issue(tx, gift)
        for name, rules in _SEGMENTS.items():
            row = {
                "account_id": account_id,
                "id": new_id(now),
                "name": name,
                "name_key": keeping.name_key(name),
                "updated_by": "demo",
            }
            row |= {"rules": msgspec.json.encode(rules).decode(), "created_at": now, "updated_at": now}
            await tx.run(segment_store.INSERT, row)

    await stage.db.write(work)
