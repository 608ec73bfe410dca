"""A message before it is accepted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call
from tablegram.errors import Problem
from tablegram.messaging.model import NORMAL, Content


class Draft(msgspec.Struct, frozen=True):
    """A message that was checked at the edge and not yet accepted."""

    phone: str
    content: Content
    type: str
    text: str
    instance_id: int | None = None
    send_at_ms: int | None = None
    priority: int = NORMAL
    reply_to: str = ""
    # The uploaded file that the message takes along; unless it is shared, no other message has it.
    media_id: str = ""
    shares_media: bool = False


# Makes a draft that needs looks at files or other messages first. It is asked only when the call's key is free: a
# replay costs no such look, and stands when what was looked at is gone.
MakeDraft = Callable[[], Awaitable[Draft]]
MakeDrafts = Callable[[], Awaitable[Sequence[Draft | Problem]]]


class Handed(msgspec.Struct, frozen=True, array_like=True):
    """A call on its way to the process that has the line. `key` is the message's, whoever stores it: it is stored once."""

    key: str
    caller: Caller
    draft: Draft
    call: Call

    @property
    def is_whole(self) -> bool:
        """Whether it is to go at once, and all of it is in the call."""
        return not (self.call.respond_async or self.draft.send_at_ms is not None or self.draft.media_id)
