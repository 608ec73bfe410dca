"""What a restored installation must not take up again."""

from __future__ import annotations

from sqlalchemy import Connection, MetaData, update

CODE = "restored_unsent"
DETAIL = "It was queued when the backup was made and may have been sent since; it was not sent again."


def stop_queued(connection: Connection, tables: MetaData, now_ms: int) -> None:
    """Mark every queued message as failed, on the tables as they are in the backup's version."""
    messages = tables.tables["messages"]
    connection.execute(
        update(messages)
        .where(messages.c.state == "queued")
        .values(
            state="failed",
            failed_at=now_ms,
            error_code=CODE,
            error_detail=DETAIL,
            due_at=None,
            doubt_at=None,
            claimed_by=None,
            claimed_at=None,
        )
    )
