"""Why a key is refused. Every reason is a 401 with a code of its own."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.accounts.rows import Validity
from tablegram.errors import Unauthorized


@dataclass(frozen=True, slots=True)
class Denial:
    code: str
    detail: str


MISSING = Denial("key_missing", "Send your API key in the header: Authorization: Bearer tg_live_…")
MALFORMED = Denial(
    "key_malformed", "This is not a whole API key. Copy it again: tg_live_ or tg_test_ and 46 more characters."
)
UNKNOWN = Denial("key_unknown", "No such API key. Check that it belongs to this installation, or make a new one.")
EXPIRED = Denial("key_expired", "This API key has expired. Make a new one.")
REVOKED = Denial("key_revoked", "This API key was revoked. Use another one.")
SUSPENDED = Denial(
    "account_suspended", "This account is suspended. Ask the operator of this installation to resume it."
)


def refusal(denial: Denial) -> Unauthorized:
    return Unauthorized(denial.detail, code=denial.code)


def denial_of(row: Validity, now_ms: int) -> Denial | None:
    """Why a known key does not work now; nothing when it does."""
    if row["revoked_at"] is not None:
        return REVOKED
    if row["expires_at"] is not None and row["expires_at"] <= now_ms:
        return EXPIRED
    return SUSPENDED if row["state"] != "active" else None
