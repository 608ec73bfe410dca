"""Who signs in, and what is known of them once they have."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.accounts.accounts import Account
from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.rows import PersonRow
from tablegram.accounts.team import Member


@dataclass(frozen=True, slots=True)
class Person:
    id: str
    email: str
    name: str
    has_password: bool
    has_second_factor: bool
    # Empty: whatever the browser asks for.
    language: str
    is_operator: bool
    password_changed_at: int | None
    created_at: int

    @property
    def shown_name(self) -> str:
        return self.name or self.email


@dataclass(frozen=True, slots=True)
class Membership:
    """One account of a person, and what they are in it."""

    account: Account
    member: Member


@dataclass(frozen=True, slots=True)
class Session:
    """A person at a browser, looking at one of their accounts.

    `caller` is how they call every service: with the scopes of their role. Who is a member of no account, as an operator
    may be, has neither member nor account; they and whoever looks at a suspended account call without any scope.
    """

    # Names the session in lists; not the secret.
    id: str
    person: Person
    # Whether the second factor was shown, or none is asked for. Until then nothing may be seen.
    passed_second: bool
    member: Member | None
    account: Account | None
    caller: Caller
    memberships: tuple[Membership, ...]
    created_at: int
    expires_at: int


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A session as its owner sees it in a list."""

    id: str
    remote: str
    user_agent: str
    created_at: int
    last_seen_at: int
    current: bool


def person_of(row: PersonRow) -> Person:
    return Person(
        id=row["id"],
        email=row["email"],
        name=row["name"],
        has_password=row["password_hash"] is not None,
        has_second_factor=row["totp_secret"] is not None,
        language=row["language"],
        is_operator=bool(row["is_operator"]),
        password_changed_at=row["password_changed_at"],
        created_at=row["created_at"],
    )
