"""What the edges ask of the inbox."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.flows.inbox.canned import CannedReplies
from tablegram.flows.inbox.conversations import Conversations
from tablegram.flows.inbox.notes import Notes


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxServices:
    conversations: Conversations
    canned: CannedReplies
    notes: Notes
