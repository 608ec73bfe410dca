"""What a row of the store holds, column by column."""

from __future__ import annotations

from tablegram.storage.shapes import TypedDict
from tablegram.stores.notifications.kinds import Kind, Language
from tablegram.stores.notifications.model import Reason, State


class WordingRow(TypedDict):
    account_id: int
    kind: Kind
    step: int
    language: Language
    enabled: int
    # JSON.
    wording: str
    updated_at: int
    updated_by: str


class ShopWordingRow(WordingRow):
    source_id: str


class NoticeRow(TypedDict):
    account_id: int
    id: str
    source_id: str
    reference: str
    kind: Kind
    step: int
    part: str
    number: str
    name: str
    phone: str
    language: str
    # JSON.
    facts: str
    instance_id: int | None
    state: State
    reason: Reason
    due_at: int | None
    message_key: str | None
    created_at: int
    updated_at: int


class UnsentRow(TypedDict):
    id: str
    kind: Kind
    number: str
    reason: Reason
    updated_at: int


class SentRow(TypedDict):
    id: str
    message_key: str | None
    instance_id: int | None


class SaidRow(TypedDict):
    kind: Kind
    state: str
