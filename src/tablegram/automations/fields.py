"""What may be given when an automation is made or changed. What is not named is not there."""

from __future__ import annotations

from typing import Literal, TypedDict

from tablegram.values import Json

Preset = Literal["welcome", "win_back", "birthday", "feedback"]


class AutomationFields(TypedDict, total=False):
    """`trigger` and `steps` are as people and programs write them; `checking` reads them, and tells by path what is wrong."""

    name: str
    trigger: Json
    steps: list[Json]
    instance_id: int | None
    language: str
    time_zone: str
    quiet_from: str
    quiet_until: str
    cap_messages: int
    cap_days: int
    phones: list[str]


class NewAutomationFields(AutomationFields, total=False):
    preset: Preset
