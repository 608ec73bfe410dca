"""Which language a guest writes in, told from a few words that everybody uses."""

from __future__ import annotations

import re

from tablegram.restaurant.texts.words import WORDS
from tablegram.values.folding import words


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Small words that stand in orders and requests of one language and mean nothing in the others. Whose language we do not speak is
# answered in English.
_TELLING = {
    "tr": _set(
        "bir iki uc dort bes alti yedi sekiz dokuz ve lutfen tane adet masa masaya gel al paket adrese istiyorum "
        "isterim istiyoruz alabilir miyim miyiz olsun merhaba selam bana bize icin az cok sicak soguk buyuk kucuk "
        "acili acisiz yarim porsiyon da de ile ama yok var mi siparis vermek tesekkurler kolay gelsin evet hayir tamam degil "
        "yerine olmasin daha nerede ne zaman kac kadar nasil neden bakar misiniz getirir hesap garson gunaydin iptal vazgectim "
        "ederim ederiz tesekkur saglik ellerinize eline elinize sagol sagolun siparisim siparisimi bekliyoruz bekliyorum gelmedi kim bu su para acik kapali iyi aksamlar gunler geceler rica"
    ),
    "en": _set(
        "one two three four five six seven eight nine ten and please table the a an to go takeaway delivery can could "
        "we i would like want have get me us for with without some large small hot cold hello hi order thanks thank "
        "you of extra spicy mild half portion yes is are was it my our what when where why how long much many will do does "
        "not instead cancel change make that same again more waiting there here this bill check waiter contain allergy "
        "grilled fried chicken lamb soup soups salad tea teas coffee water sparkling bream bass cheese lemonade wings chops dumplings good morning evening afternoon night bye sorry pls plz tbl thx"
    ),
    "de": _set(
        "guten tag hallo bitte danke und wir ich hatten mochten mochte gern gerne haben sie ist der die das ein eine einen zwei drei tisch rechnung was kostet ohne mit gibt es haben auch noch wie zweimal dreimal an am auf"
    ),
    "fr": _set(
        "bonjour bonsoir merci deux trois et vous nous je voudrais avez est une des les pour avec sans combien addition excusez moi dans le il au du que quel svp noix table voulons peut on payer par carte quoi quand ou"
    ),
    "es": _set(
        "hola buenas gracias por favor quiero queremos tiene tienen una dos con sin cuanto cuenta mesa el los las que para hay nos puede trae"
    ),
    "it": _set("ciao buonasera buongiorno salve grazie due tre tavolo vorrei vorremmo favore il conto senza avete"),
}


# Greek, Cyrillic, Hebrew and Arabic letters, and those of East Asia.
_FOREIGN = re.compile(
    "[\u0370-\u03ff\u0400-\u04ff\u0590-\u05ff\u0600-\u06ff\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
)


# Signs and letters that neither Turkish nor English has.
_ACCENTED = re.compile("[¿¡ñáéíóúàèìòùäßøåæœãõêëïôłśżźćńřšžěůő]", re.IGNORECASE)


def guess(text: str, spoken: list[str]) -> str:
    """The language of a text; the venue's own where it cannot be told. `spoken` are the menu's, its own first."""
    return tell(text) or (spoken[0] if spoken else "en")


def tell(text: str) -> str:
    """The language of a text; nothing where it cannot be told."""
    if _FOREIGN.search(text):
        return "en"
    said = set(words(text))
    scores = {language: len(said & known) for language, known in _TELLING.items()}
    best = max(scores.values())
    found = [language for language, score in scores.items() if score == best]
    if best == 0 or (len(found) > 1 and "tr" in found):
        return "en" if _ACCENTED.search(text) else ""
    # Of two languages that we do not speak it is all the same which.
    return found[0] if len(found) == 1 and found[0] in WORDS.languages else "en"
