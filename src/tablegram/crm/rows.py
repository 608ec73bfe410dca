"""What a row of the store holds, column by column."""

from __future__ import annotations

from typing import Literal

from tablegram.storage.shapes import TypedDict

# What a contact says of being written to, and of what.
Consent = Literal["granted", "denied", "unknown"]
ConsentPurpose = Literal["orders", "marketing"]
# What is done with many contacts.
BulkAct = Literal["tag", "untag", "erase"]
ImportState = Literal["checked", "running", "done", "refused"]
AutoReplyKind = Literal["greeting", "closed", "keyword"]


class Counted(TypedDict):
    n: int


class WithId(TypedDict):
    id: str


class WithAccount(TypedDict):
    account_id: int


class WithTags(TypedDict):
    # A list as JSON.
    tags: str


class LastSeen(TypedDict):
    last_seen_at: int


class SilentContact(WithId, LastSeen):
    pass


class BriefContact(SilentContact):
    name: str
    # Empty for who never wrote.
    window_until: int | None


class SaidOfConsent(TypedDict, total=False):
    """Nothing where nothing was said."""

    consent: Consent
    consent_at: int | None
    consent_source: str


class OwnFields(WithTags):
    """What is changed of a contact by hand."""

    name: str
    name_is_own: int
    language: str
    birthday: str
    notes: str
    consent: Consent
    consent_at: int | None
    consent_source: str


class NewContact(BriefContact, WithTags):
    account_id: int
    name_is_own: int
    username: str
    birthday: str
    language: str
    notes: str
    consent: Consent
    consent_at: int | None
    consent_source: str
    last_instance_id: int | None
    first_seen_at: int


class ContactRow(NewContact):
    # The contact that answers for it, where it was merged.
    merged_into: str | None
    # What the store keeps for the lists of the inbox; its conversation says the same.
    inbox_seen: int
    inbox_closed: int
    inbox_owner: str | None


class AliasRow(TypedDict):
    account_id: int
    kind: str
    value: str
    contact_id: str


class KnownAs(LastSeen):
    """What recognising somebody needs to know of a contact."""

    name: str
    name_is_own: int
    username: str
    window_until: int | None


class KnownAlias(AliasRow, KnownAs):
    merged_into: str | None


class LastSaid(TypedDict):
    account_id: int
    phone: str
    # The key of a message.
    last: str


class ConversationRow(ContactRow):
    # Nothing of what people did with it where they did nothing yet.
    seen_until: int | None
    assigned_to: str | None
    closed_at: int | None
    snoozed_until: int | None
    snoozed_seen: int | None


class WaitingConversation(ConversationRow):
    waiting_since: int


class WaitingSince(WithId):
    waiting_since: int | None


class UnreadOf(Counted):
    contact_id: str


class RestedRow(TypedDict):
    account_id: int
    contact_id: str
    snoozed_until: int


class NoteRow(WithId):
    account_id: int
    contact_id: str
    text: str
    written_by: str
    created_at: int


class CannedRow(WithId):
    account_id: int
    shortcut: str
    text: str
    updated_at: int
    updated_by: str


class AutoReplyRow(WithId):
    account_id: int
    instance_id: int
    kind: AutoReplyKind
    enabled: int
    message: str
    # A rule as JSON.
    rule: str
    cooldown_s: int
    created_at: int


class ReadyReply(AutoReplyRow):
    line_kind: str


class UsedBy(TypedDict):
    """Who got an automatic reply."""

    contact_id: str


class ConsentRow(WithId):
    account_id: int
    contact_id: str
    purpose: ConsentPurpose
    state: Consent
    source: str
    text_version: str
    proof: str
    by: str
    at: int


class ConsentWeek(Counted):
    # Since the beginning of all time.
    week: int
    state: Consent


class SpokenRow(WithId):
    consent: Consent
    consent_at: int | None
    consent_source: str


class ConsentTextRow(TypedDict):
    account_id: int
    language: str
    version: int
    words: str
    created_by: str
    created_at: int


class DataLinkRow(WithId):
    account_id: int
    contact_id: str
    key_hash: str
    language: str
    asked_by: str
    created_at: int
    expires_at: int
    account_name: str


class RulesRow(TypedDict):
    account_id: int
    message_days: int
    contact_days: int
    updated_at: int


class ReceiptRow(TypedDict):
    account_id: int
    contact_id: str
    # How much of what was erased, as JSON.
    counts: str
    erased_at: int


class WhichImport(WithId):
    account_id: int


class ImportProgress(WhichImport):
    state: ImportState
    done: int


class ImportRow(ImportProgress):
    kind: str
    filename: str
    total: int
    skipped: int
    # What is wrong with which row, as JSON.
    errors: str
    created_by: str
    created_at: int
    finished_at: int | None


class ImportTable(ImportRow):
    # The checked rows, until they are all in.
    rows: bytes | None


class HeldImport(WhichImport):
    state: ImportState
    rows: bytes


class JobRow(WithId):
    account_id: int
    act: BulkAct
    tag: str
    # Who is meant, as JSON.
    chosen: str
    # The last contact that it was done with.
    behind: str
    state: Literal["running", "done"]
    total: int
    done: int
    # Who asked for it, as JSON.
    created_by: str
    created_at: int
    finished_at: int | None


class TagRow(TypedDict):
    # Folded.
    term: str
    n: int
    # Those of a contact that has it; nothing where that is just gone.
    tags: str | None


class CursorRow(TypedDict):
    name: str
    value: str


class NewestOf(TypedDict):
    """What an account's newest message and contact are; empty where it has none."""

    id: int
    newest: str | None
    newcomer: str | None


class SaidRow(TypedDict):
    phone: str
    text: str
    created_at: int


class NextSaid(SaidRow, WithId):
    sent_by: str | None


class Newcomer(WithId):
    merged_into: str | None
