"""The register of everybody who may sign in: one entry a person, whatever number of accounts they are in."""

from __future__ import annotations

from tablegram.accounts.naming import clean_name
from tablegram.accounts.people import store
from tablegram.accounts.people.model import Person, person_of
from tablegram.accounts.rows import PersonRow
from tablegram.accounts.team import clean_email
from tablegram.errors import Invalid, NotFound
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.ids import new_id

# Empty: whatever the browser asks for.
LANGUAGES = ("", "en", "tr")


class Register:
    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    async def find(self, email: str) -> Person | None:
        row = await self._db.first(store.PERSON_BY_EMAIL, {"email": clean_email(email)})
        return None if row is None else person_of(row)

    async def get(self, person_id: str) -> Person:
        row = await self._db.first(store.PERSON, {"id": person_id})
        if row is None:
            raise NotFound("There is no such person.", code="person_unknown")
        return person_of(row)

    async def create(self, email: str, name: str = "", language: str = "") -> Person:
        """Enter somebody; who is there already stays as they are."""
        address = clean_email(email)
        row = await self._db.write(lambda tx: self.enter(tx, address, name, language))
        return person_of(row)

    async def enter(self, tx: Tx, email: str, name: str = "", language: str = "") -> PersonRow:
        """The same inside a transaction of the caller's, with the person held until its end."""
        now = self._clock.now_ms()
        row = {"id": new_id(now), "email": email, "name": clean_name(name, "name", optional=True)}
        await tx.run(store.INSERT_PERSON, {**row, "language": _language(language), "created_at": now})
        found = await tx.first(store.PERSON_BY_EMAIL, {"email": email})
        assert found is not None
        held = await tx.first(store.LOCK_PERSON, {"id": found["id"]})
        assert held is not None
        return held

    async def rename(self, person_id: str, name: str) -> None:
        """One name in every account of theirs."""
        wanted = clean_name(name, "name")
        await self._db.put(
            (store.SET_NAME, {"which": person_id, "name": wanted}),
            (store.RENAME_MEMBERS, {"person": person_id, "name": wanted}),
        )

    async def choose_language(self, person_id: str, language: str) -> None:
        await self._db.put((store.SET_LANGUAGE, {"which": person_id, "language": _language(language)}))

    async def operators(self) -> list[Person]:
        """Who runs the installation."""
        return [person_of(row) for row in await self._db.all(store.OPERATORS)]

    async def set_operator(self, email: str, allowed: bool) -> Person:
        person = await self.create(email) if allowed else await self.find(email)
        if person is None:
            raise NotFound(f"Nobody here has the address {email}.", code="person_unknown")
        await self._db.put((store.SET_OPERATOR, {"which": person.id, "flag": int(allowed)}))
        return await self.get(person.id)


def _language(language: str) -> str:
    if language not in LANGUAGES:
        raise Invalid.field("language", "language_unknown", "Choose English (en) or Turkish (tr).")
    return language
