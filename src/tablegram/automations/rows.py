"""What a row of the store holds, column by column."""

from __future__ import annotations

from tablegram.automations.model import Ended, On, RunState, VisitState
from tablegram.automations.states import State
from tablegram.storage.shapes import TypedDict


class Counted(TypedDict):
    n: int


class WithId(TypedDict):
    id: str


class AutomationRow(TypedDict):
    account_id: int
    id: str
    name: str
    state: State
    trigger_kind: On
    version: int
    instance_id: int | None
    on_since: int | None
    sweep_at: int | None
    created_by: str
    created_at: int
    updated_at: int


class DefinitionRow(TypedDict):
    # As JSON.
    definition: str


class DefinedAutomation(AutomationRow, DefinitionRow):
    pass


class StateCount(Counted):
    state: State


class InterestRow(TypedDict):
    # Whether somebody was ever asked, and whether a first message begins something.
    asks: bool
    welcomes: bool


class RunRow(TypedDict):
    account_id: int
    id: str
    automation_id: str
    version: int
    contact_id: str
    occasion: str
    state: RunState
    reason: Ended
    step: int
    due_at: int | None
    venue_id: str
    order_id: str
    coupon_code: str
    started_at: int
    ended_at: int | None


class DueRun(TypedDict):
    account_id: int
    id: str
    automation_id: str
    step: int


class StepRow(TypedDict):
    step: int


class VisitRow(TypedDict):
    account_id: int
    run_id: str
    step: int
    automation_id: str
    version: int
    contact_id: str
    kind: str
    state: VisitState
    reason: str
    message_key: str | None
    is_marketing: int
    at: int


class WrittenTo(Counted):
    contact_id: str


class UnsentRow(TypedDict):
    automation_id: str
    name: str
    kind: str
    reason: str
    at: int
    key: str


class RunCount(Counted):
    state: RunState
    reason: Ended


class WaitingAt(Counted):
    version: int
    step: int


class VisitCount(WaitingAt):
    kind: str
    state: VisitState
    reason: str


class MessageCount(WaitingAt):
    # Of the message.
    state: str


class OrderedRow(TypedDict):
    currency: str
    orders: int
    people: int


class RevenueRow(TypedDict):
    currency: str
    amount: int


class FiguresRow(TypedDict):
    started: int
    waiting: int
    finished: int


class LapsedRow(TypedDict):
    contact_id: str
    last_at: int


class RatingRow(TypedDict):
    account_id: int
    run_id: str
    automation_id: str
    version: int
    step: int
    contact_id: str
    venue_id: str
    order_id: str
    # Empty until there is an answer.
    rating: int | None
    comment: str
    is_open: int
    closed_by: str
    closed_at: int | None
    asked_at: int
    answered_at: int | None


class RatingCount(Counted):
    rating: int | None
