"""Points as people and programs manage them: the programme, its members, what moved, and what staff give or take."""

from __future__ import annotations

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.crm import search
from tablegram.crm.contacts import known_phones
from tablegram.crm.merging import living_id
from tablegram.crm.store import contacts as contact_store
from tablegram.crm.terms import parse_query
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, Invalid
from tablegram.events.planning import Statement
from tablegram.flows.loyalty.answers.rewards import (
    AdjustedPoints,
    ExpiringPoints,
    LoyaltyDay,
    LoyaltyFigures,
    LoyaltyMember,
    LoyaltyMemberPage,
    LoyaltyMovementPage,
    LoyaltyProgramme,
    WholeLoyaltyMember,
)
from tablegram.flows.loyalty.desks.desk import LoyaltyDesk
from tablegram.flows.loyalty.fields import ProgrammeFields, RateFields
from tablegram.flows.loyalty.telling import PointsTelling
from tablegram.flows.loyalty.views import collected_view, member_view, movement_view, programme_view, worth_view
from tablegram.flows.wire import picked
from tablegram.loyalty import ledger, listing, programme, stamps
from tablegram.loyalty.ledger import MAX_POINTS, Cause
from tablegram.loyalty.model import Member, Programme, Rate, WarnTemplate
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import DAY_MS, Clock, iso
from tablegram.values.ids import new_id
from tablegram.values.money import CURRENCY_WANTED, from_wire, is_currency

READ, MANAGE = "loyalty:read", "loyalty:manage"
# So many contacts of a search are looked through for members.
MAX_FOUND = 500
MAX_DAYS = 366


