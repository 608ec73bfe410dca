"""What errors of the libraries mean for whoever wanted something."""

from __future__ import annotations

import re

from tablegram.linehost.engines.port import Refusal

_SERVER = re.compile(r"server returned error (\d+)")
# Words of errors that come before anything has left.
_UNSENT = (
    "websocket not connected", "not logged in", "doesn't contain a device", "client is nil", "client not found",
    "not running", "not connected", "failed to get device list", "failed to get lid", "failed to encrypt", "can't encrypt", "failed to marshal",
    "recipient can't be", "unknown server", "failed to get group", "failed to prefetch sessions",
)  # fmt: skip
_OFFLINE = (
    "websocket not connected", "not logged in", "doesn't contain a device", "client is nil", "client not found",
    "not running", "not connected",
)  # fmt: skip
_ABSENT = ("no lid found",)


def send_refusal(words: str) -> Refusal:
    """Of a message. What is not known to come before the sending may have gone out."""
    low = words.lower()
    found = _SERVER.search(low)
    if found:
        return _by_code(int(found[1]))
    if any(known in low for known in _ABSENT):
        return Refusal("not_on_network", "This number has no account on the network.")
    if any(known in low for known in _OFFLINE):
        return offline("The network cannot be reached.")
    if any(known in low for known in _UNSENT):
        return Refusal("network_unwell", f"The message could not be prepared: {_short(words)}.", again_s=10.0)
    detail = f"It is not known whether the message went out: {_short(words)}."
    return Refusal("answer_lost", detail, again_s=5.0, sent="unknown")


def _by_code(code: int) -> Refusal:
    if code == 463:
        words = "The network lets this number write to no new people for now, and this contact has not written before."
        return Refusal("reachout_limited", words, network_code=code)
    if code in (429, 503):
        words = "The network asks to wait."
        return Refusal("rate_limited", words, again_s=30.0, holds="line", network_code=code)
    if code in (401, 403):
        return Refusal("network_refused", "The network does not let this message through.", network_code=code)
    return Refusal("network_refused", f"The network refused with code {code}.", network_code=code)


def order_refusal(words: str) -> Refusal:
    """Of anything else; whether it was done does no harm."""
    if any(known in words.lower() for known in _OFFLINE):
        return offline("The network cannot be reached.")
    return Refusal("network_refused", f"The network did not do it: {_short(words)}.", again_s=10.0)


def offline(words: str, state: str = "disconnected") -> Refusal:
    return Refusal("line_offline", words, again_s=5.0, holds="line", state=state)


def unlinked(state: str) -> str:
    """Why a device without a number cannot send."""
    if state in ("pairing", "logged_out", "needs_attention"):
        return "The line is not linked with a phone."
    return "The line is not connected to the network."


def unreachable(words: str) -> str:
    """Why there is no connection, without the library's layers around it."""
    for sign, plain in (
        ("no such host", "its name cannot be looked up"),
        ("server misbehaving", "its name cannot be looked up"),
        ("network is unreachable", "this machine has no way to it"),
        ("connection refused", "it refuses the connection"),
        ("timeout", "it does not answer"),
        ("deadline exceeded", "it does not answer"),
        ("certificate", "its certificate is not trusted here"),
        ("eof", "it closes the connection"),
    ):
        if sign in words.lower():
            return plain
    return _short(words).rpartition(": ")[2]


def _short(words: str) -> str:
    return words.strip().rpartition("\n")[2].rstrip(".")[:200]
