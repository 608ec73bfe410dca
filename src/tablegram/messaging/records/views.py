"""What a message is called, and what it cost."""

from __future__ import annotations

from tablegram.messaging.erased import is_erased
from tablegram.messaging.rows.messages import Known, MessageRow
from tablegram.values.ids import gateway_id


def usd(micros: int) -> float:
    return micros / 1_000_000


def cost_micros(row: MessageRow) -> int:
    """What the network finally charged, or the estimate while it has not said; a failed message costs nothing."""
    if row["state"] in ("failed", "cancelled"):
        return 0
    return row["cost_micros"] if row["cost_final_micros"] is None else row["cost_final_micros"]


def message_id(row: Known) -> str:
    """What a message is called: by the network, or by us while it has no such name or must not show it any more."""
    return gateway_id(row["id"]) if is_erased(row) else row["network_id"] or gateway_id(row["id"])
