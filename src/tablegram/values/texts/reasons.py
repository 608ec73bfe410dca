"""Why somebody did something that others see later: one length, and one wording of what is wrong with it."""

from __future__ import annotations

from tablegram.errors import Invalid

MAX_REASON = 200


def short_reason(why: str, most: int = MAX_REASON) -> str:
    if len(why) > most:
        raise Invalid.field("reason", "too_long", f"A reason has at most {most} characters.")
    return why


def needed_reason(why: str) -> str:
    if not why:
        raise Invalid.field("reason", "reason_missing", "Say why; it is written down.")
    return short_reason(why)
