"""Which language a guest writes in, told from a few words that everybody uses."""

from __future__ import annotations

from tablegram.flows.restaurant.orders.words import WORDS
from tablegram.values.folding import words


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Small words that stand in orders and requests of one language and mean nothing in the other.
_TELLING = {
    "tr": _set(
        "bir iki uc dort bes alti yedi sekiz dokuz on ve lutfen tane adet masa masaya gel al paket adrese istiyorum "
        "isterim istiyoruz alabilir miyim miyiz olsun merhaba selam bana bize icin az cok sicak soguk buyuk kucuk "
        "acili acisiz yarim porsiyon da de ile ama yok var mi siparis vermek tesekkurler kolay gelsin evet hayir tamam degil "
        "yerine olmasin daha nerede ne zaman kac kadar nasil neden bakar misiniz getirir hesap garson gunaydin iptal vazgectim "
        "siparisim siparisimi bekliyoruz bekliyorum gelmedi kim bu su para acik kapali iyi aksamlar gunler geceler rica"
    ),
    "en": _set(
        "one two three four five six seven eight nine ten and please table the a an to go takeaway delivery can could "
        "we i would like want have get me us for with without some large small hot cold hello hi order thanks thank "
        "you of no extra spicy mild half portion yes ok is are was it my our what when where why how long much many will do does "
        "not instead cancel change make that same again more waiting there here this bill check waiter contain allergy good morning evening afternoon night bye sorry"
    ),
}


def guess(text: str, spoken: list[str]) -> str:
    """The language of a text; the venue's own where it cannot be told. `spoken` are the menu's, its own first."""
    return tell(text) or (spoken[0] if spoken else "en")


def tell(text: str) -> str:
    """The language of a text; nothing where it cannot be told."""
    said = set(words(text))
    scores = {language: len(said & known) for language, known in _TELLING.items()}
    best = max(scores.values())
    if best == 0 or list(scores.values()).count(best) > 1:
        return ""
    found = max(scores, key=lambda language: scores[language])
    return found if found in WORDS else "en"
