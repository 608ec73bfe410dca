"""Whatever holds a line up is told in the visitor's language."""

from __future__ import annotations

from tablegram.messaging import care
from tablegram.messaging.lines.linked import words
from tablegram.messaging.watching import receipts
from tablegram.panel.frame.reasons import tell_reason
from tests.cases import cases

REASONS = (
    *(one for one in words._REASONS.values() if one),
    words.ONLY_SANDBOX,
    words.STARTING,
    words.UNPAIRED,
    words.full(200),
    words.silent(300),
    receipts.undelivered(7),
    words.not_installed("sandbox"),
    words.not_installed("neonize"),
    words.host_ended("it used 401 MB of memory", 4),
    words.host_ended("it ended by itself", 4),
    words.host_ended("it did not answer in time", 4),
    words.reason("unreachable", "no answer in time"),
    care.daily_cap(1_000, 1_800_000_000_000),
    care.warming_up(10, 1_800_000_000_000),
)


def test_every_reason_of_a_linked_line_has_turkish_words() -> None:
    with cases() as found:
        for reason in REASONS:
            with found.case(reason):
                told = tell_reason("tr", reason)
                assert told != reason
                assert "{" not in told
                assert not any(word in told.split() for word in ("the", "The", "it", "It", "is", "line"))
