"""What guests were told of their points and gift cards by itself, or why they were not: each a row."""

from __future__ import annotations

from typing import Literal

from tablegram.loyalty.rows import WarningAbout
from tablegram.loyalty.store import warnings as store
from tablegram.storage.database import Tx
from tablegram.values.ids import new_id

# Stable: programs read them.
About = WarningAbout
Reason = Literal["opted_out", "no_consent", "no_phone", "no_line", "window_closed", "no_balance", "told_enough"]


async def note(
    tx: Tx, account_id: int, contact_id: str, about: About, now: int, *, reason: Reason | Literal[""] = "",
    message_key: str | None = None, points: int = 0, expires_at: int = 0, gift_id: str = "",
) -> None:  # fmt: skip
    """An empty `reason`: they were told."""
    await tx.run(
        store.INSERT,
        {
            "account_id": account_id, "id": new_id(now), "contact_id": contact_id, "points": points,
            "expires_at": expires_at, "message_key": message_key, "reason": reason, "created_at": now, "about": about,
            "gift_id": gift_id,
        },
    )  # fmt: skip
