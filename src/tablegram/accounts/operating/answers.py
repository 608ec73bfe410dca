"""What the installation's administrators are told. The same structs draw the OpenAPI document and are sent."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.accounts.accounts import State
from tablegram.accounts.answers import Role
from tablegram.values.clock import MomentText


class AccountView(Struct, kw_only=True, frozen=True):
    """An account of the installation."""

    id: int
    name: str
    state: Annotated[State, Meta(description="suspended: its keys and people are refused. Nothing is lost.")]
    plan: str
    balance_usd: float
    created_at: MomentText


class OwnerView(Struct, kw_only=True, frozen=True):
    """Who was invited, with the link that lets them in. It works once."""

    email: str
    name: str
    role: Role
    link: Annotated[str, Meta(description="Give this to the person where no letter was sent.")]
    link_expires_at: MomentText
    mailed: Annotated[bool, Meta(description="Whether a letter with the link is on its way.")]


class OpenedAccount(AccountView, kw_only=True, frozen=True):
    """An account, and the link for its owner if one was invited."""

    owner: OwnerView | None


class AccountPerson(Struct, kw_only=True, frozen=True):
    """Somebody of the account."""

    email: str
    name: str
    role: Role
    state: Literal["invited", "active"]


class AccountDetail(AccountView, kw_only=True, frozen=True):
    """An account with where it stands and who is in it."""

    billing: Literal["off", "prepaid"]
    free_messages: int
    free_used: int
    free_left: int
    free_until: MomentText | None
    members: list[AccountPerson]


class AccountPage(Struct, kw_only=True, frozen=True):
    """A part of the accounts, by number."""

    data: list[AccountView]
    next_cursor: str | None


class TopUpView(Struct, kw_only=True, frozen=True):
    """What was added, and the balance after it."""

    account_id: int
    reference: str
    amount_usd: float
    balance_usd: float


class PlanView(Struct, kw_only=True, frozen=True):
    """A plan."""

    name: str
    free_messages: int
    free_hours: int


class PlanPage(Struct, kw_only=True, frozen=True):
    """Plans by name."""

    data: list[PlanView]
    next_cursor: str | None


class StorageView(Struct, kw_only=True, frozen=True):
    """The store, and the disk that holds the data folder."""

    kind: Literal["SQLite", "PostgreSQL"]
    size_bytes: Annotated[int | None, Meta(description="Null where another server keeps the database.")]
    disk_free_bytes: int
    disk_total_bytes: int


class HealthView(Struct, kw_only=True, frozen=True):
    """How engine and storage are."""

    ready: Annotated[bool, Meta(description="Whether the store answers; the engine runs on it.")]
    storage: StorageView
    figures: Annotated[
        dict[str, float], Meta(description="What /metrics shows, under the same names; empty when nothing answers.")
    ]
