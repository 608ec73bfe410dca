"""What of a text an answer says nothing about: each word is of a dish, of what is asked, or stands around it; or it is left over.

Whoever answers a question from what the menu and the venue know has found a few words in it. The others may ask for something else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from tablegram.restaurant.reading import Reading
from tablegram.restaurant.reading.dialogue.accounting import atoms_of
from tablegram.restaurant.reading.dishes.atoms import Atom
from tablegram.restaurant.reading.letters.suffixes import stems
from tablegram.restaurant.reading.sentences import wishes
from tablegram.restaurant.reading.words.lexicon import (
    ALL,
    ASKS,
    ASKS_FIRST,
    COUNTERS,
    FILLERS,
    GENERIC,
    NUMBERS,
    TENS,
)
from tablegram.restaurant.reading.words.vocabulary import Vocabulary
from tablegram.values.folding import fold, words

# Who wants something says so.
WISHES = re.compile(
    r"\b(?:olsun|al(?:alim|ayim|abilir\w*|sam|sak|acag\w+)|ver\w*|getir\w*|gonder\w*|yolla\w*|yapin?|ekle\w*|hazirla\w*|istiyor\w*|lutfen|please|pls|plz|bring|send|give|"
    r"make|want|need|add|order|(?:can|could|may)\s+(?:i|we|you)|(?:would|'d|d)\s+(?:like|love)|i'?ll|we'?ll|let'?s|for\s+me)\b"
)
WILL = re.compile(
    r"\b(?:ols[au]\w*|olacak\w*|gelsin\w*|kal[st]\w*|yap\w*|koy\w*|cikar\w*|degis\w*|istem\w*|yeter\w*|azalt\w*|arttir\w*|make|should|without|instead|only|just|no|not|more|less|half|with)\b"
)
_QUESTION = frozenset(
    {"mi", "mu", "miyiz", "miyim", "misiniz", "musunuz", "misin", "acaba", "which", "what", "how", "why"}
)
# Around any question.
_AROUND = FILLERS | ASKS | ASKS_FIRST | COUNTERS | GENERIC | ALL | NUMBERS.keys() | TENS.keys() | frozenset(
    ["acaba", "bugun", "yarin", "sizde", "sizin", "siz", "size", "mi", "mu", "miydi", "ki", "ise", "ile", "ve", "veya", "ya", "hic", "bir", "tane", "suan", "hala", "genelde", "burada", "orada", "o", "onu", "bunun", "sunun", "sormak", "soracaktim", "soru", "sorum", "bilgi", "ogrenmek", "ogrenebilir", "merak", "ettim", "rica", "lutfen", "aksam", "gece", "sabah", "oglen", "hafta", "sonu", "ici", "gunu", "u", "do", "does", "did", "you", "your", "yours", "are", "is", "it", "its", "there", "any", "anything", "today", "tonight", "tomorrow", "know", "ask", "question", "wondering", "tell", "about", "in", "with", "a", "an", "the", "this", "these", "those", "or", "and", "does't", "hi", "also", "by", "roughly", "usually", "currently", "still", "left", "so", "if", "as"]
)  # fmt: skip
# What somebody does not eat: the answer is about that.
_MUST_NOT = re.compile("alerj|allerg|vegan|vejet|veget|gluten|laktoz|lactos|seyler|secene")
# Around what is asked, by what it is.
_OF_TOPIC: dict[wishes.Topic, frozenset[str]] = {
    "price": frozenset(["ne", "kac", "kaca", "kacar", "para", "lira", "tl", "tane", "tanesi", "porsiyonu", "ucreti", "fiyati", "fiyatlari", "ediyor", "tutar", "tutuyor", "one", "per", "each", "portion"]),
    "hours": frozenset(["acik", "acigiz", "aciksiniz", "kapali", "saat", "saate", "saatte", "kac", "kaca", "kacta", "kadar", "kapaniyorsunuz", "aciliyorsunuz", "calisiyor", "calisiyorsunuz", "mutfak", "servis", "siparis", "pazartesi", "sali", "carsamba", "persembe", "cuma", "cumartesi", "pazar", "gunu", "gunleri", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "sundays", "weekend", "weekends", "open", "close", "closing", "closed", "until", "till", "late", "kitchen", "time", "hours", "working", "serve", "serving", "lunch", "dinner", "now"]),
    "place": frozenset(["nerede", "nerde", "yeriniz", "adres", "adresiniz", "konum", "konumunuz", "tam", "exactly", "find", "where", "phone", "number", "address", "located", "street", "atar", "atabilir", "misiniz", "paylasir", "send"]),
    "ways": frozenset(["paket", "eve", "adrese", "servis", "teslim", "teslimat", "kurye", "gel", "al", "deliver", "delivery", "takeaway", "take", "away", "pick", "up", "home", "house", "order"]),
    "paying": frozenset(["kart", "karti", "kartla", "kredi", "nakit", "pos", "odeme", "odemek", "odeyebilir", "gecerli", "gecer", "geciyor", "pay", "paying", "card", "cards", "cash", "credit", "accept", "take", "visa", "mastercard", "contactless", "temassiz"]),
    "menu": frozenset(["menu", "menuyu", "menunuz", "menuler", "kart", "karti", "en", "oner", "onerirsiniz", "edersiniz", "gonder", "gonderir", "atar", "link", "linki", "gorebilir", "gorelim", "bakabilir", "bakalim", "neler", "ne", "var", "what", "have", "send", "see", "show", "look"]),
    "has": frozenset(["var", "varmi", "mevcut", "kaldi", "bulunur", "yapiyor", "satiyor", "have", "got", "serve", "sell", "available", "today", "menude", "menunuzde", "menu"]),
    "allergens": frozenset(["icinde", "icerir", "icerik", "icerigi", "iceriyor", "alerjen", "alerjenler", "alerjisi", "alerji", "olan", "icin", "katkisi", "contain", "contains", "contained", "ingredients", "allergens", "allergen", "made", "inside", "have", "has", "free", "suitable", "uygun", "olur", "olanlar", "eat", "can"]),
}  # fmt: skip


def left_over(text: str, answer: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Words of a question that its answer has nothing of."""
    topic = wishes.topic_of(text)
    named = {
        word
        for atom in atoms_of(text, vocabulary)
        if atom.kind in ("dish", "either", "option")
        for word in words(fold(atom.text))
    }
    told = fold(answer)
    known = _AROUND | named | (_OF_TOPIC[topic] if topic is not None else frozenset())
    return tuple(
        word
        for word in dict.fromkeys(words(wishes.without_topic(text)))
        if len(word) > 1
        and not word[0].isdecimal()
        and word not in known
        and word not in told
        and not _MUST_NOT.match(word)
        and not _is_menus(word, vocabulary)
    )


