"""One step of one run, in one transaction: what is done, the note of it, and where the run stands then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from tablegram.automations import keeping
from tablegram.automations.filling import values_of
from tablegram.automations.model import (
    AnyStep,
    Automation,
    ConditionStep,
    CouponStep,
    Definition,
    EndStep,
    FeedbackStep,
    MessageStep,
    NotifyStep,
    Run,
    Visit,
    WaitStep,
    kind_of,
)
from tablegram.automations.store import ratings as rating_store
from tablegram.automations.store import runs as run_store
from tablegram.automations.timing import after
from tablegram.campaigns.audience import Audience
from tablegram.campaigns.model import Plan
from tablegram.campaigns.segments.tree import parse
from tablegram.campaigns.timing import after_quiet
from tablegram.crm.merging import find_living
from tablegram.crm.rows import ContactRow
from tablegram.engine.crash_points import reach
from tablegram.errors import Problem
from tablegram.flows.automations import speaking
from tablegram.flows.campaigns.people import look_up
from tablegram.flows.campaigns.sender import line_of
from tablegram.flows.gateway.queueing import Queueing, Way
from tablegram.loyalty import giving
from tablegram.loyalty.giving import Offer
from tablegram.messaging.model import BULK, NORMAL, Content, Text
from tablegram.messaging.rows.lines import LineRow
from tablegram.restaurant import venues
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.authors import AUTOMATIC
from tablegram.values.clock import DAY_MS, HOUR_MS
from tablegram.values.money import from_wire
from tablegram.values.texts.variables import fill

# What comes later than this, since nothing ran or it was paused, is not made up for.
LATE_MS = 12 * HOUR_MS
BY = "automation"


@dataclass(frozen=True, slots=True)
class Scene:
    """Whom a step is for, and by which line."""

    contact_id: str
    name: str
    line: LineRow | None
    venue: Venue | None
    values: dict[str, str]

    @property
    def line_kind(self) -> str:
        return "sandbox" if self.line is None else str(self.line["kind"])


async def set_scene(tx: Tx, one: Automation, run: Run, contact: ContactRow) -> Scene:
    known = {venue.id: venue for venue in await venues.every(tx, one.account_id)}
    venue = known.get(run.venue_id) or next((found for found in known.values() if found.is_default), None)
    instance_id = one.instance_id
    if instance_id is None and venue is not None and run.venue_id == venue.id:
        instance_id = venue.instance_id
    line = await line_of(tx, one.account_id, instance_id)
    values = values_of(
        contact["name"], venue="" if venue is None else venue.name, order=run.order_id, coupon=run.coupon_code
    )
    return Scene(contact["id"], contact["name"], line, venue, values)


async def refusal(
    tx: Tx, definition: Definition, step: MessageStep | FeedbackStep, scene: Scene, account_id: int, now: int
) -> tuple[str, str]:
    """Why somebody is not written to, and their number. Looked up in the transaction that queues the message."""
    if scene.line is None:
        return "no_line", ""
    is_service = isinstance(step, FeedbackStep)
    plan = Plan(
        kind=step.kind if isinstance(step, MessageStep) else "text",
        cap_messages=0 if is_service else definition.cap_messages,
        cap_days=definition.cap_days,
    )
    ids = [scene.contact_id]
    people = await look_up(tx, account_id, plan, scene.line_kind, ids, now, is_service=is_service)
    person = people[scene.contact_id]
    reason: str = person.refusal or ""
    if not reason and is_service:
        since = now - definition.cap_days * DAY_MS
        which = {"b_account": account_id, "b_contact": scene.contact_id, "since": since}
        if await tx.first(rating_store.LAST, which) is not None:
            reason = "asked_lately"
    return reason, person.phone


def quiet_until(definition: Definition, now: int) -> int:
    plan = Plan(quiet_from=definition.quiet_from, quiet_until=definition.quiet_until)
    return after_quiet(now, plan, definition.time_zone)


def offer_of(step: CouponStep, one: Automation) -> Offer:
    kinds: dict[str, Any] = {"first_order": "welcome", "birthday": "birthday", "no_order": "win_back"}

    def minor(value: float) -> int:
        return from_wire(value, step.currency) if value else 0

    return Offer(
        kind=kinds.get(one.trigger_kind, "code"), name=step.name.strip(), gives="percent" if step.percent else "amount",
        percent=step.percent * 100, amount=minor(step.amount), currency=step.currency, minimum=minor(step.minimum),
        days=step.days,
    )  # fmt: skip


class Stepping:
    """Everything works inside the caller's transaction. Call `wake` of the queue after the commit."""

    def __init__(self, queue: Queueing, audience: Audience) -> None:
        self._queue = queue
        self._audience = audience

    async def step(self, tx: Tx, account_id: int, automation_id: str, run_id: str, now: int) -> int | None:
        """Make the next step of a run, if it is due; the line that has something to send."""
        # Whoever pauses it waits for this, or this for them.
        one = await keeping.lock(tx, account_id, automation_id)
        run = await keeping.lock_run(tx, account_id, run_id)
        if one.state != "on" or run is None or run.due_at is None or run.due_at > now:
            return None
        contact = await find_living(tx, account_id, run.contact_id)
        if contact is None:
            await keeping.end(tx, run, now, "gone")
            return None
        if contact["id"] != run.contact_id:
            moved = await _move(tx, run, contact["id"], now)
            if moved is None:
                return None
            run = moved
        definition = await keeping.definition(tx, run)
        if now - (run.due_at or now) > LATE_MS:
            await _note_late(tx, run, definition, now)
            await keeping.end(tx, run, now, "too_late")
            return None
        if run.step >= len(definition.steps):
            await keeping.end(tx, run, now)
            return None
        scene = await set_scene(tx, one, run, contact)
        step = definition.steps[run.step]
        if isinstance(step, MessageStep | FeedbackStep):
            until = quiet_until(definition, now)
            if until > now:
                await keeping.put_off(tx, run, until)
                return None
        return await self._make(tx, one, run, definition, step, scene, now)

    async def _make(
        self, tx: Tx, one: Automation, run: Run, definition: Definition, step: AnyStep, scene: Scene, now: int
    ) -> int | None:
        visit, due, skip, code = Visit(kind=kind_of(step)), now, 0, None
        match step:
            case WaitStep():
                due = after(step, now, definition.time_zone)
            case ConditionStep():
                if not await self.holds(tx, run.account_id, step, scene.contact_id):
                    visit = Visit(kind="condition", state="left" if step.otherwise == "end" else "done", reason="no")
                    skip = int(step.otherwise == "skip")
            case MessageStep() | FeedbackStep():
                visit = await self._say(tx, run, definition, step, scene, now)
            case CouponStep():
                occasion = f"automation:{one.id}:{run.occasion}:{run.step}"
                offer = offer_of(step, one)
                by = AUTOMATIC + BY
                code = (await giving.give(tx, run.account_id, run.contact_id, offer, occasion, now, by=by)).shown_code
            case NotifyStep():
                visit = await self._tell_house(tx, run, definition, fill(step.text, scene.values), scene, now)
            case EndStep():
                visit = Visit(kind="end", state="left")
        await keeping.note(tx, run, visit, now)
        reach("automations.noted")
        following = run.step + 1 + skip
        if visit.state == "left":
            await keeping.end(tx, run, now, "condition" if visit.kind == "condition" else "")
        elif following >= len(definition.steps) and due <= now:
            await keeping.end(tx, run, now)
        else:
            await keeping.go_on(tx, run, following, due, code=code)
        return None if scene.line is None or visit.message_key is None else scene.line["id"]

    async def holds(self, tx: Tx, account_id: int, step: ConditionStep, contact_id: str) -> bool:
        """Whether the rules hold now. Rules about what is gone, such as a segment, hold for nobody."""
        try:
            return await self._audience.holds(tx, account_id, parse(step.rules, self._audience.rules), contact_id)
        except Problem:
            return False

    async def _say(
        self, tx: Tx, run: Run, definition: Definition, step: MessageStep | FeedbackStep, scene: Scene, now: int
    ) -> Visit:
        kind, asks = kind_of(step), isinstance(step, FeedbackStep)
        reason, phone = await refusal(tx, definition, step, scene, run.account_id, now)
        if reason:
            return Visit(kind=kind, state="skipped", reason=reason)
        content: Content
        if isinstance(step, FeedbackStep):
            content = speaking.question(step, definition, scene.line_kind, scene.values, run.id)
        else:
            content = speaking.message(step, definition, scene.line_kind, scene.values)
        key = await self.put(tx, run.account_id, scene, phone, content, now, is_marketing=not asks)
        if key is None:
            return Visit(kind=kind, state="skipped", reason="no_balance")
        if asks:
            row = {
                "account_id": run.account_id, "run_id": run.id, "automation_id": run.automation_id,
                "version": run.version, "step": run.step, "contact_id": run.contact_id, "venue_id": run.venue_id,
                "order_id": run.order_id, "rating": None, "comment": "", "is_open": 0, "closed_by": "",
                "closed_at": None, "asked_at": now, "answered_at": None,
            }  # fmt: skip
            await tx.run(rating_store.ASK, row)
        return Visit(kind=kind, state="sent", message_key=key, is_marketing=not asks)

    async def _tell_house(self, tx: Tx, run: Run, definition: Definition, text: str, scene: Scene, now: int) -> Visit:
        if scene.line is None or not definition.phones:
            return Visit(kind="notify", state="skipped", reason="no_line" if scene.line is None else "no_phone")
        keys = [
            await self.put(tx, run.account_id, scene, phone, Text(text), now, is_marketing=False)
            for phone in definition.phones
        ]
        sent = [key for key in keys if key is not None]
        if not sent:
            return Visit(kind="notify", state="skipped", reason="no_balance")
        return Visit(kind="notify", state="sent", message_key=sent[0])

    async def put(
        self, tx: Tx, account_id: int, scene: Scene, phone: str, content: Content, now: int, *, is_marketing: bool
    ) -> str | None:
        assert scene.line is not None
        way = Way(account_id, scene.line["id"], scene.line_kind)
        if is_marketing:
            return await self._queue.put(tx, way, phone, content, now, by=BY, priority=BULK, category="marketing")
        return await self._queue.put(tx, way, phone, content, now, by=BY, priority=NORMAL)

    async def line(self, tx: Tx, account_id: int, instance_id: int) -> LineRow | None:
        return await line_of(tx, account_id, instance_id)

    def wake(self, account_id: int, line_id: int) -> None:
        self._queue.wake(account_id, line_id)


async def _move(tx: Tx, run: Run, contact_id: str, now: int) -> Run | None:
    """Who was merged goes on as who they are now, unless that one is on the same way for the same occasion."""
    same = {
        "b_account": run.account_id, "b_automation": run.automation_id, "b_contact": contact_id,
        "b_occasion": run.occasion,
    }  # fmt: skip
    if await tx.first(run_store.OF_OCCASION, same) is not None:
        await keeping.end(tx, run, now, "merged")
        return None
    await tx.run(run_store.MOVE_TO, {"b_account": run.account_id, "b_id": run.id, "target": contact_id})
    return await keeping.lock_run(tx, run.account_id, run.id)


async def _note_late(tx: Tx, run: Run, definition: Definition, now: int) -> None:
    """The next message of a run that ends late is not sent, and says why."""
    for number, step in enumerate(definition.steps[run.step :], run.step):
        if isinstance(step, MessageStep | FeedbackStep):
            at_step = msgspec.structs.replace(run, step=number)
            await keeping.note(tx, at_step, Visit(kind=kind_of(step), state="skipped", reason="too_late"), now)
            return
