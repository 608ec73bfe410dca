"""What is given about the installation's accounts and plans."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.account.team import Email
from tablegram.api.schemas.fields import line

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


class CreatePlan(Struct, kw_only=True, forbid_unknown_fields=True):
    """A new plan: what is free for an account, beginning with its first send."""

    name: _PlanName
    free_messages: _FreeMessages
    free_hours: _FreeHours


class ChangePlan(Struct, kw_only=True, forbid_unknown_fields=True):
    """Other figures; absent ones stay as they are."""

    free_messages: _FreeMessages | UnsetType = UNSET
    free_hours: _FreeHours | UnsetType = UNSET
