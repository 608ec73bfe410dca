"""What a row of the store holds, column by column."""

from __future__ import annotations

from tablegram.storage.shapes import TypedDict


class BodyName(TypedDict):
    """What tells one body from every other."""

    source: str
    external_id: str


class NamedBody(BodyName):
    """A body as it came, whoever it is for."""

    body: bytes


class NewBody(NamedBody):
    account_id: int
    received_at: int
    due_at: int


class TakenBody(NewBody):
    """One that is to be worked on."""

    # How often that has failed.
    attempts: int


class InboxRow(TakenBody):
    id: int
    done_at: int | None
    error: str | None


class TurnRow(BodyName):
    """Of a body that waits, since when it does."""

    due_at: int
    received_at: int


class SomeBody(TypedDict):
    """One of an account's, piece by piece."""

    id: int
    body: bytes


class RawBody(TypedDict):
    # Empty where somebody in it was erased.
    body: bytes
    received_at: int


class OwnerRow(TypedDict):
    """A process of the installation."""

    id: str
    host: str
    pid: int
    started_ticks: int
    heartbeat_at: int
    role: str
    # For how long it has said nothing, by the clock of the database.
    silent_ms: int


class CallRow(TypedDict):
    """What stands under an idempotency key."""

    account_id: int
    route: str
    key: str
    fingerprint: str
    message_key: str | None
    owner_id: str
    # Both are empty while the first call is at it.
    status: int | None
    body: str | None
    created_at: int


class Counted(TypedDict):
    n: int


class Backlog(Counted):
    """How much waits, and since when the first of it could go; empty where nothing waits."""

    oldest: int | None


class NamedBacklog(Counted):
    """The same, where the first is told by an id that was made then."""

    oldest: str | None


class MomentRow(TypedDict):
    """What time it is."""

    now: int


class UnheardRow(TypedDict):
    """How long ago somebody last listened."""

    unheard_ms: int


class FactRow(TypedDict):
    """Something that is known of the installation."""

    value: str


class LeaseName(TypedDict):
    name: str


class FenceRow(TypedDict):
    fence: int


class HolderRow(TypedDict):
    """Who holds a lease; empty where nobody does."""

    owner_id: str


class HolderAndFence(HolderRow, FenceRow):
    pass


class HeldLease(LeaseName, HolderRow):
    pass


class RenewedLease(LeaseName, FenceRow):
    pass
