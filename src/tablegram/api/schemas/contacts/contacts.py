"""Bodies and answers of the calls about contacts."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import Phone, line, optional_block, optional_line, token
from tablegram.crm.birthdays import PATTERN as BIRTHDAY

_Name = Annotated[str, optional_line(200, "What the contact is called. Empty: what the network says.", "Ayşe Yılmaz")]
_Language = Annotated[
    str,
    Meta(
        max_length=35,
        pattern="^([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)?$",
        description="Language tag (BCP 47), or empty.",
        examples=["tr"],
    ),
]
_Birthday = Annotated[
    str,
    Meta(
        pattern=BIRTHDAY,
        description="Month and day, MM-DD, or empty. A year before it is understood, and not kept.",
        examples=["05-17"],
    ),
]
_Tags = Annotated[
    list[Annotated[str, line(60, "A tag.", "regular")]],
    Meta(max_length=50, description="Words to group contacts by; replaces the ones before."),
]
_Notes = Annotated[str, optional_block(10_000, "Notes for your own people; the customer never sees them.")]


class GiveConsent(Struct, kw_only=True, forbid_unknown_fields=True):
    """Whether the customer wants to be written to."""

    state: Literal["unknown", "granted", "denied"]
    source: Annotated[
        Annotated[str, optional_line(200, "Source.")] | None,
        Meta(description="Where the customer said so. Absent: api."),
    ] = None


class CreateContact(Struct, kw_only=True, forbid_unknown_fields=True):
    """Somebody who has not written yet."""

    phone: Phone
    name: Annotated[_Name | None, Meta(description="What the contact is called.")] = None
    language: Annotated[_Language | None, Meta(description="Language tag (BCP 47).")] = None
    birthday: Annotated[_Birthday | None, Meta(description="Month and day, MM-DD.")] = None
    tags: Annotated[_Tags | None, Meta(description="Words to group contacts by.")] = None
    notes: Annotated[_Notes | None, Meta(description="Notes for your own people.")] = None
    consent: Annotated[GiveConsent | None, Meta(description="Whether the customer wants to be written to.")] = None


class UpdateContact(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are."""

    name: _Name | UnsetType = UNSET
    language: _Language | UnsetType = UNSET
    birthday: _Birthday | UnsetType = UNSET
    tags: _Tags | UnsetType = UNSET
    notes: _Notes | UnsetType = UNSET
    consent: GiveConsent | UnsetType = UNSET


class MergeContact(Struct, kw_only=True, forbid_unknown_fields=True):
    """Where a contact goes."""

    into: Annotated[str, token(64, "The contact that stays and answers for both from now on.")]
