"""Rows of the model that reads texts: an account's switch, and what it spent."""

from __future__ import annotations

from typing import Literal

from tablegram.storage.shapes import TypedDict

# Why a reader could not do its work: a stable code. What people read about it stands in the words of the pages.
Trouble = Literal[
    "unreachable",  # nobody answers at its address
    "slow",  # not within the time that a guest waits
    "key_refused",
    "refused",  # any other answer than 200
    "too_large",
    "not_json",
    "unfit",  # not what the menu has, or not what was asked for
    "resting",  # it failed so often just now that it is not asked
    "over_cap",  # the account has spent what it may on one day
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
