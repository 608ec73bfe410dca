"""What a courier writes: a step, and of which order. Folded, so that "ALDIM", "aldım" and "aldim" are one word."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from tablegram.values.folding import words

Said = Literal["pick_up", "deliver", "bring_back", "undo", "list", "take"]

# By the number in front, or by words anywhere; longer phrases are tried before shorter ones.
_NUMBERS: dict[str, Said] = {"1": "pick_up", "2": "deliver", "3": "bring_back", "4": "take", "0": "undo"}
_PHRASES: dict[Said, tuple[str, ...]] = {
    "undo": ("geri al", "undo", "yanlis", "yanlis oldu", "take back", "take it back"),
    "bring_back": (
        "gelmedi", "bring back", "brought back", "bringing back", "geri getirdim", "geri getiriyorum", "geri geldi",
        "getirdim geri", "iade", "kimse yok", "adreste yok", "evde yok", "not home", "nobody home", "no answer",
        "teslim edemedim", "teslim edilemedi", "teslim olmadi", "not delivered",
    ),
    "pick_up": ("aldim", "aldik", "alindi", "teslim aldim", "picked up", "pick up", "picked", "got it", "yola ciktim",
                "yoldayim", "on my way", "on the way", "ciktim"),
    "deliver": ("teslim", "teslim ettim", "teslim edildi", "teslim oldu", "delivered", "deliver", "verdim", "biraktim",
                "handed over", "done"),
    "list": ("liste", "list", "neler var", "what is left", "tur", "tour", "route", "rota"),
    "take": ("al", "aliyorum", "alirim", "alayim", "ben alirim", "ben aliyorum", "ben alayim", "ben gotururum",
             "ben goturuyorum", "take", "take it", "i take", "i take it", "i will take", "i will take it"),
}  # fmt: skip
_BY_LENGTH = sorted(
    ((phrase.split(), said) for said, phrases in _PHRASES.items() for phrase in phrases), key=lambda one: -len(one[0])
)
_ALL = frozenset({"hepsi", "hepsini", "all", "tumu", "tumunu", "everything", "both", "ikisi", "ikisini"})
_CASH = frozenset({"nakit", "cash", "pesin"})
_CARD = frozenset({"kart", "kartla", "card", "pos"})
_UNPAID = frozenset({"odenmedi", "odemedi", "unpaid", "acik", "veresiye"})
_NUMBER = re.compile(r"\d{1,6}")
# Longer than this is no reply but talk.
MAX_WORDS = 12


class Reply(msgspec.Struct, frozen=True):
    """What was read: a step, the short numbers of the orders that it names, and how it was paid."""

    said: Said
    numbers: tuple[int, ...] = ()
    is_all: bool = False
    paid: Literal["cash", "card_on_delivery"] | None = None
    is_unpaid: bool = False


def read_reply(text: str) -> Reply | None:
    """Nothing for what says no step, or more than one."""
    found = words(text)
    if not found or len(found) > MAX_WORDS:
        return None
    left, said = _by_words(found)
    if said is None:
        left, said = found[1:], _NUMBERS.get(found[0])
    elif left and left[0] == found[0] and _NUMBERS.get(found[0]) == said:
        # "3 nobody home" says it twice, and names no order 3.
        left = left[1:]
    if said is None or _by_words(left)[1] is not None:
        return None
    cash, card = bool(_CASH & set(left)), bool(_CARD & set(left))
    if cash and card:
        return None
    return Reply(
        said,
        tuple(int(word) for word in left if _NUMBER.fullmatch(word)),
        is_all=bool(_ALL & set(left)),
        paid="cash" if cash else "card_on_delivery" if card else None,
        is_unpaid=bool(_UNPAID & set(left)),
    )


def _by_words(found: list[str]) -> tuple[list[str], Said | None]:
    for phrase, said in _BY_LENGTH:
        for at in range(len(found) - len(phrase) + 1):
            if found[at : at + len(phrase)] == phrase:
                return [*found[:at], *found[at + len(phrase) :]], said
    return found, None


def short_number(order_id: str) -> int:
    """What couriers call an order: ORD-20261115-0042 is 42."""
    tail = order_id.rpartition("-")[2]
    return int(tail) if tail.isascii() and tail.isdecimal() else 0
