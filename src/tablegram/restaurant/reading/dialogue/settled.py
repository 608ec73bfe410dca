"""What a guest has answered to questions about their text. The text is then read again as if they had said so at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from tablegram.restaurant.reading.dialogue.questions import Kind, Question
from tablegram.restaurant.reading.dishes.atoms import Atom


class Pick(msgspec.Struct, frozen=True):
    """One thing that was chosen: a dish, an option, or a mere number. So many of it, where that was said."""

    id: str = ""
    quantity: int | None = None
    # What was said about the dish along with it.
    said: tuple[Atom, ...] = ()


class Settlement(msgspec.Struct, frozen=True):
    question: Question
    picks: tuple[Pick, ...]

    @property
    def key(self) -> tuple[str, ...]:
        return _key(self.question)


def _key(question: Question) -> tuple[str, ...]:
    """What makes it the same question when the text is read again, by whatever menu there is then."""
    if question.kind in ("which_option", "unknown_option"):
        # Something that another size has is asked about by its own name, everything else by the guest's words.
        stray = question.candidates if question.kind == "unknown_option" else ()
        return question.kind, question.fragment, question.item_id, question.group_id, *stray
    return question.kind, question.fragment


class Settled:
    """The answers to one text."""

    def __init__(self, settlements: Iterable[Settlement] = ()) -> None:
        self._picks = {one.key: one.picks for one in settlements}

    def picks(self, question: Question) -> tuple[Pick, ...]:
        return self._picks.get(_key(question), ()) if self._picks else ()

    def dish(self, fragment: str) -> tuple[Pick, ...]:
        """Which dish was meant by some words."""
        if not self._picks:
            return ()
        kinds: tuple[Kind, Kind] = ("which_item", "unknown")
        return next((picks for kind in kinds if (picks := self.picks(Question(kind, fragment)))), ())

    def count(self, fragment: str) -> int | None:
        """How many, where the answer was one number."""
        if not self._picks:
            return None
        picks = self.picks(Question("how_many", fragment))
        return picks[0].quantity if len(picks) == 1 and not picks[0].id else None

    def options(self, question: Question) -> tuple[str, ...]:
        """The options that were chosen for all of them, as far as they are on offer."""
        picks = self.picks(question)
        ids = tuple(pick.id for pick in picks if pick.quantity is None)
        return ids if len(ids) == len(picks) and set(ids) <= set(question.candidates) else ()

    def lets_go(self, question: Question) -> bool:
        """Whether the guest does without what cannot be had."""
        return bool(self.picks(question))


NOTHING = Settled()


def share(picks: Sequence[Pick], total: int | None) -> list[int] | None:
    """How many of each; nothing where it does not come to as many as were ordered."""
    counts = [pick.quantity for pick in picks]
    given = [count for count in counts if count is not None]
    if not given and len(picks) > 1 and len(picks) == total:
        # Two of them, and two names: one of each.
        return [1] * len(picks)
    if not given or len(given) < len(counts) or min(given) < 1:
        return None
    return given if total is None or sum(given) == total else None
