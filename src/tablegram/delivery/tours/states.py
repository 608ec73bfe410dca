"""The life of a delivery: given to somebody, picked up, then delivered or brought back. Only forward.

Each step says what happens to the order with it; `back_from` is what taking a step back means for the order.
"""

from __future__ import annotations

from typing import Literal, get_args

State = Literal["assigned", "picked_up", "delivered", "brought_back", "dropped"]
Action = Literal["pick_up", "deliver", "bring_back", "drop"]
# Where a delivery was before a step; empty before it was given to somebody.
Before = State | Literal[""]
# What happens to the order; its own table knows what each of them means.
OrderEvent = Literal["dispatch", "deliver", "bring_back", "undeliver"]

ACTIONS: tuple[Action, ...] = get_args(Action)
# Nothing is under way any more.
ENDED: frozenset[State] = frozenset({"delivered", "brought_back", "dropped"})

# Every step there is. Whoever says "delivered" and forgot to say "picked up" has done both.
TABLE: dict[tuple[State, Action], tuple[State, tuple[OrderEvent, ...]]] = {
    ("assigned", "pick_up"): ("picked_up", ("dispatch",)),
    ("assigned", "deliver"): ("delivered", ("dispatch", "deliver")),
    ("assigned", "drop"): ("dropped", ()),
    ("picked_up", "deliver"): ("delivered", ("deliver",)),
    ("picked_up", "bring_back"): ("brought_back", ("bring_back",)),
}
# Where a step leads: one that comes again, when it is done already, changes nothing.
_LEADS_TO: dict[Action, State] = {
    "pick_up": "picked_up",
    "deliver": "delivered",
    "bring_back": "brought_back",
    "drop": "dropped",
}
_BACK: dict[tuple[Before, State], tuple[OrderEvent, ...]] = {
    ("assigned", "picked_up"): ("bring_back",),
    ("assigned", "delivered"): ("undeliver", "bring_back"),
    ("picked_up", "delivered"): ("undeliver",),
    ("picked_up", "brought_back"): ("dispatch",),
}


def step(state: State, action: Action) -> tuple[State, tuple[OrderEvent, ...]] | None:
    """What becomes of a delivery and what happens to its order; nothing for a step that cannot be made."""
    if _LEADS_TO[action] == state:
        return state, ()
    return TABLE.get((state, action))


def back_from(before: Before, after: State) -> tuple[OrderEvent, ...] | None:
    """What happens to the order when a step is taken back; nothing for one that cannot be."""
    return _BACK.get((before, after))
