"""What came of an automation: who is where, what was sent or not and why, who replied, ordered, and said how it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.automations import keeping
from tablegram.automations.model import Automation, kind_of, read_rating, read_run
from tablegram.automations.store import ratings as rating_store
from tablegram.automations.store import runs as store
from tablegram.crm import contacts
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict
from tablegram.flows.automations.answers import (
    AutomationRating,
    AutomationRatingPage,
    AutomationRatings,
    AutomationReason,
    AutomationReport,
    AutomationRevenue,
    AutomationRunPage,
    AutomationStepReport,
)
from tablegram.flows.automations.automation_desk import MANAGE, READ
from tablegram.flows.automations.views import rating_view, run_view
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import DAY_MS, Clock
from tablegram.values.cursor import decode_cursor, encode_cursor
from tablegram.values.money import to_wire

# After every id, in whatever order the database keeps letters.
_BEYOND = "zzzz"

REPLIED_MS, ORDERED_MS = 3 * DAY_MS, 7 * DAY_MS

Changed = Callable[[int, str], None]


class AutomationReporting:
    def __init__(self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, changed: Changed) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._changed = changed

    async def report(self, caller: Caller, automation_id: str) -> AutomationReport:
        caller.require(READ)

        async def work(tx: Tx) -> AutomationReport:
            one = await keeping.find(tx, caller.account_id, automation_id)
            which = {"b_account": one.account_id, "b_automation": one.id}
            counts, stopped = Counter[str](), list[AutomationReason]()
            for row in await tx.all(store.COUNTS, which):
                counts[row["state"]] += row["n"]
                if row["reason"]:
                    stopped.append(AutomationReason(reason=row["reason"], count=row["n"]))
            replied = await tx.first(store.REPLIED, {**which, "within": REPLIED_MS})
            return AutomationReport(
                automation_id=one.id, version=one.version, started=sum(counts.values()), waiting=counts["waiting"],
                finished=counts["finished"], stopped=sorted(stopped, key=lambda found: found.reason),
                replied=0 if replied is None else replied["n"], steps=await _steps(tx, one),
                orders=await _orders(tx, one), ratings=await _ratings(tx, one),
            )  # fmt: skip

        return await self._db.snapshot(work)

    async def runs(
        self,
        caller: Caller,
        automation_id: str,
        *,
        state: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> AutomationRunPage:
        caller.require(READ)
        before = _BEYOND if cursor is None else decode_cursor(cursor)

        async def work(tx: Tx) -> AutomationRunPage:
            one = await keeping.find(tx, caller.account_id, automation_id)
            which = {"b_account": one.account_id, "b_automation": one.id, "before": before, "most": limit + 1}
            if state is None:
                rows = await tx.all(store.PAGE, which)
            else:
                rows = await tx.all(store.PAGE_OF_STATE, {**which, "b_state": state})
            shown = []
            for row in rows[:limit]:
                visits = await tx.all(store.VISITS, {"b_account": one.account_id, "b_run": row["id"]})
                shown.append(run_view(read_run(row), visits))
            more = encode_cursor(rows[limit - 1]["id"]) if len(rows) > limit else None
            return AutomationRunPage(data=shown, next_cursor=more)

        return await self._db.snapshot(work)

    async def ratings(
        self, caller: Caller, automation_id: str, *, only_open: bool = False, limit: int = 50, cursor: str | None = None
    ) -> AutomationRatingPage:
        """What guests said. Needs to see contacts as well."""
        caller.require(READ)
        caller.require("contacts:read")
        before = _BEYOND if cursor is None else decode_cursor(cursor)

        async def work(tx: Tx) -> AutomationRatingPage:
            one = await keeping.find(tx, caller.account_id, automation_id)
            which = {"b_account": one.account_id, "b_automation": one.id, "before": before, "most": limit + 1}
            found = await tx.all(rating_store.OPEN_PAGE if only_open else rating_store.PAGE, which)
            rows = [read_rating(row) for row in found]
            names = await contacts.by_ids(tx, one.account_id, {row.contact_id for row in rows})
            shown = [
                rating_view(row, names[row.contact_id]["name"] if row.contact_id in names else "")
                for row in rows[:limit]
            ]
            more = encode_cursor(rows[limit - 1].run_id) if len(rows) > limit else None
            return AutomationRatingPage(data=shown, next_cursor=more)

        return await self._db.snapshot(work)

    async def close(self, caller: Caller, automation_id: str, run_id: str, call: Call) -> Result[AutomationRating]:
        """Somebody of the house has followed a low rating up."""
        caller.require(MANAGE)
        caller.require("contacts:read")
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Result[AutomationRating]:
            await keeping.find(tx, caller.account_id, automation_id)
            which = {"b_account": caller.account_id, "b_run": run_id}
            row = await tx.first(rating_store.GET, which)
            is_here = row is not None and row["automation_id"] == automation_id
            by = {"by": caller.key_name or caller.key_id, "now": self._clock.now_ms()}
            if not is_here or not await tx.run(rating_store.CLOSE, {**which, **by}):
                raise Conflict("No rating waits there; somebody may have followed it up.", code="nothing_to_close")
            await acting.note(tx, "automation.rating_closed", "automation", automation_id)
            row = await tx.first(rating_store.GET, which)
            assert row is not None
            known = await contacts.by_ids(tx, caller.account_id, [row["contact_id"]])
            name = known[row["contact_id"]]["name"] if row["contact_id"] in known else ""
            return Result(rating_view(read_rating(row), name))

        done = await self._idempotency.once_for(AutomationRating, caller.account_id, call, work)
        self._changed(caller.account_id, automation_id)
        return done

    async def open_ratings(self, caller: Caller) -> int:
        """Low ones that wait for somebody."""
        row = await self._db.first(rating_store.OPEN, {"b_account": caller.account_id})
        return 0 if row is None else int(row["n"])


async def _steps(tx: Tx, one: Automation) -> list[AutomationStepReport]:
    """Of the present version; what others went through counts in the sums above."""
    which = {"b_account": one.account_id, "b_automation": one.id}
    definition = await keeping.definition(tx, one)
    waiting = {row["step"]: row["n"] for row in await tx.all(store.AT_STEPS, which) if row["version"] == one.version}
    visits = [row for row in await tx.all(store.STEPS, which) if row["version"] == one.version]
    became = [row for row in await tx.all(store.BECAME, which) if row["version"] == one.version]
    shown = []
    for place, step in enumerate(definition.steps):
        here = [row for row in visits if row["step"] == place]
        by_state = Counter[str]()
        for row in here:
            by_state[row["state"]] += row["n"]
        messages = {row["state"]: row["n"] for row in became if row["step"] == place}
        skipped = [
            AutomationReason(reason=row["reason"], count=row["n"])
            for row in sorted(here, key=lambda found: str(found["reason"]))
            if row["state"] == "skipped"
        ]
        shown.append(
            AutomationStepReport(
                number=place + 1, do=kind_of(step), waiting=waiting.get(place, 0), reached=sum(by_state.values()),
                sent=by_state["sent"], delivered=messages.get("delivered", 0) + messages.get("read", 0),
                read=messages.get("read", 0), failed=messages.get("failed", 0) + messages.get("cancelled", 0),
                skipped=skipped, left=by_state["left"],
            )
        )  # fmt: skip
    return shown


async def _orders(tx: Tx, one: Automation) -> list[AutomationRevenue]:
    which = {"b_account": one.account_id, "b_automation": one.id, "within": ORDERED_MS}
    amounts = {row["currency"]: row["amount"] for row in await tx.all(store.REVENUE, which)}
    return [
        AutomationRevenue(
            currency=row["currency"], orders=row["orders"], people=row["people"],
            amount=to_wire(amounts.get(row["currency"], 0), row["currency"]),
        )
        for row in sorted(await tx.all(store.ORDERED, which), key=lambda found: str(found["currency"]))
    ]  # fmt: skip


async def _ratings(tx: Tx, one: Automation) -> AutomationRatings:
    which = {"b_account": one.account_id, "b_automation": one.id}
    found = {row["rating"]: row["n"] for row in await tx.all(rating_store.SPREAD, which)}
    spread = [found.get(figure, 0) for figure in range(1, 6)]
    answered = sum(spread)
    average = round(sum(n * figure for figure, n in enumerate(spread, 1)) / answered, 2) if answered else None
    waiting = await tx.first(rating_store.OPEN_OF, which)
    return AutomationRatings(
        asked=sum(found.values()), answered=answered, open=0 if waiting is None else waiting["n"], average=average,
        spread=spread,
    )  # fmt: skip
