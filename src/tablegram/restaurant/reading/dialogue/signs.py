"""What a guest says to an order that was read back: yes, no, or that something is to be changed; and nothing else."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from typing import Literal

from tablegram.restaurant.reading.dialogue.answers import is_drop
from tablegram.restaurant.reading.words import lexicon
from tablegram.values.folding import fold, fold_in_place

Sign = Literal["yes", "no", "change"]

# Longer ones say more than that.
_MAX_SIGN = 60

_YES = (
    lexicon.YES
    | lexicon.PERHAPS_YES
    | frozenset(
        [
            "onay",
            "onayla",
            "onayliyorum",
            "onayliyoruz",
            "onaylandi",
            "onaylıyorum",
            "confirm",
            "confirmed",
            "confirming",
            "perfect",
            "harika",
            "super",
            "guzel",
            "kesinlikle",
            "tamamdir",
            "tmmdir",
            "olr",
            "great",
            "yess",
            "yesss",
            "evett",
            "evettt",
            "good",
            "gonder",
            "gonderin",
            "verin",
            "hazirlayin",
            "👌",
            "🙏",
            "💯",
        ]
    )
)
_NO = lexicon.NO | frozenset(["hyr", "hayirr", "yoo", "yok", "iptal", "cancel", "olmaz", "gerekmez", "never", "stop"])
_CHANGE = frozenset(
    [
        "degistir",
        "degistirelim",
        "degistirin",
        "degisiklik",
        "degistirmek",
        "duzelt",
        "duzeltin",
        "duzeltelim",
        "change",
        "edit",
        "modify",
        "yanlis",
        "wrong",
    ]
)
# Before or behind what is changed: `evet ama ayran olmasın`, `hayır 3 lahmacun`.
_LEADS = re.compile(
    r"^(?:(?:evet|ewet|yes|yeah|yep|hayir|yok|no(?=\s*[,.!:;–-]|\s+(?:sorry|wait|actually|i\s+mean))|nope|tamam|tmm|ok|okay|okey|pardon|sorry|ama|but|fakat|ancak|aslinda|"
    r"actually|and|ve|dogru|correct|right|olur|peki|well|ya|wait|dur|bi dakika|bir dakika|hmm|please|lutfen)[\s,.!:;–-]+"
    # `can we change the ayran to a cola`.
    r"|(?:can|could|may)\s+(?:i|we|you)\s+(?:please\s+)?(?=(?:change|swap|switch|exchange|replace|cancel|remove|drop|skip|leave|make|put|take|keep|hold)\b))+"
)


_FINE = re.compile(
    r"(?:(?:yes|yeah|ok|okay|evet|tamam)\s+)?(?:(?:(?:it|that|all|everything)\s+)?(?:looks?|sounds?)\s+(?:good|great|right|perfect|fine|correct)(?:\s+to\s+(?:me|us))?|"
    r"(?:hepsi|her\s*sey|siparis(?:im|imiz)?)\s+(?:dogru|tamam))(?:\s+(?:thanks?|thank\s+you|tesekkurler))?"
)
_TAIL = re.compile(r"[\s,]+(?:actually|aslinda|sorry|pardon)[\s.!]*$")


def sign_in(text: str) -> Sign | None:
    """The sign, where a text is nothing else."""
    said = fold(text)
    if len(said) > _MAX_SIGN or "?" in said:
        return None
    words = re.findall(r"\w+|[^\w\s.,!]+", said)
    plain = [word for word in words if word not in lexicon.FILLERS or word in _YES]
    if _FINE.fullmatch(" ".join(words)):
        return "yes"
    if words in (["1"], ["1", "."]):
        return "yes"
    if is_drop(text):
        return "no"
    signs: tuple[tuple[Sign, AbstractSet[str]], ...] = (("no", _NO), ("change", _CHANGE | _NO), ("yes", _YES))
    for sign, known in signs:
        if plain and all(word in known for word in plain):
            return sign
    return None


def without_lead(text: str) -> str:
    """What is said behind a yes, a no or an excuse."""
    shown, said = fold_in_place(text.strip())
    lead, tail = _LEADS.match(said), _TAIL.search(said)
    start, end = 0 if lead is None else lead.end(), len(shown) if tail is None else tail.start()
    return shown[start:end].strip() or shown
