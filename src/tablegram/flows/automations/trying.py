"""A test run on a real contact: what would happen when, and to which words. Nothing is sent, given or written down."""

from __future__ import annotations

from typing import Literal

from tablegram.accounts.keys.keys import Caller
from tablegram.automations import keeping
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
    WaitStep,
    kind_of,
)
from tablegram.automations.timing import after
from tablegram.crm.merging import find_living
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Invalid, no_such
from tablegram.flows.automations import speaking
from tablegram.flows.automations.answers import AutomationTrial, AutomationTrialStep
from tablegram.flows.automations.automation_desk import READ
from tablegram.flows.automations.stepping import Scene, Stepping, quiet_until, refusal, set_scene
from tablegram.messaging.model import Content, words_of
from tablegram.storage.database import Tx
from tablegram.values.clock import Clock, iso
from tablegram.values.texts.variables import fill

# Stands for the code that a guest would get.
SAMPLE_CODE = "AB12CD34"
_Outcome = Literal["done", "sent", "skipped", "left", "not_reached"]


class Trials:
    def __init__(self, idempotency: Idempotency, clock: Clock, stepping: Stepping) -> None:
        self._idempotency = idempotency
        self._clock = clock
        self._stepping = stepping

    async def run(self, caller: Caller, automation_id: str, contact_id: str, call: Call) -> Result[AutomationTrial]:
        """Walk through every step as if it began now."""
        caller.require(READ)
        caller.require("contacts:read")

        async def work(tx: Tx) -> Result[AutomationTrial]:
            one = await keeping.find(tx, caller.account_id, automation_id)
            contact = await find_living(tx, caller.account_id, contact_id)
            if contact is None:
                raise Invalid.field("contact_id", "contact_unknown", no_such("contact"))
            now = self._clock.now_ms()
            definition = await keeping.definition(tx, one)
            sample = Run(
                account_id=one.account_id, id="trial", automation_id=one.id, version=one.version,
                contact_id=contact["id"], occasion="trial", due_at=now, started_at=now,
            )  # fmt: skip
            scene = await set_scene(tx, one, sample, contact)
            steps = await self._walk(tx, one, definition, scene, now)
            return Result(AutomationTrial(contact_id=contact["id"], name=contact["name"], steps=steps))

        return await self._idempotency.once_for(AutomationTrial, caller.account_id, call, work)

    async def _walk(
        self, tx: Tx, one: Automation, definition: Definition, scene: Scene, now: int
    ) -> list[AutomationTrialStep]:
        shown: list[AutomationTrialStep] = []
        at: int | None = now
        skipping = False
        for number, step in enumerate(definition.steps, 1):
            if at is None or skipping:
                skipping = False
                shown.append(_shown(number, step, None, "not_reached"))
                continue
            if isinstance(step, MessageStep | FeedbackStep):
                at = quiet_until(definition, at)
            outcome: _Outcome = "done"
            reason, text, buttons, began = "", "", list[str](), at
            match step:
                case WaitStep():
                    at = after(step, at, definition.time_zone)
                case ConditionStep():
                    if not await self._stepping.holds(tx, one.account_id, step, scene.contact_id):
                        reason, skipping = "no", step.otherwise == "skip"
                        if step.otherwise == "end":
                            outcome, at = "left", None
                case MessageStep() | FeedbackStep():
                    content = _content(step, definition, scene)
                    text, buttons = words_of(content), speaking.shown_buttons(content)
                    # Who may be written to is told as it is now, and the window and the cap as well.
                    reason, _ = await refusal(tx, definition, step, scene, one.account_id, now)
                    outcome = "skipped" if reason else "sent"
                case CouponStep():
                    scene.values["coupon"] = SAMPLE_CODE
                    text = step.name
                case NotifyStep():
                    text = fill(step.text, scene.values)
                    reason = "" if definition.phones and scene.line else "no_phone" if scene.line else "no_line"
                    outcome = "skipped" if reason else "sent"
                case EndStep():
                    outcome, at = "left", None
            shown.append(_shown(number, step, began, outcome, reason, text, buttons))
        return shown


def _content(step: MessageStep | FeedbackStep, definition: Definition, scene: Scene) -> Content:
    if isinstance(step, FeedbackStep):
        return speaking.question(step, definition, scene.line_kind, scene.values, "trial")
    return speaking.message(step, definition, scene.line_kind, scene.values)


def _shown(
    number: int, step: AnyStep, at: int | None, outcome: _Outcome, reason: str = "", text: str = "",
    buttons: list[str] | None = None,
) -> AutomationTrialStep:  # fmt: skip
    return AutomationTrialStep(
        number=number, do=kind_of(step), at=iso(at), outcome=outcome, reason=reason, text=text, buttons=buttons or []
    )
