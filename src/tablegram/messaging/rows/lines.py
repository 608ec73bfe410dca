"""Of lines, and of what belongs to them: what a row of the store holds, column by column."""

from __future__ import annotations

from typing import Literal

from tablegram.storage.shapes import TypedDict

LineKind = Literal["cloud", "linked", "sandbox"]


class LineRow(TypedDict):
    account_id: int
    id: int
    kind: LineKind
    name: str
    state: str
    reason: str
    state_at: int
    is_default: int
    hook_key: str
    # JSON of a `Config`.
    config: str
    # Sealed JSON of `Secrets`.
    secrets: str
    pace_milli: int | None
    paused_until: int | None
    created_at: int
    deleted_at: int | None
    handshake_at: int | None
    heard_at: int | None
    # JSON; empty where the network holds nothing against it.
    standing: str
    state_until: int | None
    paused_why: str


class LineName(TypedDict):
    account_id: int
    instance_id: int


class WhichLine(TypedDict):
    id: int


class HomeRow(WhichLine):
    """Whose a line is."""

    account_id: int


class ListedLine(HomeRow):
    kind: LineKind
    name: str
    state: str


class LinesInState(TypedDict):
    kind: LineKind
    state: str
    n: int


class PauseRow(TypedDict):
    """Of a line, what it may send."""

    # JSON of a `Config`.
    config: str
    paused_until: int | None
    # Since when its phone is linked, where it is a phone's.
    linked_at: int | None


class SendsRow(TypedDict):
    """How much a line has sent, and how much of it to somebody for the first time."""

    n: int
    firsts: int


class ReservedRow(TypedDict):
    is_first: int


class MomentRow(TypedDict):
    at: int


class ShownRow(LineName):
    """Until when the codes of a line are good."""

    epoch: int
    code_until: int
    typed_until: int


class SessionRow(LineName):
    # Sealed.
    session: str


class OneLine(TypedDict):
    """Which line of the installation it is."""

    instance_id: int


class LineDepth(OneLine):
    """How much waits for a line, and since when."""

    n: int
    oldest: int


class ReceiptsRow(TypedDict):
    """Of what a line sent: how much, to how many people, and how much of it has arrived."""

    sent: int
    people: int
    delivered: int


class LineStateRow(TypedDict):
    account_id: int
    instance_id: int
    id: str
    at: int
    state: str
    reason: str


class TemplateRow(TypedDict):
    account_id: int
    instance_id: int
    name: str
    language: str
    status: str
    category: str
    # A list as JSON.
    components: str
    synced_at: int
    # Ours, and the network's; empty where there is none yet.
    id: str
    network_id: str
    quality: str
    reason: str
    told_at: int
    # A list as JSON.
    edits: str


class NoticeRow(TypedDict):
    account_id: int
    id: str
    instance_id: int | None
    kind: str
    field: str
    # An object as JSON.
    facts: str
    words: str
    source: str
    external_id: str
    key: str
    at: int


class LinkedRow(TypedDict):
    """What belongs to a line by a phone's own number."""

    account_id: int
    instance_id: int
    # Sealed, as are both codes.
    session: str
    ended: str
    wish: str
    wish_phone: str
    wish_at: int
    code: str
    code_until: int
    typed: str
    typed_until: int
    updated_at: int
    epoch: int
    pair_until: int
    linked_at: int
    seen_at: int
