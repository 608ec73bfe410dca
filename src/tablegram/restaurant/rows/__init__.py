"""What a row of the restaurant's store holds, column by column."""

from __future__ import annotations

from tablegram.storage.shapes import TypedDict


class WithId(TypedDict):
    id: str


class WhichRow(WithId):
    account_id: int


class HowMany(TypedDict):
    n: int
