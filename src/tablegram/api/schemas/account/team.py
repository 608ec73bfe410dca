"""Bodies of the calls about the members of an account."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.accounts.answers import Role
from tablegram.api.schemas.fields import line

Email = Annotated[
    str,
    Meta(
        min_length=6,
        max_length=254,
        pattern=r"^[A-Za-z0-9._%+-]+@([A-Za-z0-9-]+\.)+[A-Za-z]{2,24}$",
        description="E-mail address; it is who the person is.",
        examples=["ada@example.com"],
    ),
]


class InviteMember(Struct, kw_only=True, forbid_unknown_fields=True):
    """Somebody to add to the team. Nobody can give a role that may do more than their own."""

    email: Email
    role: Role
    name: Annotated[Annotated[str, line(80, "Name.")] | None, Meta(description="The person's name.")] = None
    language: Annotated[
        Literal["en", "tr"] | None, Meta(description="Language of the letter that invites. Absent: English.")
    ] = None


class InviteAgain(Struct, kw_only=True, forbid_unknown_fields=True):
    """How the letter is written."""

    language: Annotated[
        Literal["en", "tr"] | None, Meta(description="Language of the letter that invites. Absent: English.")
    ] = None


class ChangeMember(Struct, kw_only=True, forbid_unknown_fields=True):
    """Another role."""

    role: Role
