"""Members of an account, and who did what."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from tablegram.api.schemas.fields import line

Moment = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
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
Role = Annotated[
    Literal["owner", "manager", "staff", "kitchen", "developer"], Meta(description="What the person may do.")
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


class MemberView(Struct, kw_only=True):
    """One member of the team."""

    id: str
    email: str
    name: str
    role: Role
    scopes: Annotated[list[str], Meta(description="What the role may do.")]
    state: Annotated[
        Literal["invited", "active"], Meta(description="invited: the link has not been used yet. active: signs in.")
    ]
    created_at: Moment


class InvitedView(MemberView, kw_only=True):
    """A member who was invited, and how the link gets to them. It works once."""

    link: Annotated[
        str | None,
        Meta(
            description="Give this to the person. null where a letter carries it, and where other accounts are on the same "
            "installation and no letters are sent: then who runs it makes the link (`tablegram member link`)."
        ),
    ]
    link_expires_at: Moment
    mailed: Annotated[bool, Meta(description="Whether a letter with the link is on its way.")]


class MemberPage(Struct, kw_only=True):
    """A part of the team."""

    data: list[MemberView]
    next_cursor: str | None


class AuditActor(Struct, kw_only=True):
    """Who did it."""

    kind: Annotated[
        Literal["person", "key", "command", "system"],
        Meta(description="A member, an API key, somebody at the machine, or the product itself."),
    ]
    id: str
    name: str


class AuditObject(Struct, kw_only=True):
    """What it was done to."""

    kind: str
    id: str


class AuditEntry(Struct, kw_only=True):
    """One thing that was done."""

    id: str
    actor: AuditActor
    action: Annotated[str, Meta(description="What was done, such as contact.erased.", examples=["key.created"])]
    object: AuditObject
    detail: dict[str, Any]
    remote: Annotated[str, Meta(description="Network address it came from; empty where there is none.")]
    created_at: Moment


class AuditPage(Struct, kw_only=True):
    """A part of the log, newest first."""

    data: list[AuditEntry]
    next_cursor: str | None