class PointsDesk(LoyaltyDesk):
    def __init__(
        self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, telling: PointsTelling
    ) -> None:
        super().__init__(db, idempotency, clock, audit)
        self._telling = telling

    async def programme(self, caller: Caller) -> LoyaltyProgramme:
        caller.require(READ)
        return programme_view(await self._db.snapshot(lambda tx: programme.find(tx, caller.account_id)))

    async def change_programme(self, caller: Caller, fields: ProgrammeFields) -> LoyaltyProgramme:
        """Change what is given and leave the rest."""
        caller.require(MANAGE)
        acting = self._audit.acting(caller)
        changes = picked(fields, "is_on", "expires_months", "warn_days")
        if "rates" in fields:
            changes["rates"] = _rates(fields["rates"])
        if "warn_templates" in fields:
            changes["warn_templates"] = [WarnTemplate(**one) for one in fields["warn_templates"]]

        async def work(tx: Tx) -> Programme:
            old = await programme.find(tx, caller.account_id)
            kept = msgspec.structs.replace(old, **changes, updated_at=self._clock.now_ms())
            await programme.keep(tx, kept)
            await acting.note(tx, "loyalty.programme_changed", "loyalty", "programme")
            return kept

        return programme_view(await self._db.write(work))

    async def members(
        self, caller: Caller, *, q: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> LoyaltyMemberPage:
        """Those with the most points first; with `q`, whoever a search among contacts finds."""
        caller.require(READ)

        async def look(tx: Tx) -> LoyaltyMemberPage:
            ids = await self._found(tx, caller, q) if q and q.strip() else None
            found, following = await listing.members(tx, caller.account_id, ids, cursor, limit)
            rules = await programme.find(tx, caller.account_id)
            return LoyaltyMemberPage(data=await self._views(tx, caller, rules, found), next_cursor=following)

        return await self._db.snapshot(look)

    async def _found(self, tx: Tx, caller: Caller, q: str) -> list[str]:
        caller.require("contacts:read")
        words = parse_query(q)
        if not words:
            return []
        rows = await search.find(tx, search.ContactSearch(caller.account_id, words, None, None, MAX_FOUND))
        return [row["id"] for row in rows]

    async def _views(self, tx: Tx, caller: Caller, rules: Programme, found: list[Member]) -> list[LoyaltyMember]:
        """With names and numbers for who may see contacts."""
        if not caller.has("contacts:read"):
            return [member_view(one, rules) for one in found]
        which = [{"b_account": caller.account_id, "b_id": one.contact_id} for one in found]
        names = {row["id"]: row["name"] for row in await tx.gather(contact_store.GET, which)}
        phones = await known_phones(tx, [(caller.account_id, one.contact_id) for one in found])
        return [
            member_view(
                one, rules, names.get(one.contact_id, ""), phones.get((caller.account_id, one.contact_id), "")
            )
            for one in found
        ]  # fmt: skip

    async def member(self, caller: Caller, contact_id: str) -> WholeLoyaltyMember:
        """What somebody has, and when points of theirs go by next. Who has none yet has 0."""
        caller.require(READ)

        async def look(tx: Tx) -> WholeLoyaltyMember:
            living = await living_id(tx, caller.account_id, contact_id)
            return await self._whole(tx, caller, living)

        return await self._db.snapshot(look)

    async def _whole(self, tx: Tx, caller: Caller, contact_id: str) -> WholeLoyaltyMember:
        rules = await programme.find(tx, caller.account_id)
        one = await ledger.member(tx, caller.account_id, contact_id)
        soon = await ledger.next_to_go(tx, caller.account_id, contact_id)
        (shown,) = await self._views(tx, caller, rules, [one])
        expiring = None if soon is None else ExpiringPoints(points=soon[1], at=iso(soon[0]))
        held = await stamps.collected(tx, caller.account_id, contact_id)
        cards = [collected_view(card, mine.balance) for card, mine in held]
        return WholeLoyaltyMember(**msgspec.structs.asdict(shown), expiring=expiring, cards=cards)

    async def movements(
        self, caller: Caller, contact_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> LoyaltyMovementPage:
        """The newest first."""
        caller.require(READ)

        async def look(tx: Tx) -> LoyaltyMovementPage:
            living = await living_id(tx, caller.account_id, contact_id)
            found, following = await listing.movements(tx, caller.account_id, living, cursor, limit)
            return LoyaltyMovementPage(data=[movement_view(one) for one in found], next_cursor=following)

        return await self._db.snapshot(look)

    async def adjust(
        self, caller: Caller, contact_id: str, points: int, reason: str, call: Call
    ) -> Result[AdjustedPoints]:
        """Somebody of the team gives points, or takes as many as are there, and says why."""
        caller.require(MANAGE)
        why = ledger.reason_of(reason)
        if not 0 < abs(points) <= MAX_POINTS:
            raise Invalid.field("points", "out_of_range", f"Give or take 1 to {MAX_POINTS} points.")
        acting, who = self._audit.acting(caller), caller.key_name or caller.key_id
        planned: list[Statement] = []
        await self._telling.refresh(caller.account_id)

        async def work(tx: Tx) -> Result[AdjustedPoints]:
            planned.clear()
            now = self._clock.now_ms()
            living = await living_id(tx, caller.account_id, contact_id)
            rules = await programme.find(tx, caller.account_id)
            cause = Cause(name=f"adjust:{new_id(now)}", reason=why, by=who)
            who_has = caller.account_id, living
            made = (
                await ledger.add(tx, *who_has, "adjust", points, cause, now, expires_months=rules.expires_months)
                if points > 0
                else await ledger.take(tx, *who_has, "adjust", -points, cause, now, all_or_nothing=True)
            )
            if made is None:
                raise Conflict("This was done already.", code="points_moved")
            planned.extend(await self._telling.moved(tx, made))
            await acting.note(tx, "loyalty.adjusted", "contact", living, {"points": points, "reason": why})
            shown = AdjustedPoints(movement=movement_view(made), member=await self._whole(tx, caller, living))
            return Result(shown, 201)

        answer = await self._idempotency.once_for(AdjustedPoints, caller.account_id, call, work)
        if not answer.replayed:
            self._telling.sent(caller.account_id, planned)
        return answer

    async def figures(self, caller: Caller, days: int = 30) -> LoyaltyFigures:
        """Given, redeemed, expired and taken back by day, and what is outstanding; the last day is the present one."""
        caller.require(READ)
        if not 1 <= days <= MAX_DAYS:
            raise Invalid.field("days", "out_of_range", f"Look at 1 to {MAX_DAYS} days.")
        now = self._clock.now_ms()
        since = now - now % DAY_MS - (days - 1) * DAY_MS

        async def look(tx: Tx) -> LoyaltyFigures:
            rules = await programme.find(tx, caller.account_id)
            found = await listing.figures(tx, caller.account_id, since, days)
            sums = {
                name: sum(getattr(day, name) for day in found.days)
                for name in ("given", "redeemed", "expired", "taken")
            }
            return LoyaltyFigures(
                members=found.members,
                outstanding=found.outstanding,
                outstanding_worth=worth_view(rules, found.outstanding),
                **sums,
                days=[
                    LoyaltyDay(day=iso(since + place * DAY_MS)[:10], **msgspec.structs.asdict(day))
                    for place, day in enumerate(found.days)
                ],
            )

        return await self._db.snapshot(look)


def _rates(given: list[RateFields]) -> dict[str, Rate]:
    found: dict[str, Rate] = {}
    for one in given:
        currency = str(one["currency"])
        if not is_currency(currency):
            raise Invalid.field("rates", "currency_invalid", CURRENCY_WANTED)
        try:
            found[currency] = Rate(from_wire(one["per"], currency), from_wire(one.get("worth", 0), currency))
        except ValueError:
            raise Invalid.field(
                "rates", "amount_invalid", "Amounts have at most as many decimals as the currency."
            ) from None
    return found
