"""A call of the log as it is shown. Apart from the log itself, which is kept without anybody looking at it."""

from __future__ import annotations

from tablegram.accounts.rows import CallRow
from tablegram.api.schemas.answers import RequestView
from tablegram.values.clock import iso


def view(row: CallRow) -> RequestView:
    return RequestView(
        request_id=row["request_id"],
        key_id=row["key_id"],
        method=row["method"],
        path=row["path"],
        status=row["status"],
        code=row["code"],
        detail=row["detail"],
        duration_ms=row["duration_us"] / 1_000,
        remote=row["remote"],
        created_at=iso(row["created_at"]),
    )
