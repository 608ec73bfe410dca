"""Who looks at a page: a guest, or a person who is signed in and acts for an account."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Any

from tablegram.accounts.accounts import Account
from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.people.model import Person, Session
from tablegram.accounts.team import Member
from tablegram.panel.i18n import translate


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """Somebody with a browser."""

    # Proves that a form was made by us for this browser.
    csrf: str
    language: str
    zone: tzinfo
    remote: str = ""

    def t(self, key: str, **values: Any) -> str:
        """Words in the visitor's language."""
        return translate(self.language, key, **values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor(Guest):
    """A signed-in person. `caller` is what flows take; what the role may do is its scopes."""

    session: Session
    # How many things wait, by the navigation entry's name.
    badges: dict[str, int] = field(default_factory=dict)
    # Where notices stood before the page was read; its stream begins there.
    since: str = ""

    @property
    def person(self) -> Person:
        return self.session.person

    @property
    def member(self) -> Member | None:
        """Nothing for an operator who is in no team."""
        return self.session.member

    @property
    def account(self) -> Account | None:
        return self.session.account

    @property
    def caller(self) -> Caller:
        return self.session.caller

    @property
    def is_operator(self) -> bool:
        return self.person.is_operator

    def can(self, scope: str) -> bool:
        return self.is_operator if scope == "operator" else self.caller.has(scope)
