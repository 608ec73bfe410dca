"""A contact as a whole: how it is shown, and the words that find it, which change together with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from tablegram.crm.answers.contacts import Alias, Consent, ContactView
from tablegram.crm.rows import ContactRow, NewContact, WithTags
from tablegram.crm.store import contacts as store
from tablegram.crm.store import notes as note_store
from tablegram.crm.store import terms as term_store
from tablegram.crm.terms import profile_terms, said_terms
from tablegram.storage.database import Tx
from tablegram.values.clock import iso

# Of many notes in a conversation, the newest ones find it well enough.
MAX_NOTES = 100

Aliases = list[tuple[str, str]]
_TAGS = msgspec.json.Decoder(list[str])


def tags_of(row: WithTags) -> list[str]:
    return read_tags(row["tags"])


def read_tags(text: str) -> list[str]:
    return _TAGS.decode(text)


async def add_terms(tx: Tx, added: Sequence[tuple[NewContact, Aliases]]) -> None:
    """The words of contacts that are new."""
    rows = [_term(row, term) for row, aliases in added for term in _terms(row, aliases)]
    if rows:
        await tx.many(term_store.ADD, rows)


async def tell_terms(tx: Tx, account_id: int, contact_id: str) -> None:
    """Find a contact from now on by what it is now."""
    which = {"b_account": account_id, "b_id": contact_id}
    row = await tx.first(store.GET, which)
    await tx.run(term_store.FORGET_PROFILE, which)
    if row is None or row["merged_into"] is not None:
        return
    await add_terms(tx, [(row, await aliases_of(tx, account_id, contact_id))])
    noted = await tx.all(note_store.PAGE, {**which, "most": MAX_NOTES})
    terms = dict.fromkeys(term for note in noted for term in said_terms(note["text"]))
    if terms:
        await tx.many(term_store.ADD, [_term(row, term) for term in terms])


async def aliases_of(tx: Tx, account_id: int, contact_id: str) -> Aliases:
    rows = await tx.all(store.ALIASES, {"b_account": account_id, "b_id": contact_id})
    return [(row["kind"], row["value"]) for row in rows]


def _terms(row: NewContact, aliases: Aliases) -> set[str]:
    return profile_terms(row["name"], f"{row['notes']} {row['username']}", tags_of(row), aliases)


def _term(row: NewContact, term: str) -> dict[str, Any]:
    return {
        "account_id": row["account_id"],
        "contact_id": row["id"],
        "term": term,
        "source": "profile",
        "said_at": None,
    }


async def views(tx: Tx, rows: Sequence[ContactRow], now_ms: int) -> list[ContactView]:
    """Contacts as the API shows them, in the same order."""
    which = [{"b_account": row["account_id"], "b_id": row["id"]} for row in rows]
    aliases: dict[str, Aliases] = {row["id"]: [] for row in rows}
    for alias in await tx.gather(store.ALIASES, which):
        aliases[alias["contact_id"]].append((alias["kind"], alias["value"]))
    return [_view(row, sorted(aliases[row["id"]]), now_ms) for row in rows]


def _view(row: ContactRow, aliases: Aliases, now_ms: int) -> ContactView:
    return ContactView(
        id=row["id"],
        name=row["name"],
        username=row["username"],
        phones=[value for kind, value in aliases if kind == "phone"],
        aliases=[Alias(kind=kind, value=value) for kind, value in aliases],
        language=row["language"],
        birthday=row["birthday"],
        tags=tags_of(row),
        notes=row["notes"],
        consent=Consent(state=row["consent"], at=iso(row["consent_at"]), source=row["consent_source"]),
        first_seen_at=iso(row["first_seen_at"]),
        last_seen_at=iso(row["last_seen_at"]),
        last_instance_id=row["last_instance_id"],
        window_until=iso(row["window_until"]),
        window_open=row["window_until"] is not None and row["window_until"] > now_ms,
    )
