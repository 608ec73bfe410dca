"""What the flows of contacts answer with. The same structs draw the OpenAPI document and are sent."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.crm.answers.contacts import ContactView
from tablegram.crm.answers.own_data import ContactConsent, ContactNote
from tablegram.crm.bulk import Act
from tablegram.crm.consent.ledger import Purpose, State
from tablegram.flows.automations.answers import ContactAutomation
from tablegram.flows.campaigns.answers import ContactCampaign
from tablegram.flows.delivery.answers import AddressView
from tablegram.flows.loyalty.answers.own_data import ContactGiftCard, ContactStamps
from tablegram.flows.loyalty.answers.rewards import LoyaltyMovement
from tablegram.flows.stores.notices.answers import ContactNotice
from tablegram.payments.people import ContactPayment
from tablegram.restaurant.orders.brief import ContactOrder
from tablegram.stores.people import ContactStoreOrder
from tablegram.values.clock import MomentText


class ContactOrderPage(Struct, kw_only=True, frozen=True):
    """What a contact ordered, newest first."""

    data: list[ContactOrder]
    next_cursor: str | None


class ContactJob(Struct, kw_only=True, frozen=True):
    """Something that is done with many contacts, piece by piece."""

    id: str
    act: Act
    tag: Annotated[str, Meta(description="Empty for erase.")]
    state: Annotated[
        Literal["running", "done"], Meta(description="running: it goes on in the background, also after a restart.")
    ]
    total: Annotated[int, Meta(description="How many were meant when it began.")]
    done: Annotated[int, Meta(description="With how many it is done.")]
    created_at: MomentText
    finished_at: MomentText | None


class ContactJobPage(Struct, kw_only=True, frozen=True):
    """Jobs, newest first."""

    data: list[ContactJob]
    next_cursor: str | None


class WrongRow(Struct, kw_only=True, frozen=True):
    """What is wrong with which row."""

    row: Annotated[int, Meta(description="The line in the file; the first one holds the names of the columns.")]
    field: str
    code: Annotated[
        str,
        Meta(
            description="phone_missing, phone_invalid, phone_without_country, phone_scientific, repeated, too_long, "
            "too_many, language_unknown, birthday_invalid, consent_unknown, proof_missing or time_invalid."
        ),
    ]
    value: Annotated[
        str,
        Meta(
            description="A hint of what was written there: the last four digits of a number, the beginning of another value. "
            "For repeated, the line that has the number first."
        ),
    ]


class ImportView(Struct, kw_only=True, frozen=True):
    """An import of contacts."""

    id: str
    filename: str
    state: Annotated[
        Literal["checked", "running", "done", "refused"],
        Meta(description="checked: waits to be started. running: rows are coming in, also after a restart."),
    ]
    total: Annotated[int, Meta(description="Good rows.")]
    done: Annotated[int, Meta(description="How many of them are in.")]
    kept: Annotated[int, Meta(description="How many of those were contacts already and stayed as they were.")]
    wrong: Annotated[int, Meta(description="Rows that cannot be imported.")]
    errors: Annotated[list[WrongRow], Meta(description="The first 1,000 errors.")]
    ignored_columns: list[str]
    created_by: str
    created_at: MomentText
    finished_at: MomentText | None


class ImportPage(Struct, kw_only=True, frozen=True):
    """Imports, newest first."""

    data: list[ImportView]
    next_cursor: str | None


class Retention(Struct, kw_only=True, frozen=True):
    """How long the account keeps what it knows of people."""

    message_days: Annotated[int, Meta(description="What the account has chosen; 0: as long as the installation does.")]
    contact_days: Annotated[int, Meta(description="After so many days a silent contact is erased; 0: never.")]
    messages_kept_days: Annotated[
        int | None,
        Meta(description="What holds: the shorter of the account's days and the installation's. Null: for ever."),
    ]


class ConsentWord(Struct, kw_only=True, frozen=True):
    """Something that a customer said about being written to. The last one for a purpose counts."""

    id: str
    contact_id: str
    phone: Annotated[str, Meta(description="The contact's number; empty where the network hides it.")]
    purpose: Purpose
    state: State
    source: Annotated[
        str,
        Meta(description="message, button and page where they said it themselves; network, api, or what was noted."),
    ]
    text_version: str
    proof: Annotated[str, Meta(description="What shows it, such as the message that said so (gw.…).")]
    by: Annotated[str, Meta(description="Who noted it; empty where the customer said it here.")]
    at: MomentText


class ConsentPage(Struct, kw_only=True, frozen=True):
    """Words of customers, the last one first."""

    data: list[ConsentWord]
    next_cursor: str | None


class ConsentText(Struct, kw_only=True, frozen=True):
    """One wording."""

    text_version: Annotated[str, Meta(description="What the ledger calls it.")]
    language: str
    version: int
    words: str
    created_by: str
    created_at: MomentText


class ConsentTextPage(Struct, kw_only=True, frozen=True):
    """All wordings, by language, the newest version first."""

    data: list[ConsentText]
    next_cursor: str | None


class DataLinkSent(Struct, kw_only=True, frozen=True):
    """A link to their own data is on its way to a contact."""

    contact_id: str
    expires_at: MomentText


class ErasureCounts(Struct, kw_only=True, frozen=True):
    """How much was erased."""

    # In the order of the parts, which is that of the receipt. One of an earlier version does not count all of them.
    events: Annotated[int, Meta(description="Events deleted, with their deliveries.")]
    files: Annotated[int, Meta(description="Files deleted.")]
    messages: Annotated[int, Meta(description="Messages emptied.")]
    payments: (
        Annotated[int, Meta(description="Payment links that are nobody's now; the money stays in the books.")]
        | UnsetType
    ) = UNSET
    orders: (
        Annotated[int, Meta(description="Orders that are nobody's now; what was sold stays for the books.")] | UnsetType
    ) = UNSET
    points: Annotated[int, Meta(description="Movements of points that are nobody's from now on.")] | UnsetType = UNSET
    addresses: Annotated[int, Meta(description="Addresses forgotten.")] | UnsetType = UNSET
    tickets: (
        Annotated[int, Meta(description="Tickets that show nobody now; that they were printed stays.")] | UnsetType
    ) = UNSET
    courier_messages: (
        Annotated[int, Meta(description="Messages to couriers emptied that told where to.")] | UnsetType
    ) = UNSET
    stores: (
        Annotated[int, Meta(description="Orders of shops that are nobody's now, and deliveries emptied.")] | UnsetType
    ) = UNSET
    store_notices: (
        Annotated[int, Meta(description="Notices of shops that are nobody's now; what waited is not sent.")] | UnsetType
    ) = UNSET
    campaigns: (
        Annotated[int, Meta(description="Rows of campaigns that are nobody's now; what waited is not sent.")]
        | UnsetType
    ) = UNSET
    automations: (
        Annotated[int, Meta(description="Runs of automations that are nobody's now; what waited is not sent.")]
        | UnsetType
    ) = UNSET
    callbacks: Annotated[int, Meta(description="Raw callbacks of the network emptied.")]
    names: Annotated[int, Meta(description="Numbers and other names forgotten.")]


class ErasureReceipt(Struct, kw_only=True, frozen=True):
    """All that remains of an erased contact."""

    contact_id: str
    erased_at: MomentText
    counts: ErasureCounts


class ExportedContact(ContactView, kw_only=True, frozen=True):
    """A contact with everything that is held of them. What the key may not see is left out."""

    # In the order of the parts, which is that of the file.
    conversation_notes: list[ContactNote] | UnsetType = UNSET
    consents: Annotated[list[ContactConsent], Meta(description="What they agreed to or refused, and when.")]
    payments: list[ContactPayment] | UnsetType = UNSET
    orders: list[ContactOrder] | UnsetType = UNSET
    points: (
        Annotated[list[LoyaltyMovement], Meta(description="Movements of their points; with `loyalty:read`.")]
        | UnsetType
    ) = UNSET
    stamps: (
        Annotated[list[ContactStamps], Meta(description="Movements of their stamps; with `loyalty:read`.")] | UnsetType
    ) = UNSET
    gift_cards: (
        Annotated[list[ContactGiftCard], Meta(description="Gift cards of theirs, without codes; with `loyalty:read`.")]
        | UnsetType
    ) = UNSET
    addresses: Annotated[list[AddressView], Meta(description="Where their deliveries go.")] | UnsetType = UNSET
    store_orders: list[ContactStoreOrder] | UnsetType = UNSET
    store_notices: list[ContactNotice] | UnsetType = UNSET
    campaigns: list[ContactCampaign] | UnsetType = UNSET
    automations: list[ContactAutomation] | UnsetType = UNSET


class ContactExport(Struct, kw_only=True, frozen=True):
    """Every contact, oldest first."""

    data: list[ExportedContact]


class ConsentExport(Struct, kw_only=True, frozen=True):
    """The whole ledger, the last word first."""

    data: list[ConsentWord]
