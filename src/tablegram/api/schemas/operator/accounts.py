"""The installation's accounts and plans, and how it is."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.account.team import Email
from tablegram.api.schemas.fields import line
from tablegram.flows.account.answers import Role

Moment = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
State = Literal["active", "suspended"]

_PlanName = Annotated[str, line(100, "Name of a plan.", "standard")]
_FreeMessages = Annotated[int, Meta(ge=0, le=1_000_000_000, description="How many messages are free.")]
_FreeHours = Annotated[
    int, Meta(ge=0, le=1_000_000, description="Within how many hours of the first send they are free.")
]


class FirstOwner(Struct, kw_only=True, forbid_unknown_fields=True):
    """Who is invited to own the account."""

    email: Email
    name: Annotated[Annotated[str, line(80, "Name.")] | None, Meta(description="The person's name.")] = None
    language: Annotated[
        Literal["en", "tr"] | None, Meta(description="Language of the letter that invites. Absent: English.")
    ] = None


class CreateAccount(Struct, kw_only=True, forbid_unknown_fields=True):
    """A new account, and whom to invite as its owner."""

    name: Annotated[str, line(100, "Unique in the installation.", "Blue Door")]
    plan: Annotated[_PlanName | None, Meta(description="The plan it is on. Absent: standard.")] = None
    owner: Annotated[FirstOwner | None, Meta(description="Absent: nobody is invited yet; see `inviteOwner`.")] = None


class ChangeAccount(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change."""

    plan: _PlanName


class TopUp(Struct, kw_only=True, forbid_unknown_fields=True):
    """A payment. The same reference is added to an account once, for ever."""

    amount_usd: Annotated[float, Meta(ge=0.01, le=1_000_000, description="US dollars to add.", examples=[25])]
    reference: Annotated[str, line(100, "What the payment is known by.", "invoice 2026-117")]


class AccountView(Struct, kw_only=True):
    """An account of the installation."""

    id: int
    name: str
    state: Annotated[State, Meta(description="suspended: its keys and people are refused. Nothing is lost.")]
    plan: str
    balance_usd: float
    created_at: Moment


class OwnerView(Struct, kw_only=True):
    """Who was invited, with the link that lets them in. It works once."""

    email: str
    name: str
    role: Role
    link: Annotated[str, Meta(description="Give this to the person where no letter was sent.")]
    link_expires_at: Moment
    mailed: Annotated[bool, Meta(description="Whether a letter with the link is on its way.")]


class OpenedAccount(AccountView, kw_only=True):
    """An account, and the link for its owner if one was invited."""

    owner: OwnerView | None


class AccountPerson(Struct, kw_only=True):
    """Somebody of the account."""

    email: str
    name: str
    role: Role
    state: Literal["invited", "active"]


class AccountDetail(AccountView, kw_only=True):
    """An account with where it stands and who is in it."""

    billing: Literal["off", "prepaid"]
    free_messages: int
    free_used: int
    free_left: int
    free_until: Moment | None
    members: list[AccountPerson]


class AccountPage(Struct, kw_only=True):
    """A part of the accounts, by number."""

    data: list[AccountView]
    next_cursor: str | None


class TopUpView(Struct, kw_only=True):
    """What was added, and the balance after it."""

    account_id: int
    reference: str
    amount_usd: float
    balance_usd: float


class CreatePlan(Struct, kw_only=True, forbid_unknown_fields=True):
    """A new plan: what is free for an account, beginning with its first send."""

    name: _PlanName
    free_messages: _FreeMessages
    free_hours: _FreeHours


class ChangePlan(Struct, kw_only=True, forbid_unknown_fields=True):
    """Other figures; absent ones stay as they are."""

    free_messages: _FreeMessages | UnsetType = UNSET
    free_hours: _FreeHours | UnsetType = UNSET


class PlanView(Struct, kw_only=True):
    """A plan."""

    name: str
    free_messages: int
    free_hours: int


class PlanPage(Struct, kw_only=True):
    """Plans by name."""

    data: list[PlanView]
    next_cursor: str | None


class StorageView(Struct, kw_only=True):
    """The store, and the disk that holds the data folder."""

    kind: Literal["SQLite", "PostgreSQL"]
    size_bytes: Annotated[int | None, Meta(description="Null where another server keeps the database.")]
    disk_free_bytes: int
    disk_total_bytes: int


class HealthView(Struct, kw_only=True):
    """How engine and storage are."""

    ready: Annotated[bool, Meta(description="Whether the store answers; the engine runs on it.")]
    storage: StorageView
    figures: Annotated[
        dict[str, float], Meta(description="What /metrics shows, under the same names; empty when nothing answers.")
    ]
