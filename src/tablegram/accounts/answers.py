"""What the audit log tells, and what is told of people. The same structs draw the OpenAPI document and are sent."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tablegram.accounts import team
from tablegram.accounts.rows import ActorKind
from tablegram.values import Json
from tablegram.values.clock import MomentText

Role = Annotated[team.Role, Meta(description="What the person may do.")]


class AuditActor(Struct, kw_only=True, frozen=True):
    """Who did it."""

    kind: Annotated[
        ActorKind,
        Meta(description="A member, an API key, somebody at the machine, or the product itself."),
    ]
    id: str
    name: str


class AuditObject(Struct, kw_only=True, frozen=True):
    """What it was done to."""

    kind: str
    id: str


class AuditEntry(Struct, kw_only=True, frozen=True):
    """One thing that was done."""

    id: str
    actor: AuditActor
    action: Annotated[str, Meta(description="What was done, such as contact.erased.", examples=["key.created"])]
    object: AuditObject
    detail: Json
    remote: Annotated[str, Meta(description="Network address it came from; empty where there is none.")]
    created_at: MomentText


class AuditPage(Struct, kw_only=True, frozen=True):
    """A part of the log, newest first."""

    data: list[AuditEntry]
    next_cursor: str | None
