"""Named places where a test makes the process kill itself, as a power cut would, or freeze, as a paused machine does.

`TABLEGRAM_CRASH_AT=accept.committed:3` kills at the third pass. `TABLEGRAM_FREEZE_AT` stops the process there until
somebody lets it go on (SIGCONT). Without a setting a pass costs one comparison.
"""

from __future__ import annotations

import os
import signal

from tablegram.errors import Misconfigured

# A message on its way out, and the callbacks about it.
SENDING = (
    "accept.before_commit",
    "accept.committed",
    "transmit.answered",
    "outcome.committed",
    "drain.claimed",
    "drain.answered",
    "inbox.before_commit",
    "inbox.committed",
    "inbox.applied",
    "recovery.before_commit",
)
# A message on its way in, and the events that tell of it.
RECEIVING = (
    "inbox.before_commit",
    "inbox.committed",
    "inbox.before_apply",
    "inbox.applying",
    "inbox.applied",
    "delivery.claimed",
    "delivery.answered",
    "delivery.recorded",
    "media.fetched",
    "media.stored",
    "media.recorded",
    "index.before_commit",
    "index.committed",
)
# Contacts that come in from a table.
IMPORTING = ("import.before_commit", "import.committed")
# An order in a guest's own words, until it is one: each within the transaction of the message that it came with.
DRAFTING = ("draft.kept", "draft.changed", "draft.ordered")
# An order that becomes tickets, and a job in a printer's hands.
PRINTING = (
    "printing.made",
    "printing.committed",
    "printing.claimed",
    "printing.handed_over",
    "printing.written",
    "printing.before_printed",
    "printing.printed",
)
# A link from the wish to the money, and money that goes back.
PAYING = (
    "payments.made",
    "payments.changed",
    "payments.answered",
    "payments.refund_asked",
    "payments.refund_answered",
)
# An order and its link: asked for with the order, taken back with it, and the money that lets it through.
GATE = ("gate.asked", "gate.dropped", "gate.paid")
# Money that is taken against a table's bill.
BILLING = ("bills.taken",)
# An order that moves on with its courier: within the transaction, and after it, before anybody is told.
BRINGING = ("courier.stepped", "courier.committed")
# A cart that is kept, reminded of, or bought.
CARTS = ("stores.cart_kept", "stores.reminded", "stores.bought")
# Points that come or go with an order, and a gift card that pays for a bill.
LOYALTY = ("loyalty.earned", "loyalty.reversed", "loyalty.redeemed", "loyalty.gift_spent")
# A campaign on its way: messages within their transaction, and after any step.
CAMPAIGNS = ("campaigns.queued", "campaigns.committed")
# A step of an automation: within its transaction, and after it, before anybody is told.
AUTOMATIONS = ("automations.noted", "automations.committed")
NAMES = tuple(
    dict.fromkeys(
        (
            *SENDING,
            *RECEIVING,
            *IMPORTING,
            *DRAFTING,
            *PRINTING,
            *PAYING,
            *GATE,
            *BILLING,
            *BRINGING,
            *CARTS,
            *CAMPAIGNS,
            *AUTOMATIONS,
            *LOYALTY,
        )
    )
)

_armed: str | None = None
_passes_left = 0
_signal = signal.SIGKILL


def arm(setting: str, freeze: str = "") -> None:
    """Arm the point that a setting names; empty settings arm nothing. A point to freeze at goes before one to crash at."""
    global _armed, _passes_left, _signal
    chosen = freeze or setting
    name, _, count = chosen.partition(":")
    if chosen and (name not in NAMES or not (count or "1").isdecimal()):
        variable = "TABLEGRAM_FREEZE_AT" if freeze else "TABLEGRAM_CRASH_AT"
        raise Misconfigured(
            f"{variable}={chosen!r} is not a crash point (NAME or NAME:N); the names are {', '.join(NAMES)}"
        )
    _armed, _passes_left = (name or None), int(count or 1)
    _signal = signal.SIGSTOP if freeze else signal.SIGKILL


def reach(name: str) -> None:
    """Pass a crash point."""
    global _armed, _passes_left
    if _armed is None or _armed != name:
        return
    _passes_left -= 1
    if _passes_left <= 0:
        _armed = None
        os.kill(os.getpid(), _signal)
