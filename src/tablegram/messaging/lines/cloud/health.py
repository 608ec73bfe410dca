"""What the network's answer about a number says of the line's health."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.messaging.lines.cloud import errors
from tablegram.messaging.lines.cloud.errors import GraphError
from tablegram.messaging.lines.cloud.loose import phone
from tablegram.messaging.ports import Health, LineState

# The network's own states of a number that are not simply good.
_NUMBER_STATES: dict[str, tuple[LineState, str]] = {
    "BANNED": ("restricted", "The network has banned the number."),
    "RESTRICTED": ("restricted", "The network has restricted the number."),
    "RATE_LIMITED": ("degraded", "The network is limiting the number's rate."),
    "FLAGGED": ("degraded", "The network has flagged the number for low quality."),
    "DISCONNECTED": ("disconnected", "The number is not connected to the network."),
    "DELETED": ("needs_attention", "The number was removed from the network."),
    "UNVERIFIED": ("needs_attention", "The number is not verified with the network."),
}


class _Number(msgspec.Struct):
    id: Any = None
    display_phone_number: Any = ""
    verified_name: Any = ""
    quality_rating: Any = ""
    status: Any = ""
    error: GraphError | None = None


_NUMBERS = msgspec.json.Decoder(_Number, strict=False)


def read_health(http_status: int, raw: bytes) -> Health:
    """The line's state and the reason for it, from the answer to a look at its number."""
    try:
        number = _NUMBERS.decode(raw)
    except ValueError:
        number = _Number()
    if number.error is not None:
        return _read_error(number.error, http_status)
    if http_status != 200 or not number.id:
        if http_status >= 500 or http_status == 429:
            return Health("degraded", f"The network answered HTTP {http_status}.")
        return Health("needs_attention", f"{errors.BARE_CONFIGURATION.words} It answered HTTP {http_status}.")
    dialled = phone(number.display_phone_number)
    if str(number.status) in _NUMBER_STATES:
        return Health(*_NUMBER_STATES[str(number.status)], dialled)
    if number.quality_rating == "RED":
        return Health("degraded", "The network rates the number's quality as low; it may limit it soon.", dialled)
    name = " ".join(str(part) for part in (number.display_phone_number, number.verified_name) if part)
    return Health("connected", f"Connected as {name}." if name else "Connected.", dialled)


def _read_error(error: GraphError, http_status: int) -> Health:
    verdict = errors.judge(error, http_status)
    # A look carries no message, so that what refuses it can only be the line's own set-up.
    state = verdict.line_state or ("needs_attention" if verdict.policy == "refuse" else "degraded")
    return Health(state, errors.describe(verdict, error))
