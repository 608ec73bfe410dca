"""Rows of automations as they are answered."""

from __future__ import annotations

from tablegram.automations.model import Automation, Definition, Rating, Run
from tablegram.automations.rows import Counted, FiguresRow, VisitRow
from tablegram.flows.automations.answers import (
    AutomationFigures,
    AutomationRating,
    AutomationRun,
    AutomationRunStep,
    AutomationView,
)
from tablegram.values.clock import iso
from tablegram.values.ids import gateway_id


def automation_view(
    one: Automation, definition: Definition, figures: FiguresRow | None, sent: Counted | None
) -> AutomationView:
    counted = AutomationFigures(
        started=0 if figures is None else int(figures["started"]),
        waiting=0 if figures is None else int(figures["waiting"]),
        finished=0 if figures is None else int(figures["finished"]),
        sent=0 if sent is None else int(sent["n"]),
    )
    return AutomationView(
        id=one.id, name=one.name, state=one.state, version=one.version, instance_id=one.instance_id,
        trigger=definition.trigger, steps=definition.steps, language=definition.language,
        time_zone=definition.time_zone, quiet_from=definition.quiet_from, quiet_until=definition.quiet_until,
        cap_messages=definition.cap_messages, cap_days=definition.cap_days, phones=definition.phones,
        on_since=iso(one.on_since), created_at=_moment(one.created_at), updated_at=_moment(one.updated_at),
        figures=counted,
    )  # fmt: skip


def run_view(run: Run, visits: list[VisitRow]) -> AutomationRun:
    steps = [
        AutomationRunStep(
            number=row["step"] + 1, do=row["kind"], state=row["state"], reason=row["reason"],
            message_id=None if row["message_key"] is None else gateway_id(row["message_key"]), at=_moment(row["at"]),
        )
        for row in visits
    ]  # fmt: skip
    return AutomationRun(
        id=run.id, contact_id=run.contact_id, occasion=run.occasion, version=run.version, state=run.state,
        reason=run.reason, step=run.step + 1, due_at=iso(run.due_at), order_id=run.order_id,
        started_at=_moment(run.started_at), ended_at=iso(run.ended_at), steps=steps,
    )  # fmt: skip


def rating_view(one: Rating, name: str) -> AutomationRating:
    return AutomationRating(
        run_id=one.run_id, contact_id=one.contact_id, name=name, order_id=one.order_id, rating=one.rating or 0,
        comment=one.comment, is_open=one.is_open, closed_by=one.closed_by, closed_at=iso(one.closed_at),
        answered_at=iso(one.answered_at),
    )  # fmt: skip


def _moment(at_ms: int) -> str:
    shown = iso(at_ms)
    assert shown is not None
    return shown
