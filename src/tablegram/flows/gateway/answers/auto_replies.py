"""Automatic replies, as they are answered."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tablegram.crm.auto_replies import Kind
from tablegram.flows.wire import DayOff, OpenDay
from tablegram.values.clock import MomentText


class AutoReplyView(Struct, kw_only=True, frozen=True):
    """An automatic reply; what does not belong to its kind is null."""

    id: str
    instance_id: int
    kind: Kind
    enabled: bool
    message: str
    cooldown_s: int
    created_at: MomentText
    after_days: int | None
    keywords: list[str] | None
    match: Literal["whole", "word"] | None
    # Whether the venue's hours hold; then the next three are null.
    follows_venue: bool | None
    time_zone: str | None
    hours: list[OpenDay] | None
    exceptions: list[DayOff] | None


class AutoReplyPage(Struct, kw_only=True, frozen=True):
    """The automatic replies of a line, oldest first."""

    data: list[AutoReplyView]
    next_cursor: str | None