def _is_menus(word: str, vocabulary: Vocabulary) -> bool:
    return any(vocabulary.is_known(one) for one in (word, *stems(word)))


def is_wished(text: str) -> bool:
    """Whether somebody wants or asks something, as far as words tell."""
    said = fold(text)
    return WISHES.search(said) is not None or "?" in said or not _QUESTION.isdisjoint(words(said))


def may_be_wish(text: str, heard: Reading) -> bool:
    """Whether words that nobody understood may say how an order is to be: no question, no complaint, no thanks."""
    said = fold(text)
    is_question = "?" in said or not _QUESTION.isdisjoint(words(said)) or wishes.topic_of(text) is not None
    is_talk = wishes.complains(text) or wishes.thanks(text) or wishes.praises(text) or wishes.calls_somebody(text)
    is_talk = is_talk or wishes.is_allergic(text) or wishes.books(text) or heard.tells
    return not is_question and not is_talk and WILL.search(said) is not None


def is_talk(text: str, heard: Reading, vocabulary: Vocabulary) -> bool:
    """Whether a dish is only spoken of: `çok güzel bir akşamdı, adana efsaneydi`, `can you hurry with the dessert`.

    Nobody counts it or says where it goes, and more is said besides than of dishes; where nothing is wished for, anything.
    """
    if heard.table or heard.order_type or heard.address:
        return False
    atoms = [one for one in atoms_of(text, vocabulary) if one.kind not in ("option", "note", "measure", "and")]
    dishes = [one for one in atoms if one.kind in ("dish", "either")]
    near = [one for one in atoms if one.kind == "unknown" and one.key and vocabulary.near(one.key)]
    if any(_counts(one, other, near) for one, other in pairwise(atoms)):
        return False
    if any(one.kind == "asks" for one in atoms) and not heard.is_order:
        return True
    unknown = [one for one in atoms if one.kind in ("unknown", "tells")]
    if len(unknown) == 1 and near:
        # It may be a dish that is misspelt.
        return False
    strange = [word for one in unknown for word in words(one.text)]
    return len(strange) > (len(dishes) if WISHES.search(fold(text)) else 0)


def _counts(one: Atom, other: Atom, near: Sequence[Atom]) -> bool:
    """Whether of two neighbours one counts the other, which is a dish or may be one."""
    numbers = [atom for atom in (one, other) if atom.kind == "number" and atom.bound != "article"]
    return bool(numbers) and any(atom.kind in ("dish", "either") or atom in near for atom in (one, other))
