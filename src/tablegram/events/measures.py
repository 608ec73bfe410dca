"""How long events take to reach endpoints."""

from __future__ import annotations

from tablegram.values.watching.measures import CALL_S, WAIT_S, Seconds

LAG = Seconds("event_lag_seconds", "Seconds from an event until an endpoint took it, retries included.", WAIT_S)
POSTED = Seconds(
    "delivery_seconds",
    "Seconds that an endpoint took to answer one attempt.",
    CALL_S,
    outcome=("taken", "refused", "unreachable"),
)
