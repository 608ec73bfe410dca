"""What customers said about being written to: every word of theirs is a row, and the last one holds.

Rows are added and never changed, so that it can be shown what held at any time and how it came about. What a contact's
own row says about marketing is what the ledger says, kept there for lists and filters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from tablegram.crm.answers.own_data import ContactConsent
from tablegram.crm.rows import Consent, ConsentPurpose, ConsentRow
from tablegram.crm.store import consents as store
from tablegram.crm.store import contacts as contact_store
from tablegram.storage.database import Tx
from tablegram.values.clock import iso
from tablegram.values.ids import new_id

Purpose = ConsentPurpose
State = Consent


class Word(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a customer said, as it was noted."""

    account_id: int
    contact_id: str
    purpose: Purpose = "marketing"
    state: State
    # How it came: a card at the till, a file, a program.
    source: str
    # Which wording they agreed to, and what shows that they did, where somebody keeps that.
    text_version: str = ""
    proof: str = ""
    # Who noted it: a person or a key.
    by: str = ""
    at: int
    # Given when it is noted: of two words of one time, the one that was noted later holds.
    id: str = ""


class Turn(msgspec.Struct, frozen=True):
    """What a contact showed about marketing before a word, and what it shows since."""

    before: State
    after: State

    @property
    def is_new(self) -> bool:
        return self.before != self.after


async def note(tx: Tx, words: Sequence[Word]) -> None:
    """Write down what was said. The contacts' own rows follow, in the same transaction and from the same rows."""
    await tx.many(store.INSERT, [{**msgspec.structs.asdict(word), "id": new_id()} for word in words])
    about = {(word.account_id, word.contact_id) for word in words if word.purpose == "marketing"}
    await tx.many(store.SETTLE, [{"b_account": account_id, "b_id": one} for account_id, one in sorted(about)])


async def hear(tx: Tx, word: Word) -> Turn | None:
    """Note one word, once however often it is told. Nothing where there is no such contact."""
    which = {"b_account": word.account_id, "b_id": word.contact_id}
    old = await tx.first(contact_store.LOCK, which)
    if old is None:
        return None
    if await tx.first(store.SAME, {**which, **msgspec.structs.asdict(word)}) is not None:
        return Turn(old["consent"], old["consent"])
    await note(tx, [word])
    now = await tx.first(contact_store.GET, which)
    return None if now is None else Turn(old["consent"], now["consent"])


async def of_contact(tx: Tx, account_id: int, contact_id: str) -> list[Word]:
    """The oldest first."""
    rows = await tx.all(store.OF_CONTACT, {"b_account": account_id, "b_id": contact_id})
    return [from_row(row) for row in rows]


def standing(words: Iterable[Word], purpose: Purpose, at: int | None = None) -> State:
    """What holds for a purpose, now or at an earlier time."""
    said = [word for word in words if word.purpose == purpose and (at is None or word.at <= at)]
    return max(said, key=lambda word: (word.at, word.id)).state if said else "unknown"


async def shown(tx: Tx, account_id: int, contact_ids: list[str]) -> Mapping[str, list[ContactConsent]]:
    """What contacts said, as an export shows it."""
    rows = await tx.gather(store.OF_CONTACT, [{"b_account": account_id, "b_id": one} for one in contact_ids])
    found: dict[str, list[ContactConsent]] = {}
    for row in rows:
        word = from_row(row)
        shown = ContactConsent(
            purpose=word.purpose, state=word.state, source=word.source, text_version=word.text_version,
            proof=word.proof, at=iso(word.at),
        )  # fmt: skip
        found.setdefault(word.contact_id, []).append(shown)
    return found


def last_proof(words: Sequence[msgspec.Struct]) -> str:
    """What shows the word that holds, in the table of an export: so it can come in again with its proof."""
    said = [word for word in words if isinstance(word, ContactConsent) and word.purpose == "marketing"]
    return (said[-1].proof or f"{said[-1].source} {said[-1].at}") if said else ""


def from_row(row: ConsentRow) -> Word:
    return Word(**row)
