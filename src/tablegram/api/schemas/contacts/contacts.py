"""Bodies and answers of the calls about contacts."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import Phone, line, optional_block, optional_line, token
from tablegram.crm.answers.contacts import ContactView
from tablegram.crm.birthdays import PATTERN as BIRTHDAY
from tablegram.flows.contacts.answers import ContactOrder
from tablegram.values import Json

_MomentText = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
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


class ExportedContact(ContactView, kw_only=True, frozen=True):
    """A contact with everything that is held of them. What the key may not see is left out."""

    consents: Annotated[list[Json], Meta(description="What they agreed to or refused, and when.")]
    orders: list[ContactOrder] | UnsetType = UNSET
    addresses: Annotated[list[Json], Meta(description="Where their deliveries go.")] | UnsetType = UNSET
    points: Annotated[list[Json], Meta(description="Movements of their points; with `loyalty:read`.")] | UnsetType = (
        UNSET
    )
    stamps: Annotated[list[Json], Meta(description="Movements of their stamps; with `loyalty:read`.")] | UnsetType = (
        UNSET
    )
    gift_cards: (
        Annotated[list[Json], Meta(description="Gift cards of theirs, without codes; with `loyalty:read`.")] | UnsetType
    ) = UNSET
    payments: Annotated[list[Json], Meta(description="Their payment links.")] | UnsetType = UNSET
    conversation_notes: (
        Annotated[list[Json], Meta(description="What people here noted beside their conversation.")] | UnsetType
    ) = UNSET
    store_orders: Annotated[list[Json], Meta(description="What they bought in connected shops.")] | UnsetType = UNSET
    store_notices: Annotated[list[Json], Meta(description="What they were told of those.")] | UnsetType = UNSET
    automations: (
        Annotated[list[Json], Meta(description="Automations that they went through, and how they rated.")] | UnsetType
    ) = UNSET
    campaigns: Annotated[list[Json], Meta(description="Campaigns that they were part of.")] | UnsetType = UNSET


class ContactExport(Struct, kw_only=True):
    """Every contact, oldest first."""

    data: list[ExportedContact]


class ErasureCounts(Struct, kw_only=True):
    """How much was erased."""

    messages: Annotated[int, Meta(description="Messages emptied.")]
    files: Annotated[int, Meta(description="Files deleted.")]
    events: Annotated[int, Meta(description="Events deleted, with their deliveries.")]
    callbacks: Annotated[int, Meta(description="Raw callbacks of the network emptied.")]
    names: Annotated[int, Meta(description="Numbers and other names forgotten.")]
    # A receipt of an earlier version does not count them.
    orders: Annotated[int, Meta(description="Orders that are nobody's now; what was sold stays for the books.")] = 0
    addresses: Annotated[int, Meta(description="Addresses forgotten.")] = 0
    points: Annotated[int, Meta(description="Movements of points that are nobody's from now on.")] = 0
    tickets: Annotated[int, Meta(description="Tickets that show nobody now; that they were printed stays.")] = 0
    courier_messages: Annotated[int, Meta(description="Messages to couriers emptied that told where to.")] = 0
    payments: Annotated[int, Meta(description="Payment links that are nobody's now; the money stays in the books.")] = 0
    store_notices: Annotated[
        int, Meta(description="Notices of shops that are nobody's now; what waited is not sent.")
    ] = 0
    automations: Annotated[
        int, Meta(description="Runs of automations that are nobody's now; what waited is not sent.")
    ] = 0
    campaigns: Annotated[int, Meta(description="Rows of campaigns that are nobody's now; what waited is not sent.")] = 0
    stores: Annotated[int, Meta(description="Orders of shops that are nobody's now, and deliveries emptied.")] = 0


class ErasureReceipt(Struct, kw_only=True):
    """All that remains of an erased contact."""

    contact_id: str
    erased_at: _MomentText
    counts: ErasureCounts
