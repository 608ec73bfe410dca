"""The states of an automation, and what leads from one to another."""

from __future__ import annotations

from typing import Literal

from tablegram.errors import Conflict

State = Literal["draft", "on", "paused", "archived"]
Event = Literal["turn_on", "pause", "archive"]

# Every pair that is not here is refused; nothing leads out of the archive.
NEXT: dict[tuple[State, Event], State] = {
    ("draft", "turn_on"): "on",
    ("paused", "turn_on"): "on",
    ("on", "pause"): "paused",
    ("draft", "archive"): "archived",
    ("on", "archive"): "archived",
    ("paused", "archive"): "archived",
}
_WORDS: dict[Event, str] = {"turn_on": "turned on", "pause": "paused", "archive": "put away"}


def next_state(state: State, event: Event) -> State:
    after = NEXT.get((state, event))
    if after is None:
        raise Conflict(f"This automation is {state} and cannot be {_WORDS[event]}.", code="automation_state")
    return after
