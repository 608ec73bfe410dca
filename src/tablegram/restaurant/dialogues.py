"""What a guest was asked about a text of theirs, so that a short answer completes it.

One for each guest of a venue: the newest question is the one that is answered. Whoever looks at it holds it until their
transaction ends, so that of two answers at once only one completes the order.
"""

from __future__ import annotations

import msgspec

from tablegram.restaurant.reading import Question, Reading
from tablegram.restaurant.reading.dialogue.joining import Asked, Progress
from tablegram.restaurant.rows.guests import DialogueRow
from tablegram.restaurant.store import dialogues as store
from tablegram.restaurant.texts.asked import OPEN_MS
from tablegram.storage.database import Tx
from tablegram.values.clock import MINUTE_MS

# An answer that comes again so soon is the same one: a thumb was quick, or they say it more clearly.
ECHO_MS = MINUTE_MS
# The network's clock and ours may differ by so much.
CLOCKS_MS = 10_000
# As many as one reads on a phone; the others are asked after them.
MOST_QUESTIONS = 5

_encode = msgspec.json.Encoder().encode


_decode_progress = msgspec.json.Decoder(Progress).decode
_decode_asked = msgspec.json.Decoder(tuple[Question, ...]).decode


class Dialogue(msgspec.Struct, frozen=True):
    account_id: int
    venue_id: str
    phone: str
    contact_id: str
    # The earlier text, and the message that it came with.
    text: str
    message_key: str
    language: str
    # The open questions, in the order they were listed in.
    asked: tuple[Question, ...]
    asked_at: int
    progress: Progress = Progress()
    state: str = "open"

    @property
    def open(self) -> Asked:
        return Asked(self.text, self.asked, self.progress)


async def find(tx: Tx, account_id: int, venue_id: str, phone: str, now: int) -> Dialogue | None:
    """What the guest was asked last, locked; nothing where that is too long ago."""
    return _recent(await tx.first(store.LOCK, {"b_account": account_id, "b_venue": venue_id, "b_phone": phone}), now)


async def look(tx: Tx, account_id: int, venue_id: str, phone: str, now: int) -> Dialogue | None:
    """The same without holding it: another may answer it before whoever looks acts on it."""
    return _recent(await tx.first(store.GET, {"b_account": account_id, "b_venue": venue_id, "b_phone": phone}), now)


def _recent(row: DialogueRow | None, now: int) -> Dialogue | None:
    if row is None:
        return None
    lasts = OPEN_MS if row["state"] == "open" else ECHO_MS
    return _dialogue(row) if now - row["asked_at"] < lasts else None


async def keep(tx: Tx, dialogue: Dialogue) -> None:
    """Remember it, in the place of whatever this guest was asked before."""
    values = msgspec.structs.asdict(dialogue)
    encoded = {name: _encode(values[name]).decode() for name in ("asked", "progress")}
    await tx.run(store.KEEP, {**values, **encoded})


async def close(tx: Tx, dialogue: Dialogue, reading: Reading, progress: Progress, now: int) -> None:
    """It was answered: what it came to, it came to once."""
    progress = msgspec.structs.replace(progress, table=reading.table, order_type=reading.order_type, notes="")
    # With the questions, so that the same answer is known when it comes again.
    changes = {"new_progress": _encode(progress).decode(), "new_asked": _encode(dialogue.asked).decode(), "now": now}
    await tx.run(store.CLOSE, {**_which(dialogue), **changes})


async def forget(tx: Tx, account_id: int, venue_id: str, phone: str) -> None:
    await tx.run(store.FORGET, {"b_account": account_id, "b_venue": venue_id, "b_phone": phone})


async def is_overtaken(tx: Tx, dialogue: Dialogue, contact_id: str) -> bool:
    """Whether the guest has ordered since they were asked, on the page for instance. Then they are done with it."""
    which = {"b_account": dialogue.account_id, "b_contact": contact_id, "b_venue": dialogue.venue_id}
    return await tx.first(store.ORDERED_SINCE, {**which, "since": dialogue.asked_at}) is not None


def was_seen(dialogue: Dialogue, written_at: int) -> bool:
    """Whether who wrote then may have read our question; what waited while we were down was written before it."""
    return written_at > dialogue.asked_at - CLOCKS_MS


def _which(dialogue: Dialogue) -> dict[str, int | str]:
    return {"b_account": dialogue.account_id, "b_venue": dialogue.venue_id, "b_phone": dialogue.phone}


def _dialogue(row: DialogueRow) -> Dialogue:
    return Dialogue(
        account_id=row["account_id"],
        venue_id=row["venue_id"],
        phone=row["phone"],
        contact_id=row["contact_id"],
        text=row["text"],
        message_key=row["message_key"],
        language=row["language"],
        asked=_decode_asked(row["asked"]),
        asked_at=row["asked_at"],
        progress=_decode_progress(row["progress"]),
        state=row["state"],
    )
