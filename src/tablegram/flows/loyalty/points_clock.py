"""What time does to points: those that nobody used go by, and their owners are told ahead, once."""

from __future__ import annotations

from tablegram.crm.consent.asking import may_write
from tablegram.crm.contacts import known_phones
from tablegram.crm.merging import find_living
from tablegram.engine.drains import Drain, Work
from tablegram.engine.leases import Leases
from tablegram.events.planning import Statement
from tablegram.flows.loyalty.replies import day_of
from tablegram.flows.loyalty.telling import PointsTelling
from tablegram.flows.loyalty.words import speak
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.loyalty import ledger, programme, stamps
from tablegram.loyalty.store import points as store
from tablegram.restaurant import venues
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.money import written

# Points go by on a day, and not on a second.
LOOK_EVERY_S = 300.0


class PointsClock(Work):
    """Looks from time to time, in one process of the installation."""

    def __init__(self, db: Database, clock: Clock, ordering: Ordering, telling: PointsTelling, leases: Leases) -> None:
        super().__init__()
        self._db = db
        self._clock = clock
        self._ordering = ordering
        self._telling = telling
        self.drain = Drain("points clock", self, leases, retry_s=LOOK_EVERY_S)

    async def step(self) -> float:
        await self.see_to()
        return LOOK_EVERY_S

    async def see_to(self) -> None:
        if not await self.drain.hold():
            return
        now = self._clock.now_ms()
        for account_id, contact_id in await self._db.snapshot(lambda tx: ledger.whom(tx, store.EXPIRED, now)):
            await self._let_go_by(account_id, contact_id, now)
        for account_id, card_id, contact_id in await self._db.snapshot(lambda tx: stamps.expired(tx, now)):
            await self._let_stamps_go_by(account_id, card_id, contact_id, now)
        for account_id, contact_id in await self._db.snapshot(lambda tx: ledger.whom(tx, store.EXPIRING, now)):
            await self._warn(account_id, contact_id, now)

    async def _let_go_by(self, account_id: int, contact_id: str, now: int) -> None:
        await self._telling.refresh(account_id)

        async def work(tx: Tx) -> list[Statement]:
            await self.lease.guard(tx)
            found: list[Statement] = []
            for one in await ledger.let_go_by(tx, account_id, contact_id, now):
                found += await self._telling.moved(tx, one)
            return found

        self._telling.sent(account_id, await self._db.write(work))

    async def _let_stamps_go_by(self, account_id: int, card_id: str, contact_id: str, now: int) -> None:
        async def work(tx: Tx) -> None:
            await self.lease.guard(tx)
            await stamps.let_go_by(tx, account_id, card_id, contact_id, now)

        await self._db.write(work)

    async def _warn(self, account_id: int, contact_id: str, now: int) -> None:
        """Only who agreed to be written to hears of it; all of these points are told of, or left out, from now on."""

        async def work(tx: Tx) -> Venue | None:
            await self.lease.guard(tx)
            rules = await programme.find(tx, account_id)
            soon = await ledger.going_by(tx, account_id, contact_id, now, rules.warn_days)
            contact = await find_living(tx, account_id, contact_id)
            if soon is None or contact is None or await may_write(tx, account_id, contact_id, "marketing") is not None:
                return None
            known = [one for one in await venues.every(tx, account_id) if one.instance_id is not None]
            phone = (await known_phones(tx, [(account_id, contact_id)])).get((account_id, contact_id), "")
            if not known or not phone:
                return None
            venue = next((one for one in known if one.is_default), known[0])
            language = contact["language"] or venue.languages[0]
            member = await ledger.member(tx, account_id, contact_id)
            worth = written(rules.worth(member.balance, venue.currency), venue.currency, language)
            text = speak(language)["expiring"].format(
                venue=venue.name, points=soon[0], day=day_of(soon[1], venue), balance=member.balance, worth=worth
            )
            await self._ordering.telling.say(tx, venue, phone, text, now, by="loyalty")
            return venue

        venue = await self._db.write(work)
        if venue is not None:
            self._ordering.telling.sent(venue)
