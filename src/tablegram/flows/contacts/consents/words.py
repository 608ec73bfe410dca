"""What a customer hears who stopped advertising or came back, in their language."""

from __future__ import annotations

from tablegram.crm.consent.stopping import Wish
from tablegram.values.phone import calling_code
from tablegram.values.words import Words

WORDS = Words(__file__)
# Where a number is from says which language is likely, where nothing else does.
_COUNTRIES = {90: "tr", 49: "de", 43: "de", 966: "ar", 971: "ar", 20: "ar", 33: "fr", 34: "es", 7: "ru"}


def spoken(told: str, known: str, phone: str) -> str:
    """The language to answer in: that of the word, what is known of the contact, or that of the number's country."""
    usual = known.partition("-")[0].lower()
    likely = (told, usual, _COUNTRIES.get(calling_code(phone), ""))
    return next((one for one in likely if one in WORDS.languages), "en")


def confirmation(wish: Wish, language: str) -> str:
    return WORDS.of(language)[wish]


def link_text(language: str, url: str) -> str:
    """What goes with a link to somebody's own data."""
    return WORDS.of(language)["own_data"].format(url=url)
