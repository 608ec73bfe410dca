"""Bodies of the calls about automations."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import MAX_INTEGER, Phone, line
from tablegram.automations.fields import Preset
from tablegram.automations.model import MAX_NAME, MAX_PHONES, MAX_STEPS, Language

_Name = Annotated[str, line(MAX_NAME, "What the team calls it.", "How was it?")]
_Line = Annotated[int, Meta(ge=1, le=MAX_INTEGER, description="A line of the account.")]
_Trigger = Annotated[
    dict[str, object],
    Meta(
        description='What begins it: `on` is "first_order", "no_order" (with `days`), "birthday" (with `days` ahead and '
        '`at`, a time), "meal_finished", "tag_added" (with `tag`) or "first_message".',
        examples=[{"on": "meal_finished"}, {"on": "no_order", "days": 45}],
    ),
]
_Steps = Annotated[
    list[dict[str, object]],
    Meta(
        max_length=MAX_STEPS,
        description='What follows, in order; `do` is "wait", "condition", "message", "feedback", "coupon", "notify" or '
        '"end". What each takes is in the guide to automations. An error names the step by its path: steps[1].text.',
        examples=[[{"do": "wait", "hours": 1}, {"do": "feedback", "text": "How was it, {{first_name|dear guest}}?"}]],
    ),
]
_Clock = Annotated[
    str, Meta(pattern="^(([01][0-9]|2[0-3]):[0-5][0-9])?$", description="Empty: none.", examples=["21:00"])
]
_Zone = Annotated[str, line(60, "A time zone.", "Europe/Istanbul")]
_Cap = Annotated[
    int,
    Meta(ge=0, le=30, description="Advertising of campaigns and automations to one person in `cap_days`. 0: no limit."),
]
_CapDays = Annotated[Literal[7, 30], Meta(description="Days that `cap_messages` counts.")]
_Phones = Annotated[
    list[Phone], Meta(max_length=MAX_PHONES, description="Of the house: they hear of low ratings and of `notify`.")
]


class UpdateAutomation(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; the rest stays as it is."""

    name: _Name | UnsetType = UNSET
    trigger: _Trigger | UnsetType = UNSET
    steps: _Steps | UnsetType = UNSET
    instance_id: (
        Annotated[_Line | None, Meta(description="Null: the venue's line, else the account's default line.")]
        | UnsetType
    ) = UNSET
    language: Annotated[Language, Meta(description="Of the words that lead out.")] | UnsetType = UNSET
    time_zone: _Zone | UnsetType = UNSET
    quiet_from: _Clock | UnsetType = UNSET
    quiet_until: _Clock | UnsetType = UNSET
    cap_messages: _Cap | UnsetType = UNSET
    cap_days: _CapDays | UnsetType = UNSET
    phones: _Phones | UnsetType = UNSET


class CreateAutomation(UpdateAutomation, kw_only=True, forbid_unknown_fields=True):
    """A draft: from a ready-made one, or with a name and a trigger."""

    preset: (
        Annotated[Preset, Meta(description="A ready-made one; what is given besides replaces its own.")] | UnsetType
    ) = UNSET


class TryAutomation(Struct, kw_only=True, forbid_unknown_fields=True):
    """On whom."""

    contact_id: Annotated[str, line(64, "A contact's id.")]
