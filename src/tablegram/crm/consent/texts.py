"""The words that customers are asked with. A new wording is a new version, and the ledger says which one was agreed to."""

from __future__ import annotations

import msgspec

from tablegram.crm.rows import ConsentTextRow
from tablegram.crm.store import consents as store
from tablegram.errors import Conflict
from tablegram.storage.database import Tx

# Wordings of one language; more is somebody who counts.
MAX_VERSIONS = 1_000


class ConsentText(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    language: str
    version: int
    words: str
    created_by: str
    created_at: int

    @property
    def label(self) -> str:
        """What the ledger calls it."""
        return f"{self.language}-{self.version}"


async def listed(tx: Tx, account_id: int) -> list[ConsentText]:
    """By language, the newest version first."""
    return [_text(row) for row in await tx.all(store.TEXTS, {"b_account": account_id})]


async def current(tx: Tx, account_id: int, language: str) -> ConsentText | None:
    row = await tx.first(store.LAST_TEXT, {"b_account": account_id, "b_language": language})
    return None if row is None else _text(row)


async def write(tx: Tx, account_id: int, language: str, words: str, by: str, now: int) -> ConsentText:
    """The version that says this from now on; the one there is, where it says the same."""
    last = await current(tx, account_id, language)
    if last is not None and last.words == words:
        return last
    version = 1 if last is None else last.version + 1
    if version > MAX_VERSIONS:
        raise Conflict(f"A language has at most {MAX_VERSIONS:,} versions.", code="state_conflict")
    made = ConsentText(
        account_id=account_id, language=language, version=version, words=words, created_by=by, created_at=now
    )
    await tx.run(store.ADD_TEXT, msgspec.structs.asdict(made))
    return made


def _text(row: ConsentTextRow) -> ConsentText:
    return ConsentText(**row)
