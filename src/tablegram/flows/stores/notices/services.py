"""What the edges ask about notifications and carts."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.flows.stores.notices.notice_desk import NoticeDesk


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeServices:
    desk: NoticeDesk
