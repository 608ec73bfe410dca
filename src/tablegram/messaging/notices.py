"""What the network said that is nobody's message: kept as rows, found by words; the raw body stays in the inbox."""

from __future__ import annotations

import msgspec

from tablegram.messaging.incoming import Notice
from tablegram.messaging.store import notices as store
from tablegram.storage.database import Tx
from tablegram.values.folding import fold
from tablegram.values.ids import new_id

UNKNOWN, UNKNOWN_NUMBER, MALFORMED = "unknown", "unknown_number", "malformed"
# What nobody acts on until a person has looked at it.
NOT_UNDERSTOOD = (UNKNOWN, UNKNOWN_NUMBER, MALFORMED)
_MAX_WORDS = 2_000

_encode = msgspec.json.Encoder().encode


async def keep(
    tx: Tx, account_id: int, line_id: int | None, notice: Notice, at_ms: int, body: tuple[str, str], key: str
) -> bool:
    """Whether it is new."""
    facts = {name: value.replace("\x00", "") for name, value in notice.facts.items()}
    field = notice.field.replace("\x00", "")[:200]
    row = {
        "account_id": account_id,
        "id": new_id(),
        "instance_id": line_id,
        "kind": notice.kind,
        "field": field,
        "facts": _encode(facts).decode(),
        "words": fold(" ".join([field, notice.kind, notice.phone, *facts.values()]))[:_MAX_WORDS],
        "source": body[0],
        "external_id": body[1],
        "key": key[:500],
        "at": at_ms,
    }
    return await tx.first(store.KEEP, row) is not None
