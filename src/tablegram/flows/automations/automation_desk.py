"""What people and programs do with automations."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.automations import checking, keeping, presets
from tablegram.automations.fields import AutomationFields, NewAutomationFields
from tablegram.automations.model import MAX_NAME, Automation, Definition, read_automation
from tablegram.automations.states import Event, next_state
from tablegram.automations.store import automations as store
from tablegram.automations.store import runs as run_store
from tablegram.campaigns.audience import Audience
from tablegram.campaigns.segments.tree import parse
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, FieldError, Invalid, Problem, no_such
from tablegram.flows.automations.answers import AutomationPage, AutomationView
from tablegram.flows.automations.stepping import offer_of
from tablegram.flows.automations.views import automation_view
from tablegram.flows.campaigns.sender import line_of
from tablegram.loyalty import giving
from tablegram.restaurant import venues
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.cursor import decode_cursor, encode_cursor
from tablegram.values.ids import new_id

READ, MANAGE = "campaigns:read", "campaigns:manage"
# Of one account; each that is on is asked with each event.
MAX_ON, MAX_IN_ALL = 20, 200

Changed = Callable[[int, str], None]


class AutomationDesk:
    """`changed` is told each automation that has changed; the engine looks at it then."""

    def __init__(
        self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, audience: Audience, changed: Changed
    ) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._audience = audience
        self._changed = changed

    async def page(
        self, caller: Caller, *, state: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> AutomationPage:
        caller.require(READ)
        before = None if cursor is None else decode_cursor(cursor)
        which = {"b_account": caller.account_id, "b_state": state, "before": before, "most": limit + 1}

        async def work(tx: Tx) -> AutomationPage:
            rows = await tx.all(store.PAGE, which)
            shown = [await self._view(tx, read_automation(row)) for row in rows[:limit]]
            more = encode_cursor(rows[limit - 1]["id"]) if len(rows) > limit else None
            return AutomationPage(data=shown, next_cursor=more)

        return await self._db.snapshot(work)

    async def get(self, caller: Caller, automation_id: str) -> AutomationView:
        caller.require(READ)

        async def work(tx: Tx) -> AutomationView:
            return await self._view(tx, await keeping.find(tx, caller.account_id, automation_id))

        return await self._db.snapshot(work)

    async def create(self, caller: Caller, fields: NewAutomationFields, call: Call) -> Result[AutomationView]:
        """A draft, from nothing or from a ready-made one. Nothing begins before it is turned on."""
        caller.require(MANAGE)
        now = self._clock.now_ms()
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Result[AutomationView]:
            counts = {row["state"]: row["n"] for row in await tx.all(store.COUNT, {"b_account": caller.account_id})}
            if sum(counts.values()) - counts.get("archived", 0) >= MAX_IN_ALL:
                raise Conflict(f"There are {MAX_IN_ALL} automations. Put some away first.", code="automations_full")
            usual = await _usual(tx, caller.account_id)
            preset = fields.get("preset")
            language = fields.get("language") or usual["language"]
            ready: AutomationFields = {} if preset is None else presets.fields_of(preset, language)
            given: NewAutomationFields = {**usual, **ready, **fields}
            definition = checking.parse(given)
            one = Automation(
                account_id=caller.account_id, id=new_id(now), name=_name(given.get("name", "")), state="draft",
                trigger_kind=definition.trigger.on, version=1, instance_id=fields.get("instance_id"), on_since=None,
                sweep_at=None, created_by=caller.author, created_at=now, updated_at=now,
            )  # fmt: skip
            await self._check(tx, one, definition)
            await tx.run(store.INSERT, msgspec.structs.asdict(one))
            await keeping.keep_version(tx, one, definition, caller.author, now)
            await acting.note(tx, "automation.created", "automation", one.id, {"name": one.name})
            return Result(await self._view(tx, one), 201)

        done = await self._idempotency.once_for(AutomationView, caller.account_id, call, work)
        self._changed(caller.account_id, "")
        return done

    async def change(self, caller: Caller, automation_id: str, fields: AutomationFields) -> AutomationView:
        """Change what is given. Who is on their way ends with what held when they began."""
        caller.require(MANAGE)
        now = self._clock.now_ms()
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> AutomationView:
            one = await keeping.lock(tx, caller.account_id, automation_id)
            if one.state == "archived":
                raise Conflict("This automation is put away and stays as it was.", code="automation_state")
            old = await keeping.definition(tx, one)
            definition = checking.parse(fields, old)
            is_other = definition != old
            after = msgspec.structs.replace(
                one,
                name=_name(fields["name"]) if "name" in fields else one.name,
                trigger_kind=definition.trigger.on,
                version=one.version + is_other,
                instance_id=fields.get("instance_id", one.instance_id),
                sweep_at=keeping.sweep_at(definition.trigger.on, now) if one.state == "on" else None,
                updated_at=now,
            )
            await self._check(tx, after, definition)
            if one.state == "on":
                checking.check_ready(definition)
            if is_other:
                await keeping.keep_version(tx, after, definition, caller.author, now)
            new = {
                "new_name": after.name, "new_trigger": after.trigger_kind, "new_version": after.version,
                "new_instance": after.instance_id, "new_sweep": after.sweep_at, "now": now,
            }  # fmt: skip
            await tx.run(store.CHANGE, {"b_account": one.account_id, "b_id": one.id, **new})
            await acting.note(tx, "automation.changed", "automation", one.id, {"name": after.name})
            return await self._view(tx, after)

        view = await self._db.write(work)
        self._changed(caller.account_id, automation_id)
        return view

    async def act(self, caller: Caller, automation_id: str, event: Event, call: Call) -> Result[AutomationView]:
        """Turn it on, pause it or put it away."""
        caller.require(MANAGE)
        acting = self._audit.acting(caller)
        words = {"turn_on": "turned_on", "pause": "paused", "archive": "archived"}

        async def work(tx: Tx) -> Result[AutomationView]:
            now = self._clock.now_ms()
            one = await keeping.lock(tx, caller.account_id, automation_id)
            state = next_state(one.state, event)
            if state == "on":
                await self._may_go_on(tx, one)
            which = {"b_account": one.account_id, "b_id": one.id}
            new = {
                "new_state": state, "new_on_since": now if state == "on" else one.on_since,
                "new_sweep": keeping.sweep_at(one.trigger_kind, now) if state == "on" else None, "now": now,
            }  # fmt: skip
            await tx.run(store.MOVE, {**which, "b_state": one.state, **new})
            if state == "archived":
                everybody = {"b_account": one.account_id, "b_automation": one.id}
                await tx.run(run_store.STOP_ALL, {**everybody, "new_reason": "archived", "now": now})
            await acting.note(tx, f"automation.{words[event]}", "automation", one.id, {"name": one.name})
            return Result(await self._view(tx, await keeping.find(tx, one.account_id, one.id)))

        done = await self._idempotency.once_for(AutomationView, caller.account_id, call, work)
        self._changed(caller.account_id, automation_id)
        return done

    async def _may_go_on(self, tx: Tx, one: Automation) -> None:
        definition = await keeping.definition(tx, one)
        checking.check_ready(definition)
        await self._check(tx, one, definition)
        if await line_of(tx, one.account_id, one.instance_id) is None:
            raise Conflict("The account has no line to send from yet. Add one first.", code="line_missing")
        counts = {row["state"]: row["n"] for row in await tx.all(store.COUNT, {"b_account": one.account_id})}
        if counts.get("on", 0) >= MAX_ON:
            raise Conflict(f"{MAX_ON} automations are on. Pause one first.", code="automations_full")

    async def _check(self, tx: Tx, one: Automation, definition: Definition) -> None:
        """What only other parts know: lines, rules of segments, and what a coupon may be."""
        if one.instance_id is not None and await line_of(tx, one.account_id, one.instance_id) is None:
            raise Invalid.field("instance_id", "instance_unknown", no_such("line"))
        errors: list[FieldError] = []
        for path, rules in checking.conditions(definition):
            try:
                await self._audience.asking(tx, one.account_id, parse(rules, self._audience.rules))
            except Problem as problem:
                found = problem.errors or (FieldError("rules", problem.code, problem.detail),)
                errors += [FieldError(f"{path}.{error.field}", error.code, error.detail) for error in found]
        for path, coupon in checking.coupons(definition):
            try:
                giving.check(offer_of(coupon, one))
            except Invalid as problem:
                errors += [FieldError(f"{path}.{error.field}", error.code, error.detail) for error in problem.errors]
        if errors:
            raise Invalid.fields(errors[:20])

    async def _view(self, tx: Tx, one: Automation) -> AutomationView:
        which = {"b_account": one.account_id, "b_automation": one.id}
        definition = await keeping.definition(tx, one)
        return automation_view(
            one, definition, await tx.first(run_store.FIGURES, which), await tx.first(run_store.SENT, which)
        )


async def _usual(tx: Tx, account_id: int) -> AutomationFields:
    """The clock of the first venue, and the language of its guests."""
    known = await venues.every(tx, account_id)
    if not known:
        return {"language": "tr"}
    first = min(known, key=lambda venue: not venue.is_default)
    return {"time_zone": first.time_zone, "language": "tr" if first.locale.startswith("tr") else "en"}


def _name(text: str) -> str:
    shown = " ".join(text.split())
    if not 0 < len(shown) <= MAX_NAME:
        raise Invalid.field("name", "name_wrong", f"Give it a name of at most {MAX_NAME} characters.")
    return shown
