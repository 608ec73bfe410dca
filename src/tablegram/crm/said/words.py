"""The words that were said to and by somebody, as what finds them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tablegram.crm.rows import NextSaid, SaidRow
from tablegram.crm.store import contacts as contact_store
from tablegram.crm.store import terms as term_store
from tablegram.crm.store.indexing import EARLIER
from tablegram.crm.terms import said_terms
from tablegram.storage.database import Tx
from tablegram.values.authors import CAMPAIGN

# The words by the name that they were said to or by: a number, or the network's id of a person; each with when it was last said.
Said = dict[str, dict[str, int]]


def finds(row: NextSaid) -> bool:
    """Whether its words find somebody. What all were told tells nobody apart."""
    return row["sent_by"] != CAMPAIGN


def words_of(rows: Iterable[SaidRow]) -> Said:
    said: Said = {}
    for row in rows:
        phone: str = row["phone"]
        at: int = row["created_at"]
        words, terms = said.get(phone), said_terms(row["text"])
        if words is None:
            said[phone] = dict.fromkeys(terms, at)
        else:
            words |= {term: at for term in terms if at > words.get(term, 0)}
    return said


async def earlier(tx: Tx, account_id: int, names: Iterable[tuple[str, str]]) -> Said:
    """What was said under names before a message key; `names` are pairs of both."""
    params = [{"account_id": account_id, "phone": name, "before": before} for name, before in names]
    return words_of(await tx.gather(EARLIER, params))


async def keep(tx: Tx, account_id: int, said: Said) -> None:
    """The words go to whoever has the name now: nobody, if they were erased since the messages were read."""
    names = [
        {"account_id": account_id, "kind": kind, "value": value} for value in said for kind in ("phone", "user_id")
    ]
    found = await tx.gather(contact_store.FIND_ALIAS, names)
    # One person may be written to under two names.
    last: dict[tuple[str, str], int] = {}
    for row in found:
        for term, at in said[row["value"]].items():
            last[row["contact_id"], term] = max(at, last.get((row["contact_id"], term), 0))
    rows: list[dict[str, Any]] = [
        {"account_id": account_id, "contact_id": contact_id, "term": term, "source": "said", "said_at": at}
        for (contact_id, term), at in last.items()
    ]
    if rows:
        await tx.many(term_store.SAY, rows)
