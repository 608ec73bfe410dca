"""How long messages take on their way out."""

from __future__ import annotations

from tablegram.values.watching.measures import CALL_S, WAIT_S, Seconds

_KINDS = ("cloud", "linked", "sandbox")

ASKED = Seconds(
    "send_seconds",
    "Seconds that a line took to answer one attempt, by what it answered.",
    CALL_S,
    kind=_KINDS,
    outcome=("accepted", "refused", "delayed", "unknown"),
)
WAITED = Seconds(
    "message_wait_seconds",
    "Seconds from when a message could go until its network took it.",
    WAIT_S,
    kind=_KINDS,
)
