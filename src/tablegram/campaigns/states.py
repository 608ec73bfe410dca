"""The states of a campaign: one table of what leads where, and nothing leads back from an end."""

from __future__ import annotations

from typing import Literal, get_args

from tablegram.errors import Conflict

State = Literal["draft", "scheduled", "running", "held", "paused", "cancelled", "finished", "stopped", "missed"]
# What people do, and what the engine finds: the time has come or is over, quiet hours begin or end, everybody has been
# written to, or something speaks against going on.
Event = Literal["start", "schedule", "pause", "resume", "cancel", "come", "miss", "hold", "go_on", "finish", "stop"]

STATES: tuple[State, ...] = get_args(State)
ENDS: frozenset[State] = frozenset({"cancelled", "finished", "stopped", "missed"})
# Something waits to be sent.
ACTIVE: frozenset[State] = frozenset({"running", "held"})

# Every pair that is not here is refused.
LEADS: dict[tuple[State, Event], State] = {
    ("draft", "start"): "running",
    ("draft", "schedule"): "scheduled",
    ("draft", "cancel"): "cancelled",
    ("scheduled", "cancel"): "cancelled",
    ("scheduled", "come"): "running",
    ("scheduled", "miss"): "missed",
    ("running", "pause"): "paused",
    ("running", "cancel"): "cancelled",
    ("running", "hold"): "held",
    ("running", "finish"): "finished",
    ("running", "stop"): "stopped",
    ("held", "pause"): "paused",
    ("held", "cancel"): "cancelled",
    ("held", "go_on"): "running",
    ("held", "stop"): "stopped",
    ("held", "finish"): "finished",
    ("paused", "resume"): "running",
    ("paused", "cancel"): "cancelled",
    ("paused", "stop"): "stopped",
}

_WORDS: dict[Event, str] = {
    "start": "Only a draft can be started.",
    "schedule": "Only a draft can be scheduled.",
    "pause": "Only a campaign that runs can be paused.",
    "resume": "Only a paused campaign can be resumed.",
    "cancel": "It has ended already.",
}


def next_state(state: State, event: Event) -> State:
    """Where an event leads; a conflict where it leads nowhere."""
    found = LEADS.get((state, event))
    if found is None:
        raise Conflict(f"This campaign is {state}. {_WORDS.get(event, '')}".strip(), code="campaign_state")
    return found
