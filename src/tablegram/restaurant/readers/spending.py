"""An account's switch for the language model, and what it may spend on a day.

A call is taken before it is made, with the most that it can cost, and put right afterwards: whatever dies in between has
been counted too high and never too low, in however many processes.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from tablegram.restaurant.rows.readers import Trouble
from tablegram.restaurant.store import readers as store
from tablegram.storage.database import Tx
from tablegram.values.clock import DAY_MS


class Caps(NamedTuple):
    """Of an account, on a day of UTC."""

    calls: int
    tokens: int


class ReaderSpending(msgspec.Struct, frozen=True):
    is_on: bool = False
    calls: int = 0
    tokens: int = 0
    # Why the last call came to nothing; empty where it did not.
    trouble: Trouble | Literal[""] = ""
    trouble_at: int | None = None
    answered_at: int | None = None

    def has_room(self, reserved: int, caps: Caps) -> bool:
        return self.calls < caps.calls and self.tokens + reserved <= caps.tokens


async def look(tx: Tx, account_id: int, now_ms: int) -> ReaderSpending:
    row = await tx.first(store.GET, {"b_account": account_id})
    if row is None:
        return ReaderSpending()
    spent = await tx.first(store.SPENT, _today(account_id, now_ms))
    return ReaderSpending(
        is_on=bool(row["is_on"]),
        calls=0 if spent is None else spent["calls"],
        tokens=0 if spent is None else spent["tokens"],
        trouble=row["trouble"],
        trouble_at=row["trouble_at"],
        answered_at=row["answered_at"],
    )


async def switch(tx: Tx, account_id: int, is_on: bool, now_ms: int) -> None:
    await tx.run(store.BEGIN, {"account_id": account_id, "trouble": "", "updated_at": now_ms})
    await tx.run(store.SWITCH, {"b_account": account_id, "new_is_on": int(is_on), "now": now_ms})


async def take(tx: Tx, account_id: int, reserved: int, caps: Caps, now_ms: int) -> bool:
    """Take one call of the day, and as many tokens as it can cost; not where that is more than is left."""
    day = _today(account_id, now_ms)
    await tx.run(store.BEGIN_DAY, {"account_id": account_id, "day": day["b_day"]})
    most = {"most_calls": caps.calls, "most_tokens": caps.tokens, "reserved": reserved}
    return await tx.run(store.TAKE, {**day, **most}) == 1


async def put_right(tx: Tx, account_id: int, reserved: int, tokens: int, taken_ms: int) -> None:
    """What the call that was taken then did cost."""
    await tx.run(store.PUT_RIGHT, {**_today(account_id, taken_ms), "more": tokens - reserved})


async def note(tx: Tx, account_id: int, trouble: Trouble | Literal[""], now_ms: int) -> None:
    """How the last call went, for people."""
    if trouble:
        await tx.run(store.WENT_WRONG, {"b_account": account_id, "new_trouble": trouble, "now": now_ms})
    else:
        await tx.run(store.WENT_WELL, {"b_account": account_id, "now": now_ms})


def _today(account_id: int, now_ms: int) -> dict[str, int]:
    return {"b_account": account_id, "b_day": now_ms // DAY_MS}
