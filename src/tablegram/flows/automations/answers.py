"""What is answered about automations: the structs that flows make, pages show, and the API encodes."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.automations.model import AnyStep, AutomationTrigger, Ended, Language, RunState, VisitState
from tablegram.automations.states import State
from tablegram.values.clock import MomentText


class AutomationFigures(Struct, kw_only=True, frozen=True):
    """How many went through it."""

    started: int
    waiting: Annotated[int, Meta(description="On their way.")]
    finished: int
    sent: Annotated[int, Meta(description="Messages.")]


class AutomationView(Struct, kw_only=True, frozen=True):
    """What begins it, what follows step by step, and how many went through it."""

    id: str
    name: str
    state: Annotated[State, Meta(description="Nothing begins or goes on unless it is on.")]
    version: Annotated[int, Meta(description="Grows with each change; a run ends with the one that it began with.")]
    instance_id: Annotated[int | None, Meta(description="Null: the venue's line, else the account's default line.")]
    trigger: AutomationTrigger
    steps: Annotated[tuple[AnyStep, ...], Meta(description="What follows, in order.")]
    language: Language
    time_zone: str
    quiet_from: str
    quiet_until: str
    cap_messages: int
    cap_days: int
    phones: Annotated[tuple[str, ...], Meta(description="Of the house.")]
    on_since: MomentText | None
    created_at: MomentText
    updated_at: MomentText
    figures: AutomationFigures


class AutomationPage(Struct, kw_only=True, frozen=True):
    """Newest first."""

    data: list[AutomationView]
    next_cursor: str | None


class AutomationTrialStep(Struct, kw_only=True, frozen=True):
    """What a step would do."""

    number: Annotated[int, Meta(description="From 1.")]
    do: str
    at: Annotated[MomentText | None, Meta(description="Null: it would not come to it.")]
    outcome: Annotated[
        Literal["done", "sent", "skipped", "left", "not_reached"],
        Meta(description="sent: a message would go. skipped: none would; `reason` says why. left: it would end here."),
    ]
    reason: str
    text: str
    buttons: list[str]


class AutomationTrial(Struct, kw_only=True, frozen=True):
    """A run on a real contact that sends and gives nothing."""

    contact_id: str
    name: str
    steps: list[AutomationTrialStep]


class AutomationRunStep(Struct, kw_only=True, frozen=True):
    number: Annotated[int, Meta(description="From 1.")]
    do: str
    state: VisitState
    reason: str
    message_id: str | None
    at: MomentText


class AutomationRun(Struct, kw_only=True, frozen=True):
    """Somebody who is on their way, or was."""

    id: str
    contact_id: str
    occasion: Annotated[str, Meta(description="What began it.", examples=["birthday:2026"])]
    version: int
    state: RunState
    reason: Annotated[Ended, Meta(description="Why it ended before its last step.")]
    step: Annotated[int, Meta(description="The next one, from 1.")]
    due_at: MomentText | None
    order_id: str
    started_at: MomentText
    ended_at: MomentText | None
    steps: Annotated[list[AutomationRunStep], Meta(description="Those that were made.")]


class AutomationRunPage(Struct, kw_only=True, frozen=True):
    """Newest first."""

    data: list[AutomationRun]
    next_cursor: str | None


class ContactAutomation(Struct, kw_only=True, frozen=True):
    """An automation that a contact went through."""

    automation_id: str
    occasion: Annotated[str, Meta(description="What began it.", examples=["birthday:2026"])]
    state: RunState
    started_at: MomentText
    rating: Annotated[int | None, Meta(description="1 to 5. Null: they gave none.")]
    comment: str


class AutomationReason(Struct, kw_only=True, frozen=True):
    reason: str
    count: int


class AutomationStepReport(Struct, kw_only=True, frozen=True):
    """A step of the present version."""

    number: Annotated[int, Meta(description="From 1.")]
    do: str
    waiting: Annotated[int, Meta(description="Whose next step it is.")]
    reached: int
    sent: int
    delivered: Annotated[int, Meta(description="Delivered, the read ones among them.")]
    read: int
    failed: int
    skipped: list[AutomationReason]
    left: Annotated[int, Meta(description="Who ended here.")]


class AutomationRevenue(Struct, kw_only=True, frozen=True):
    currency: str
    orders: int
    people: int
    amount: float


class AutomationRatings(Struct, kw_only=True, frozen=True):
    asked: int
    answered: int
    open: Annotated[int, Meta(description="Low ones that nobody has followed up yet.")]
    average: float | None
    spread: Annotated[list[int], Meta(description="How many gave 1, 2, 3, 4 and 5.")]


class AutomationReport(Struct, kw_only=True, frozen=True):
    """What came of it."""

    automation_id: str
    version: int
    started: int
    waiting: int
    finished: int
    stopped: list[AutomationReason]
    replied: Annotated[int, Meta(description="Wrote within 3 days after the first message.")]
    steps: list[AutomationStepReport]
    orders: Annotated[list[AutomationRevenue], Meta(description="Within 7 days after the first message.")]
    ratings: AutomationRatings


class AutomationRating(Struct, kw_only=True, frozen=True):
    """What a guest said."""

    run_id: str
    contact_id: str
    name: str
    order_id: str
    rating: int
    comment: str
    is_open: Annotated[bool, Meta(description="It is low, and nobody has followed it up yet.")]
    closed_by: str
    closed_at: MomentText | None
    answered_at: MomentText | None


class AutomationRatingPage(Struct, kw_only=True, frozen=True):
    """Newest first."""

    data: list[AutomationRating]
    next_cursor: str | None
