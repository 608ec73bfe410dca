"""What the network thinks of a line, beside whether it answers: a ban, a restriction, its quality.

The network says so once, and takes it back once. Until then it holds, however well the line answers.
"""

from __future__ import annotations

import msgspec

from tablegram.messaging.incoming import LineStanding
from tablegram.messaging.records.states import entry
from tablegram.messaging.store import instances as store
from tablegram.storage.database import Tx

# The worst comes first; what is not here is as good as it gets.
_ORDER = ("restricted", "needs_attention", "logged_out", "disconnected", "degraded")


class Held(msgspec.Struct, frozen=True):
    """One thing that the network holds against a line, or, without a state, that it no longer does."""

    state: str
    reason: str
    # When it was said, and when it ends by itself, if it does.
    at_ms: int
    until_ms: int | None = None


class Change(msgspec.Struct, frozen=True):
    """How a line stood, and how it stands."""

    previous: str
    state: str
    reason: str


_HELD = msgspec.json.Decoder(dict[str, Held])


def worst(written: str, now_ms: int) -> tuple[str, str] | None:
    """The state and the reason that hold now; nothing where the network holds nothing against the line."""
    held = [one for one in read(written).values() if one.state and _holds(one, now_ms)]
    if not held:
        return None
    first = min(held, key=lambda one: (_ORDER.index(one.state), -one.at_ms))
    return first.state, first.reason


def is_worse(state: str, than: str) -> bool:
    return state in _ORDER and (than not in _ORDER or _ORDER.index(state) < _ORDER.index(than))


def read(written: str) -> dict[str, Held]:
    return _HELD.decode(written) if written else {}


def _holds(one: Held, now_ms: int) -> bool:
    return one.until_ms is None or one.until_ms > now_ms


async def take(tx: Tx, account_id: int, line_id: int, said: LineStanding, at_ms: int, now_ms: int) -> Change | None:
    """Remember what the network says of a line; how it stands otherwise since, if it does.

    Callbacks come in any order: of one topic the latest word holds. A word that takes something back is remembered
    too, so that the word before it, come late, does not undo it.
    """
    which = {"b_account": account_id, "b_id": line_id}
    row = await tx.first(store.LOCK, which)
    if row is None:
        return None
    held = read(row["standing"])
    if said.topic in held and held[said.topic].at_ms > at_ms:
        return None
    until = said.until_ms if said.lasts_ms is None else at_ms + said.lasts_ms
    held[said.topic] = Held(said.state or "", said.reason, at_ms, until)
    before = worst(row["standing"], now_ms)
    written = msgspec.json.encode(held).decode()
    now = worst(written, now_ms)
    state, reason = row["state"], row["reason"]
    if now is not None:
        state, reason = now
    elif before is not None and (state, reason) == before:
        # What was held against it is over; its next check tells more.
        state, reason = "connected", "Connected."
    await tx.run(store.STAND, {**which, "standing": written, "state": state, "reason": reason, "now": now_ms})
    if state != row["state"]:
        await tx.run(*entry(account_id, line_id, state, reason, now_ms))
    is_other = (state, reason) != (row["state"], row["reason"])
    return Change(row["state"], state, reason) if is_other else None
