"""The language model that reads guests' texts, as the account uses it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tablegram.restaurant.rows.readers import Trouble
from tablegram.values.clock import MomentText


class ReaderTrouble(Struct, kw_only=True, frozen=True):
    """Why the last call of the model came to nothing. The guest was answered by the rules."""

    code: Trouble
    detail: Annotated[str, Meta(description="The same in words.")]
    at: MomentText


class ReaderView(Struct, kw_only=True, frozen=True):
    """How the account uses the language model."""

    is_there: Annotated[bool, Meta(description="Whether the installation has one.")]
    is_on: bool
    calls_today: Annotated[int, Meta(description="Texts that were sent to it since midnight, UTC.")]
    calls_a_day: Annotated[int, Meta(description="How many may be.")]
    tokens_today: Annotated[int, Meta(description="What they cost, calls under way counted at their most.")]
    tokens_a_day: Annotated[int, Meta(description="How many they may cost.")]
    answered_at: Annotated[MomentText | None, Meta(description="When it last answered as it should.")]
    trouble: Annotated[ReaderTrouble | None, Meta(description="Null while all is well.")]
