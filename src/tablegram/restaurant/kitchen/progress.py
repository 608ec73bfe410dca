"""How far each line of an order is, and what the order's own state is by that.

A tap moves some lines. Whatever stations tap in whatever order, the order is what its lines say: sent to the kitchen
while nobody has begun, ready once the last of them is done, and being prepared between the two.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Literal, get_args

import msgspec

from tablegram.restaurant.lines import PricedLine
from tablegram.restaurant.orders.states import State

LineState = Literal["waiting", "cooking", "done"]
Tap = Literal["start", "finish", "recall"]
TAPS: tuple[Tap, ...] = get_args(Tap)
# The states in which stations have something to do; what is past them has left the kitchen.
IN_KITCHEN: frozenset[State] = frozenset({"sent_to_kitchen", "preparing", "ready"})
# Every pair: the next state; the same one where a tap comes twice, or has nothing to do.
TABLE: dict[tuple[LineState, Tap], LineState] = {
    ("waiting", "start"): "cooking",
    ("waiting", "finish"): "done",
    ("waiting", "recall"): "waiting",
    ("cooking", "start"): "cooking",
    ("cooking", "finish"): "done",
    ("cooking", "recall"): "cooking",
    ("done", "start"): "done",
    ("done", "finish"): "done",
    ("done", "recall"): "cooking",
}


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a line; a line that nobody has touched has none."""

    line: str
    station: str
    state: LineState = "waiting"
    portions: int = 0
    started_at: int | None = None
    done_at: int | None = None
    tap: str = ""
    by: str = ""
    at: int = 0


Marks = Mapping[str, Mark]


class KitchenLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of an order with how far it is."""

    key: str
    line: PricedLine
    mark: Mark

    @property
    def station(self) -> str:
        return self.line.station

    @property
    def state(self) -> LineState:
        """More of a dish that was done is still to be made."""
        if self.mark.state == "done" and self.mark.portions < self.line.quantity:
            return "cooking"
        return self.mark.state

    @property
    def made(self) -> int:
        """Portions that are done."""
        return min(self.mark.portions, self.line.quantity)


def line_keys(lines: Iterable[PricedLine]) -> list[str]:
    """What each line is called: the same for the same dish, options and note, whatever else changes in the order."""
    seen: dict[str, int] = {}
    keys = []
    for line in lines:
        digest = hashlib.sha256(repr(line.line.key).encode("utf-8", "surrogatepass")).hexdigest()[:12]
        seen[digest] = seen.get(digest, 0) + 1
        keys.append(digest if seen[digest] == 1 else f"{digest}-{seen[digest]}")
    return keys


def shares(lines: Iterable[PricedLine], marks: Marks, state: State) -> list[KitchenLine]:
    """The lines of an order with how far they are, in the order's own order.

    An order without any mark was moved on as a whole, before its lines had states of their own.
    """
    kept = tuple(lines)
    assumed: LineState = "waiting"
    if not marks and state not in ("awaiting_confirmation", "awaiting_payment", "sent_to_kitchen"):
        assumed = "cooking" if state == "preparing" else "done"
    found = []
    for key, line in zip(line_keys(kept), kept, strict=True):
        bare = Mark(line=key, station=line.station, state=assumed, portions=line.quantity if assumed == "done" else 0)
        found.append(KitchenLine(key=key, line=line, mark=marks.get(key, bare)))
    return found


def summed(states: Iterable[LineState]) -> LineState:
    """What several lines come to: a station's share of an order."""
    every = set(states)
    if every <= {"waiting"}:
        return "waiting"
    return "done" if every == {"done"} else "cooking"


def order_state(found: Iterable[KitchenLine]) -> State:
    """What the lines say that the order is."""
    states: dict[LineState, State] = {"waiting": "sent_to_kitchen", "cooking": "preparing", "done": "ready"}
    return states[summed(one.state for one in found)]


def tapped(share: KitchenLine, tap: Tap, tap_id: str, who: str, now: int) -> Mark:
    """What a tap makes of a line; the same mark where it changes nothing."""
    after = TABLE[share.state, tap]
    if after == share.state:
        return share.mark
    return Mark(
        line=share.key,
        station=share.station,
        state=after,
        portions=share.line.quantity if after == "done" else 0,
        started_at=share.mark.started_at or now,
        done_at=now if after == "done" else None,
        tap=tap_id,
        by=who,
        at=now,
    )
