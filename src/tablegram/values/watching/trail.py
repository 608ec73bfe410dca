"""The trail of a message: the id of the request that began it goes along from row to row, and into every line of the log.

What is told of a step is ids, states and times: never a secret, a number or a word that somebody wrote.
"""

from __future__ import annotations

import logging
from contextvars import ContextVar

from tablegram.values.ids import gateway_id

log = logging.getLogger("tablegram.trail")

_FOLLOWED: ContextVar[str] = ContextVar("request", default="")

# What this task works for from here on; whatever it writes into the log bears the id.
follow = _FOLLOWED.set
followed = _FOLLOWED.get


def step(what: str, trace: str | None = None, message: str = "", **facts: object) -> None:
    """Tell of one step, where somebody wants to know each (LOG_TRAIL). Costs next to nothing where nobody does.

    `message` is the key of the message that it is about.
    """
    if log.isEnabledFor(logging.INFO):
        told = {"message_id": gateway_id(message), **facts} if message else facts
        log.info(what, extra={"request_id": trace, "facts": told})
