"""What people read about a linked line."""

from __future__ import annotations

# How a host says that its engine cannot be loaded.
EXIT_NOT_INSTALLED = 69

ONLY_SANDBOX = "This line is on the sandbox network, which is off here. Set TABLEGRAM_SANDBOX=1 to serve it."
STARTING = "The line's program is starting."
UNLED = "The line is being taken over from another process."
WAITING_FOR_PHONE = "Waiting for a phone. On the phone open Linked devices, tap Link a device, and scan the code."
UNPAIRED = "No phone is linked yet. Ask for a code to link one."
LOGGED_OUT_HERE = "Logged out here. Pair the phone again to use the line."
LOGGED_OUT_BY_PHONE = "The phone has ended the link. Pair it again to use the line."
ALREADY_PAIRED = "This line is paired with a phone. Log it out first to pair another."
PAIRING_SOON = "There is no code yet. Try again in a moment."
NOT_ON_NETWORK = "This number has no account on the network. Check it, or reach the person in another way."
NO_ANSWER = "The line's program did not answer in time, so it is not known whether the message went out."
PASSKEY = (
    "This account must be linked with a passkey, which this engine cannot do. Turn the passkey off on the phone under "
    "Settings, Account, Passkeys, or use a cloud line."
)

_REASONS = {
    "": "",
    "waiting_for_phone": WAITING_FOR_PHONE,
    "unreachable": "The network cannot be reached.",
    "unled": UNLED,
    "logged_out_by_phone": LOGGED_OUT_BY_PHONE,
    "logged_out_here": LOGGED_OUT_HERE,
    "banned": "The network has restricted this number.",
    "reachout_limited": "The network lets this number write to no new people for now.",
    "replaced": "The same device was opened elsewhere. Restart the line to take it back.",
    "passkey_needed": PASSKEY,
    "outdated": "The network asks for a newer version of the engine. Upgrade it.",
}


def reason(code: str, detail: str) -> str:
    """A host's reason in words: the code's own, else what the host says."""
    told = _REASONS.get(code, detail or code)
    if code == "unreachable" and detail:
        told = f"The network cannot be reached: {detail}."
    return told[:500]


def ended(why: str) -> str:
    return LOGGED_OUT_HERE if why == "logged_out_here" else LOGGED_OUT_BY_PHONE


def silent(seconds: float) -> str:
    return f"Nothing was heard of the network for {seconds / 60:.0f} minutes. What is sent may not arrive."


def full(most: int) -> str:
    return (
        f"This machine runs as many linked lines as it may: {most}. Raise TABLEGRAM_LINKED_MAX_LINES or add a machine."
    )


def not_installed(engine: str) -> str:
    extra = {"neonize": "linked", "tryx": "linked-tryx"}.get(engine)
    install = f" Install it with pip install 'tablegram[{extra}]' and start the server anew." if extra else ""
    return f"The engine {engine} is not installed here.{install}"


def host_ended(why: str, wait_s: float) -> str:
    return f"The line's program ended: {why}. It starts again in {wait_s:.0f} s."


def gone_meanwhile(why: str) -> str:
    return f"The line's program ended while it was sending ({why}), so it is not known whether the message went out."
