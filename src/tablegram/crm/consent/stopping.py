"""Words with which people end advertising, and return to it: a whole message that says nothing else.

`STOP 12345` or `stop sending onions` says something else. Case, accents, the Turkish i's, punctuation and emoji make no
difference.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

import msgspec

from tablegram.values.clock import DAY_MS
from tablegram.values.folding import words

Wish = Literal["stop", "start"]

# What buttons under advertising carry.
STOP_BUTTON, START_BUTTON = "tg:stop", "tg:start"
# Nobody says stop in more; a long text is not even looked at.
MAX_LETTERS = 80
# So long the same word again is noted and not confirmed again.
CONFIRMED_MS = DAY_MS


class ConsentSaid(msgspec.Struct, frozen=True):
    """What was meant; in which language, where the word tells that; and whether the same word may answer a question
    about an order."""

    wish: Wish
    language: str = ""
    is_order_talk: bool = False


def _list(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.split(",")]


# By language; none for what is said everywhere.
_STOP = {
    "": _list("stop, stopp, stop all, stopall"),
    "en": _list(
        "unsubscribe, unsubscribe me, please unsubscribe me, opt out, optout, opt me out, remove me, remove me from the list, "
        "no more messages, stop messages, stop messaging me, stop texting me, stop writing to me, no ads, no offers"
    ),
    "tr": _list(
        "ret, red, mesaj istemiyorum, mesaj almak istemiyorum, mesaj gonderme, mesaj gondermeyin, mesaj atma, mesaj atmayin, "
        "bana mesaj atmayin, bana mesaj gondermeyin, listeden cik, listeden cikar, listeden cikarin, beni listeden cikar, "
        "beni listeden cikarin, abonelikten cik, uyelikten cik, reklam istemiyorum, reklam gondermeyin, reklam atmayin, "
        "kampanya istemiyorum, bildirim istemiyorum, durdur"
    ),
    "de": _list(
        "abmelden, abbestellen, austragen, keine werbung, keine nachrichten, keine werbung mehr, bitte abmelden"
    ),
    "ar": _list("توقف, توقفوا, اوقف, اوقفوا, ايقاف, قف, الغاء الاشتراك, الغي الاشتراك, لا ترسل, لا ترسلوا"),
    "fr": _list("arret, arreter, arretez, desabonner, me desabonner, desinscription, desabonnement, plus de messages"),
    "es": _list("baja, darme de baja, dar de baja, no mas mensajes, cancelar suscripcion"),
    "ru": _list("стоп, отписаться, отписка, отпишите меня, не пишите мне"),
}
# These stop an order that is being talked about, and advertising only where there is none.
_STOP_OR_CANCEL = {
    "tr": _list("iptal, iptal et, iptal edin, dur, durun"),
    "en": _list("cancel, quit, end"),
    "de": _list("storno, stornieren, abbrechen"),
    "ar": _list("الغاء"),
    "fr": _list("annuler"),
    "es": _list("cancelar, parar"),
    "ru": _list("отмена"),
}
_START = {
    "": _list("start, unstop"),
    "en": _list("subscribe, resubscribe, opt in, optin"),
    "tr": _list("basla, baslat, tekrar basla, abone ol"),
    "de": _list("starten, anmelden, wieder anmelden"),
    "ar": _list("ابدا, ابدء, اشترك, اشتراك"),
    "fr": _list("commencer, s abonner, reprendre"),
    "es": _list("alta, empezar, suscribirme"),
    "ru": _list("старт, подписаться, подписка"),
}
# The order's own reader hears this one as a no to what it asked.
_ANSWERS = frozenset(["stop"])
_POLITE = frozenset(["please", "lutfen", "bitte", "svp", "por", "favor", "пожалуиста"])
# Letters of Arabic that people write in two ways.
_SAME = str.maketrans({"ى": "ي", "ة": "ه", "ـ": None})
_MARKS = re.compile("[\u064b-\u065f\u0670]")


def plain(text: str) -> str:
    """The words of a text as they are compared."""
    shown = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    return _MARKS.sub("", " ".join(words(shown))).translate(_SAME)


def _meanings() -> dict[str, ConsentSaid]:
    found: dict[str, ConsentSaid] = {}
    for language, known in _STOP_OR_CANCEL.items():
        found |= {plain(word): ConsentSaid("stop", language, is_order_talk=True) for word in known}
    for language, known in _STOP.items():
        found |= {plain(word): ConsentSaid("stop", language) for word in known}
    for language, known in _START.items():
        found |= {plain(word): ConsentSaid("start", language) for word in known}
    return found


_MEANINGS = _meanings()


def read_text(text: str) -> ConsentSaid | None:
    """What a message says of advertising; nothing where it says anything else."""
    if len(text) > MAX_LETTERS:
        return None
    said = plain(text).split()
    found = _MEANINGS.get(" ".join(said))
    if found is not None or not said:
        return found
    polite = [word for word in said if word not in _POLITE]
    # Who says it three times means it.
    once = polite[:1] if len(set(polite)) == 1 else polite
    return _MEANINGS.get(" ".join(once)) if once else None


def answers_questions(text: str) -> bool:
    """Whether it also answers what a guest was asked about an order."""
    return plain(text) in _ANSWERS


def read_button(button_id: object) -> ConsentSaid | None:
    if button_id == STOP_BUTTON:
        return ConsentSaid("stop")
    return ConsentSaid("start") if button_id == START_BUTTON else None
