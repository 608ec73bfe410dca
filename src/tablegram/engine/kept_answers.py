"""Answers that are kept for repeated calls show what was called for; whoever erases that erases them too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import bindparam, delete, or_

from tablegram.storage.database import Query, Tx
from tablegram.storage.tables import idempotency


class KeptAnswers:
    """Those of some routes; `below` is the beginning of the names of others."""

    def __init__(self, routes: Sequence[str], below: str = "") -> None:
        named = idempotency.c.route.in_(list(routes))
        self._forget = Query(
            delete(idempotency).where(
                idempotency.c.account_id == bindparam("b_account"),
                or_(named, idempotency.c.route.like(f"{below}%")) if below else named,
                idempotency.c.body.contains(bindparam("b_text")),
            )
        )

    async def forget(self, tx: Tx, account_id: int, texts: Iterable[str]) -> None:
        """Forget the answers in which one of the texts stands."""
        for text in texts:
            await tx.run(self._forget, {"b_account": account_id, "b_text": text})
