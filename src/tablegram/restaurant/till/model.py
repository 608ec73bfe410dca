"""Cash in a drawer. Minor units everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import msgspec

from tablegram.storage.database import Params

if TYPE_CHECKING:
    from tablegram.restaurant.till.rows import CountRow, MovementRow

# Taken from guests, their tips, what couriers hand in, what is put in (change, a float); given back, and paid out.
Kind = Literal["taken", "tips", "handed_in", "put_in", "given_back", "paid_out"]
KINDS: tuple[Kind, ...] = get_args(Kind)
OUT: frozenset[Kind] = frozenset({"given_back", "paid_out"})
# Notes and coins that are in use, the largest first; elsewhere the sum is counted.
NOTES: dict[str, tuple[int, ...]] = {
    "TRY": (200_00, 100_00, 50_00, 20_00, 10_00, 5_00, 1_00, 50, 25),
    "EUR": (500_00, 200_00, 100_00, 50_00, 20_00, 10_00, 5_00, 2_00, 1_00, 50, 20, 10, 5, 2, 1),
    "USD": (100_00, 50_00, 20_00, 10_00, 5_00, 2_00, 1_00, 50, 25, 10, 5, 1),
    "GBP": (50_00, 20_00, 10_00, 5_00, 2_00, 1_00, 50, 20, 10, 5, 2, 1),
}


class Note(msgspec.Struct, frozen=True):
    """So many notes or coins of one value."""

    value: int
    count: int


class Movement(msgspec.Struct, frozen=True, kw_only=True):
    """Cash that came into the drawer or left it."""

    account_id: int
    id: str
    venue_id: str
    kind: Kind
    amount: int
    currency: str
    source: str | None = None
    by: str
    reason: str = ""
    created_at: int
    count_id: str | None = None


class Sums(msgspec.Struct, frozen=True, kw_only=True):
    """What came and went since the count before."""

    opening: int = 0
    taken: int = 0
    tips: int = 0
    handed_in: int = 0
    put_in: int = 0
    given_back: int = 0
    paid_out: int = 0

    @property
    def expected(self) -> int:
        """What should be in the drawer."""
        came = self.taken + self.tips + self.handed_in + self.put_in
        return self.opening + came - self.given_back - self.paid_out


class Till(msgspec.Struct, frozen=True, kw_only=True):
    """The drawer since it was counted."""

    sums: Sums
    since: int | None = None
    number: int = 0


class Count(Sums, frozen=True, kw_only=True):
    """The drawer as somebody found it. It never changes."""

    account_id: int
    id: str
    venue_id: str
    number: int
    currency: str
    counted: int
    kept: int
    notes: tuple[Note, ...] = ()
    reason: str = ""
    by: str
    since: int | None = None
    created_at: int

    @property
    def difference(self) -> int:
        """More than nothing: too much is there."""
        return self.counted - self.expected


_encode = msgspec.json.Encoder().encode
_notes = msgspec.json.Decoder(tuple[Note, ...]).decode


def count_row(count: Count) -> Params:
    return {**msgspec.structs.asdict(count), "expected": count.expected, "notes": _encode(count.notes).decode()}


def read_count(row: CountRow) -> Count:
    return Count(
        opening=row["opening"],
        taken=row["taken"],
        tips=row["tips"],
        handed_in=row["handed_in"],
        put_in=row["put_in"],
        given_back=row["given_back"],
        paid_out=row["paid_out"],
        account_id=row["account_id"],
        id=row["id"],
        venue_id=row["venue_id"],
        number=row["number"],
        currency=row["currency"],
        counted=row["counted"],
        kept=row["kept"],
        notes=_notes(row["notes"]),
        reason=row["reason"],
        by=row["by"],
        since=row["since"],
        created_at=row["created_at"],
    )


def read_movement(row: MovementRow) -> Movement:
    return Movement(**row)
