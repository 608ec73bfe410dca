"""What segments can ask of contacts themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement

from tablegram.campaigns.segments.rules import DAYS, Choice, Frame, Line, Phrase, Rule, Yes
from tablegram.crm.segments import asking

_Values = Mapping[str, Any]
_MONTHS = {
    "01": ("January", "Ocak"), "02": ("February", "Şubat"), "03": ("March", "Mart"), "04": ("April", "Nisan"),
    "05": ("May", "Mayıs"), "06": ("June", "Haziran"), "07": ("July", "Temmuz"), "08": ("August", "Ağustos"),
    "09": ("September", "Eylül"), "10": ("October", "Ekim"), "11": ("November", "Kasım"), "12": ("December", "Aralık"),
}  # fmt: skip
_MONTH = Choice(
    {
        "this": {"en": "this month", "tr": "bu ay"},
        "next": {"en": "next month", "tr": "gelecek ay"},
        **{number: {"en": en, "tr": tr} for number, (en, tr) in _MONTHS.items()},
    }
)
_LANGUAGE = Choice(
    {
        "tr": {"en": "Turkish", "tr": "Türkçe"},
        "en": {"en": "English", "tr": "İngilizce"},
        "de": {"en": "German", "tr": "Almanca"},
        "ar": {"en": "Arabic", "tr": "Arapça"},
        "ru": {"en": "Russian", "tr": "Rusça"},
        "fr": {"en": "French", "tr": "Fransızca"},
        "es": {"en": "Spanish", "tr": "İspanyolca"},
        "it": {"en": "Italian", "tr": "İtalyanca"},
        "nl": {"en": "Dutch", "tr": "Felemenkçe"},
        "fa": {"en": "Persian", "tr": "Farsça"},
        "uk": {"en": "Ukrainian", "tr": "Ukraynaca"},
        "zh": {"en": "Chinese", "tr": "Çince"},
    }
)
_CONSENT = Choice(
    {
        "granted": {"en": "wants offers", "tr": "kampanya istiyor"},
        "denied": {"en": "wants no offers", "tr": "kampanya istemiyor"},
        "unknown": {"en": "was not asked about offers", "tr": "kampanyalar için sorulmadı"},
    }
)


def _birthday(frame: Frame, values: _Values) -> ColumnElement[bool]:
    this = frame.today.month
    told = {"this": this, "next": this % 12 + 1}
    month = values["month"]
    return asking.born_in(told[month] if month in told else int(month))


def _seen(frame: Frame, values: _Values) -> ColumnElement[bool]:
    if "within_days" in values:
        return asking.wrote_since(frame.since(values["within_days"]))
    if "not_within_days" in values:
        return asking.wrote_before(frame.since(values["not_within_days"]))
    return asking.never_wrote()


RULES = (
    Rule(
        "tag",
        (Phrase("Has the tag {is}", "{is} etiketi var", {"is": Line()}),),
        lambda frame, values: frame.among(asking.tagged(frame.account_id, values["is"])),
    ),
    Rule(
        "birthday",
        (Phrase("Birthday: {month}", "Doğum günü: {month}", {"month": _MONTH}),),
        _birthday,
    ),
    Rule(
        "language",
        (Phrase("Speaks {is}", "Dili {is}", {"is": _LANGUAGE}),),
        lambda frame, values: asking.speaks(values["is"]),
    ),
    Rule(
        "consent",
        (Phrase("Marketing: {is}", "Pazarlama: {is}", {"is": _CONSENT}),),
        lambda frame, values: asking.consents(values["is"]),
    ),
    Rule(
        "first_seen",
        (
            Phrase(
                "Came to us in the last {within_days} days", "Son {within_days} gün içinde bize geldi",
                {"within_days": DAYS},
            ),
            Phrase(
                "Has been with us for more than {not_within_days} days", "{not_within_days} günden uzun süredir bizimle",
                {"not_within_days": DAYS},
            ),
        ),
        lambda frame, values: (
            asking.known_since(frame.since(values["within_days"]))
            if "within_days" in values
            else ~asking.known_since(frame.since(values["not_within_days"]))
        ),
    ),
    Rule(
        "last_seen",
        (
            Phrase(
                "Wrote in the last {within_days} days", "Son {within_days} gün içinde yazdı", {"within_days": DAYS}
            ),
            Phrase(
                "Wrote before, but not in the last {not_within_days} days",
                "Daha önce yazdı ama son {not_within_days} günde yazmadı", {"not_within_days": DAYS},
            ),
            Phrase("Has never written", "Hiç yazmadı", {"never": Yes()}),
        ),
        _seen,
    ),
)  # fmt: skip
