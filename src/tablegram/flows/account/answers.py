"""What the flows of an account answer with. The same structs draw the OpenAPI document and are sent."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.accounts.answers import Role
from tablegram.values.clock import MomentText


class MemberView(Struct, kw_only=True, frozen=True):
    """One member of the team."""

    id: str
    email: str
    name: str
    role: Role
    scopes: Annotated[list[str], Meta(description="What the role may do.")]
    state: Annotated[
        Literal["invited", "active"], Meta(description="invited: the link has not been used yet. active: signs in.")
    ]
    created_at: MomentText


class InvitedView(MemberView, kw_only=True, frozen=True):
    """A member who was invited, and how the link gets to them. It works once."""

    link: Annotated[
        str | None,
        Meta(
            description="Give this to the person. null where a letter carries it, and where other accounts are on the same "
            "installation and no letters are sent: then who runs it makes the link (`tablegram member link`)."
        ),
    ]
    link_expires_at: MomentText
    mailed: Annotated[bool, Meta(description="Whether a letter with the link is on its way.")]


class MemberPage(Struct, kw_only=True, frozen=True):
    """A part of the team."""

    data: list[MemberView]
    next_cursor: str | None
