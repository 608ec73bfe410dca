"""What a row of the store holds, column by column."""

from __future__ import annotations

from typing import TypedDict


class NewEvent(TypedDict):
    account_id: int
    id: str
    type: str
    sender: str
    # JSON, as it is posted.
    body: str
    created_at: int
    # The request that began it.
    trace: str | None


class NewDelivery(TypedDict):
    account_id: int
    webhook_id: str
    event_id: str
    sender: str
    state: str
    due_at: int
    created_at: int
