"""What segments can ask of contacts themselves."""

from __future__ import annotations

from tablegram.campaigns.segments.rules import DAYS, Sentences, TypedText, Values, Yes
from tablegram.campaigns.segments.store.frame import Frame, Holds
from tablegram.crm.segments import store as asking

_SAY = Sentences(__file__)
_MONTH = _SAY.choice("months", "this", "next", *[f"{number:02}" for number in range(1, 13)])
_LANGUAGE = _SAY.choice("languages", "tr", "en", "de", "ar", "ru", "fr", "es", "it", "nl", "fa", "uk", "zh")
_CONSENT = _SAY.choice("consents", "granted", "denied", "unknown")


def _birthday(frame: Frame, values: Values) -> Holds:
    this = frame.today.month
    told = {"this": this, "next": this % 12 + 1}
    month = values.text("month")
    return asking.born_in(told[month] if month in told else int(month))


def _seen(frame: Frame, values: Values) -> Holds:
    if "within_days" in values:
        return asking.wrote_since(frame.since(values.whole("within_days")))
    if "not_within_days" in values:
        return asking.wrote_before(frame.since(values.whole("not_within_days")))
    return asking.never_wrote()


RULES = (
    _SAY.rule(
        "tag",
        ({"is": TypedText()},),
        lambda frame, values: frame.among(asking.tagged(frame.account_id, values.text("is"))),
    ),
    _SAY.rule(
        "birthday",
        ({"month": _MONTH},),
        _birthday,
    ),
    _SAY.rule(
        "language",
        ({"is": _LANGUAGE},),
        lambda frame, values: asking.speaks(values.text("is")),
    ),
    _SAY.rule(
        "consent",
        ({"is": _CONSENT},),
        lambda frame, values: asking.consents(values.text("is")),
    ),
    _SAY.rule(
        "first_seen",
        (
            {"within_days": DAYS},
            {"not_within_days": DAYS},
        ),
        lambda frame, values: (
            asking.known_since(frame.since(values.whole("within_days")))
            if "within_days" in values
            else ~asking.known_since(frame.since(values.whole("not_within_days")))
        ),
    ),
    _SAY.rule(
        "last_seen",
        (
            {"within_days": DAYS},
            {"not_within_days": DAYS},
            {"never": Yes()},
        ),
        _seen,
    ),
)
