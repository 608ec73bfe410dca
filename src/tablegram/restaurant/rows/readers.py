"""Rows of the model that reads texts: an account's switch, and what it spent."""

from __future__ import annotations

from typing import Literal

from tablegram.storage.shapes import TypedDict

# Why a call of the model came to nothing.
Trouble = Literal[
    "unreachable", "slow", "key_refused", "refused", "too_large", "not_json", "unfit", "resting", "over_cap"
]


class ReaderRow(TypedDict):
    account_id: int
    is_on: int
    # Empty where the last call came to something.
    trouble: Trouble | Literal[""]
    trouble_at: int | None
    answered_at: int | None
    updated_at: int


class ReaderDay(TypedDict):
    account_id: int
    day: int
    calls: int
    tokens: int
