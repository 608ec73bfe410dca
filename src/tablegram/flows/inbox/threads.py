"""A conversation as people read it: messages with what sits on them, and the notes between them."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tablegram.accounts.authors import Author
from tablegram.crm.rows import NoteRow
from tablegram.flows.gateway.answers.messages import MessageView
from tablegram.messaging.records.transcripts import Details


class ThreadMessage(Struct, kw_only=True, frozen=True):
    """A message with its parts, and the last reaction of either side, by the side that it is of."""

    key: str
    at_ms: int
    author: Author | None
    message: MessageView
    details: Details
    reactions: dict[str, str] = {}


class ThreadNote(Struct, kw_only=True, frozen=True):
    """What somebody of the team noted."""

    key: str
    at_ms: int
    author: Author | None
    text: str


class Thread(Struct, kw_only=True, frozen=True):
    """Newest first."""

    data: list[ThreadMessage | ThreadNote]
    next_cursor: str | None


def noted(row: NoteRow, author: Author | None) -> ThreadNote:
    return ThreadNote(key=row["id"], at_ms=row["created_at"], author=author, text=row["text"])


def with_reactions(entries: list[ThreadMessage]) -> list[ThreadMessage]:
    """The last reaction of either side, shown on its message; one whose message is not here stands alone."""
    known = {entry.message.message_id for entry in entries}
    sitting: dict[str, dict[str, str]] = {}
    alone = []
    for entry in reversed(entries):
        reaction, side = entry.details.reaction, entry.message.direction
        if reaction is None or reaction.to not in known:
            alone.append(entry)
        elif reaction.emoji:
            sitting.setdefault(reaction.to, {})[side] = reaction.emoji
        else:
            sitting.get(reaction.to, {}).pop(side, None)
    return [replace(entry, reactions=sitting.get(entry.message.message_id, {})) for entry in alone[::-1]]
