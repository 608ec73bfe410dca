"""What conditions on contacts are put on, and what one is."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select

from tablegram.storage.tables import contacts
from tablegram.values.clock import DAY_MS

# Whether something holds for a contact: a part of a statement.
Holds = ColumnElement[bool]


class Frame:
    """What a statement about contacts stands on, while conditions are put on it."""

    def __init__(self, account_id: int, now: int, today: date) -> None:
        self.account_id = account_id
        self.now = now
        # In the time zone of the account's venue.
        self.today = today
        self.source: FromClause = contacts
        self._sets = 0

    def since(self, days: int) -> int:
        return self.now - days * DAY_MS

    def among(self, wanted: Select[Any]) -> Holds:
        """Whether the contact is one of these. `wanted` has one column, `contact_id`, and each contact once."""
        self._sets += 1
        found = wanted.subquery(f"r{self._sets}")
        # A join that the database hashes once, however conditions are put together; nobody is lost by it.
        self.source = self.source.outerjoin(found, found.c.contact_id == contacts.c.id)
        return found.c.contact_id.is_not(None)
