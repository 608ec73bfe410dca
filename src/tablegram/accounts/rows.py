"""What a row of the store holds, column by column."""

from __future__ import annotations

from typing import Literal, NotRequired

from tablegram.accounts.keys.key_format import Mode
from tablegram.storage.shapes import TypedDict

State = Literal["active", "suspended"]
Role = Literal["owner", "manager", "staff", "kitchen", "developer"]
Purpose = Literal["owner", "invite", "reset"]
ActorKind = Literal["person", "key", "command", "system"]
ChargeKind = Literal["charge", "quota", "correction", "refund", "top_up"]


class PlanRow(TypedDict):
    name: str
    free_messages: int
    free_hours: int


class AccountRow(TypedDict):
    id: int
    name: str
    state: State
    plan: str
    balance_micros: int
    quota_started_at: int | None
    quota_used: int
    rate_limit_milli: int | None
    rate_burst: int | None
    keeps_bodies: int
    created_at: int


class WhichAccount(TypedDict):
    id: int


class MeansRow(AccountRow):
    """What an account can pay with."""

    free_messages: int
    free_hours: int


class ChargeRow(TypedDict):
    kind: ChargeKind
    amount_micros: int


class MemberRow(TypedDict):
    account_id: int
    id: str
    email: str
    name: str
    role: Role
    created_at: int
    # Who signs in as this member, once they have accepted.
    person_id: str | None


class KeyRow(TypedDict):
    account_id: int
    id: str
    mode: Mode
    name: str
    hash: str
    last4: str
    # Names with spaces between them.
    scopes: str
    created_at: int
    expires_at: int | None
    revoked_at: int | None
    last_used_at: int | None


class Validity(TypedDict):
    """Of any key, whether it works."""

    expires_at: int | None
    revoked_at: int | None
    # Of its account.
    state: State


class CallerRow(KeyRow):
    """A key with the account that calls by it."""

    account_name: str
    state: State
    plan: str
    rate_limit_milli: int | None
    rate_burst: int | None
    keeps_bodies: int


class Called(TypedDict):
    """A call as it is noted."""

    account_id: int
    request_id: str
    key_id: str
    method: str
    path: str
    status: int
    code: str | None
    detail: str | None
    duration_us: int
    remote: str
    created_at: int


class NewCall(Called):
    # From when on it is stored.
    id: NotRequired[str]


class CallRow(Called):
    """A call of the log."""

    id: str


class StatusRow(TypedDict):
    status: int


class KeepsRow(TypedDict):
    keeps_bodies: int


class BodiesRow(TypedDict):
    """What was asked in a call, and what was answered."""

    account_id: int
    id: str
    request: str
    answer: str
    created_at: int


class PersonRow(TypedDict):
    id: str
    email: str
    name: str
    password_hash: str | None
    # Sealed.
    totp_secret: str | None
    totp_step: int
    language: str
    is_operator: int
    password_changed_at: int | None
    created_at: int


class CodeRow(TypedDict):
    """A code for who lost their second factor."""

    hash: str


class SecretRow(TypedDict):
    """A person's second factor."""

    id: str
    # Sealed.
    totp_secret: str


class SessionRow(TypedDict):
    token_hash: str
    person_id: str
    account_id: int
    member_id: str
    created_at: int
    last_seen_at: int
    expires_at: int
    passed_second: int
    remote: str
    user_agent: str


class LinkRow(TypedDict):
    token_hash: str
    purpose: Purpose
    account_id: int | None
    email: str
    role: Role | None
    expires_at: int
    used_at: int | None
    created_at: int
    created_by: str


class FactRow(TypedDict):
    """Something that is known of the installation."""

    value: str


class ActionRow(TypedDict):
    action: str


class AuditRow(TypedDict):
    account_id: int
    id: str
    actor_kind: ActorKind
    actor_id: str
    actor_name: str
    action: str
    object_kind: str
    object_id: str
    # An object as JSON.
    detail: str
    remote: str
    created_at: int
