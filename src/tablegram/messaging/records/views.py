"""A message as the API shows it."""

from __future__ import annotations

from typing import Any

from tablegram.messaging.erased import is_erased
from tablegram.messaging.records.transcripts import content_of
from tablegram.storage.database import Row
from tablegram.values.clock import iso
from tablegram.values.ids import gateway_id

_STEPS = (
    ("queued", "created_at"),
    ("sent", "sent_at"),
    ("delivered", "delivered_at"),
    ("read", "read_at"),
    ("failed", "failed_at"),
)


def usd(micros: int) -> float:
    return micros / 1_000_000


def cost_micros(row: Row) -> int:
    """What the network finally charged, or the estimate while it has not said; a failed message costs nothing."""
    if row["state"] in ("failed", "cancelled"):
        return 0
    return int(row["cost_micros"] if row["cost_final_micros"] is None else row["cost_final_micros"])


def message_id(row: Row) -> str:
    """What a message is called: by the network, or by us while it has no such name or must not show it any more."""
    return gateway_id(row["id"]) if is_erased(row) else row["network_id"] or gateway_id(row["id"])


def view(row: Row, media: dict[str, Any] | None = None) -> dict[str, Any]:
    """`media`: the file that an inbound message came with, as it stands."""
    own_id = gateway_id(row["id"])
    return {
        "message_id": message_id(row),
        "gateway_id": own_id,
        "instance_id": row["instance_id"],
        "direction": row["direction"],
        "phone": row["phone"],
        "type": row["type"],
        "text": row["text"],
        "media": media,
        "content": content_of(row),
        "status": row["state"],
        "status_history": _history(row),
        "error": _error(row),
        "cost_usd": usd(cost_micros(row)),
        "created_at": iso(row["created_at"]),
    }


def _history(row: Row) -> list[dict[str, Any]]:
    if row["direction"] == "in":
        return [{"status": "received", "at": iso(row["created_at"])}]
    final = "cancelled" if row["state"] == "cancelled" else "failed"
    steps: list[tuple[int, str]] = []
    for name, column in _STEPS:
        if row[column] is not None:
            # The network tells whole seconds; a step is never shown before the one that led to it.
            steps.append((max(row[column], steps[-1][0] if steps else 0), final if name == "failed" else name))
    if row["failed_at"] is not None:
        # A failure that a later delivery overruled stands where it happened.
        steps = sorted([*steps[:-1], (max(row["failed_at"], row["created_at"]), final)], key=lambda step: step[0])
    return [{"status": name, "at": iso(at)} for at, name in steps]


def _error(row: Row) -> dict[str, Any] | None:
    if row["error_code"] is None:
        return None
    return {"code": row["error_code"], "detail": row["error_detail"] or "", "network_code": row["error_network_code"]}
