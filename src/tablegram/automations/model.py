"""What an automation is: what begins it, what follows step by step, and within which limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from tablegram.automations.states import State
from tablegram.values import Json

if TYPE_CHECKING:
    # They speak of the words of this module.
    from tablegram.automations.rows import AutomationRow, RatingRow, RunRow

On = Literal["first_order", "no_order", "birthday", "meal_finished", "tag_added", "first_message"]
Language = Literal["en", "tr"]
MediaKind = Literal["image", "video", "document"]
RunState = Literal["waiting", "finished", "stopped"]
# Why a run ended before its last step.
Ended = Literal["", "condition", "gone", "merged", "archived", "too_late"]
VisitState = Literal["done", "sent", "skipped", "left"]

MAX_NAME, MAX_STEPS, MAX_TEXT, MAX_PHONES = 100, 20, 1_000, 5
# These wait for a day and not for an event: contacts are looked through from time to time.
SWEPT: tuple[On, ...] = ("no_order", "birthday")


class AutomationTrigger(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What begins an automation."""

    on: On
    days: Annotated[int, Meta(description="no_order: so long without one. birthday: so many days ahead.")] = 0
    tag: Annotated[str, Meta(description="tag_added: which.")] = ""
    at: Annotated[str, Meta(description="birthday: at this time of the day.", examples=["11:00"])] = ""


class _Step(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"):
    """One card of the flow; `do` says which."""


class WaitStep(_Step, frozen=True, tag="wait"):
    """Waits for a time, then until a time of the day."""

    minutes: int = 0
    hours: int = 0
    days: int = 0
    until: Annotated[str, Meta(description="A time of the day.", examples=["18:00"])] = ""


class ConditionStep(_Step, frozen=True, tag="condition"):
    """Goes on where the contact fits the rules of a segment; else it ends, or passes over the next step."""

    rules: Annotated[Json, Meta(description="As those of a segment.", examples=[{"rule": "orders", "at_least": 3}])]
    otherwise: Literal["end", "skip"] = "end"


class MessageStep(_Step, frozen=True, tag="message"):
    """Says something to the guest, who must have agreed to marketing."""

    kind: Literal["text", "media", "template"] = "text"
    text: str = ""
    media_kind: MediaKind = "image"
    media_url: str = ""
    button: Annotated[str, Meta(description="The words of a button below a text.")] = ""
    button_url: str = ""
    template_name: str = ""
    template_language: str = "tr"
    template_variables: tuple[str, ...] = ()
    template_stop_button: Annotated[
        int, Meta(description="The quick reply by which the guest wants no more, from 0; -1: none.")
    ] = -1


class FeedbackStep(_Step, frozen=True, tag="feedback"):
    """Asks how it was, 1 to 5, and answers what is said."""

    text: str
    low: Annotated[int, Meta(description="So few and fewer: the house follows up.")] = 2
    high: Annotated[int, Meta(description="So many and more: they may tell others.")] = 4
    low_text: str = ""
    middle_text: str = ""
    high_text: str = ""
    review_url: Annotated[str, Meta(description="Where they may tell others.")] = ""


class CouponStep(_Step, frozen=True, tag="coupon"):
    """Gives the guest a code of their own; `{{coupon}}` is that code in what follows."""

    name: Annotated[str, Meta(description="What the guest gets.")]
    percent: Annotated[int, Meta(description="This or an amount.")] = 0
    amount: Annotated[float, Meta(description="In units of the currency.")] = 0
    currency: str = ""
    minimum: Annotated[float, Meta(description="What an order must come to.")] = 0
    days: Annotated[int, Meta(description="How many days it is valid.")] = 30


class NotifyStep(_Step, frozen=True, tag="notify"):
    """Tells the house."""

    text: str


class EndStep(_Step, frozen=True, tag="end"):
    """Nothing follows."""


AnyStep = WaitStep | ConditionStep | MessageStep | FeedbackStep | CouponStep | NotifyStep | EndStep


class Definition(msgspec.Struct, frozen=True, kw_only=True):
    """What people decide. A version of it never changes."""

    trigger: AutomationTrigger
    steps: tuple[AnyStep, ...] = ()
    # Of the words that lead out, and of what the product itself says.
    language: Language = "tr"
    time_zone: str = "UTC"
    # Empty: no quiet hours.
    quiet_from: str = "21:00"
    quiet_until: str = "10:00"
    # Advertising of any kind to one person in so many days; 0: no limit. How often somebody is asked how it was follows
    # the same days.
    cap_messages: int = 2
    cap_days: Literal[7, 30] = 7
    # Of the house: they hear of low ratings, and whatever a step tells them.
    phones: tuple[str, ...] = ()


class Automation(msgspec.Struct, frozen=True, kw_only=True):
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


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody on their way."""

    account_id: int
    id: str
    automation_id: str
    version: int
    contact_id: str
    occasion: str
    state: RunState = "waiting"
    reason: Ended = ""
    step: int = 0
    due_at: int | None
    venue_id: str = ""
    order_id: str = ""
    coupon_code: str = ""
    started_at: int
    ended_at: int | None = None


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """A step that was made, and what came of it."""

    kind: str
    state: VisitState = "done"
    reason: str = ""
    message_key: str | None = None
    is_marketing: bool = False


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    run_id: str
    automation_id: str
    version: int
    step: int
    contact_id: str
    venue_id: str
    order_id: str
    rating: int | None
    comment: str
    is_open: bool
    closed_by: str
    closed_at: int | None
    asked_at: int
    answered_at: int | None


_DEFINITION = msgspec.json.Decoder(Definition)


def read_automation(row: AutomationRow) -> Automation:
    return Automation(
        account_id=row["account_id"],
        id=row["id"],
        name=row["name"],
        state=row["state"],
        trigger_kind=row["trigger_kind"],
        version=row["version"],
        instance_id=row["instance_id"],
        on_since=row["on_since"],
        sweep_at=row["sweep_at"],
        created_by=row["created_by"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def read_run(row: RunRow) -> Run:
    return Run(**row)


def read_rating(row: RatingRow) -> Rating:
    return Rating(
        account_id=row["account_id"],
        run_id=row["run_id"],
        automation_id=row["automation_id"],
        version=row["version"],
        step=row["step"],
        contact_id=row["contact_id"],
        venue_id=row["venue_id"],
        order_id=row["order_id"],
        rating=row["rating"],
        comment=row["comment"],
        is_open=bool(row["is_open"]),
        closed_by=row["closed_by"],
        closed_at=row["closed_at"],
        asked_at=row["asked_at"],
        answered_at=row["answered_at"],
    )


def read_definition(text: str) -> Definition:
    return _DEFINITION.decode(text)


def write_definition(definition: Definition) -> str:
    return msgspec.json.encode(definition).decode()


def kind_of(step: AnyStep) -> str:
    return str(step.__struct_config__.tag)
