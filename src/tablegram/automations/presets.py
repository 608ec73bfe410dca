"""Ready-made automations: what most restaurants begin with, in the language of the house."""

from __future__ import annotations

from tablegram.automations.fields import AutomationFields, Preset
from tablegram.values import Json
from tablegram.values.words import Words

PRESETS: tuple[Preset, ...] = ("welcome", "win_back", "birthday", "feedback")

_WORDS = Words(__file__)
_WAITS: dict[str, list[Json]] = {
    "welcome": [{"do": "wait", "days": 1, "until": "17:00"}],
    "win_back": [{"do": "wait", "until": "17:00"}],
    "birthday": [],
}
_GIFTS = {"welcome": (10, 30), "win_back": (15, 14), "birthday": (20, 14)}
_TRIGGERS: dict[str, Json] = {
    "welcome": {"on": "first_order"},
    "win_back": {"on": "no_order", "days": 45},
    "birthday": {"on": "birthday", "at": "11:00"},
    "feedback": {"on": "meal_finished"},
}


def fields_of(preset: Preset, language: str) -> AutomationFields:
    """The fields of a new automation."""
    words = _WORDS.of(language)
    steps: list[Json]
    if preset == "feedback":
        steps = [{"do": "wait", "hours": 1}, {"do": "feedback", "text": words["feedback_text"]}]
    else:
        percent, days = _GIFTS[preset]
        gift = {"do": "coupon", "name": words[f"{preset}_gift"], "percent": percent, "days": days}
        steps = [*_WAITS[preset], gift, {"do": "message", "text": words[f"{preset}_text"]}]
    return {"name": words[preset], "trigger": dict(_TRIGGERS[preset]), "steps": steps}
