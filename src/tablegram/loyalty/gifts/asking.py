"""What people write about gift cards: what is left on theirs, or on one whose code they send."""

from __future__ import annotations

import msgspec

from tablegram.loyalty.gifts import codes
from tablegram.values.clock import DAY_MS
from tablegram.values.folding import words

# As they are folded: without accents, signs and capitals.
_BALANCE = {
    "tr": frozenset(
        {
            "hediye karti", "hediye kartim", "hediye kartlarim", "hediye bakiyem", "hediye bakiye", "hediye karti bakiyem",
            "hediye kartimin bakiyesi", "hediye karti bakiyesi", "hediye kartimda ne kadar var",
            "hediye kartimda ne kadar kaldi", "hediye ceki", "hediye cekim", "hediye ceki bakiyem", "hediyem ne kadar",
        }
    ),
    "en": frozenset(
        {
            "gift card", "giftcard", "my gift card", "my gift cards", "gift cards", "gift card balance", "gift balance",
            "my gift card balance", "balance of my gift card", "how much is on my gift card",
            "how much is left on my gift card", "what is left on my gift card",
        }
    ),
}  # fmt: skip
# A word before the code, and what may stand beside it.
_GIFT = {"hediye": "tr", "gift": "en", "giftcard": "en"}
_BESIDE = frozenset(
    {
        "karti",
        "kartim",
        "ceki",
        "cekim",
        "kodu",
        "kod",
        "kodum",
        "bakiye",
        "bakiyem",
        "card",
        "code",
        "balance",
        "cards",
    }
)
MAX_WORDS = 12
# Of cards that have ended, those of the last months are told of.
RECENT_MS = 90 * DAY_MS
MAX_SHOWN = 10


class Asked(msgspec.Struct, frozen=True):
    """Without a code, after all cards of who asks. `is_sure`: it speaks of a gift card, whatever the code is."""

    language: str
    code: str = ""
    is_sure: bool = True


def read(text: str) -> Asked | None:
    """What a message asks for; nothing for almost every message."""
    if len(text) > 120:
        return None
    said = words(text)
    if not said or len(said) > MAX_WORDS:
        return None
    whole = " ".join(said)
    for language, known in _BALANCE.items():
        if whole in known:
            return Asked(language)
    rest = "".join(word for word in said[1:] if word not in _BESIDE)
    if said[0] in _GIFT and rest:
        # A plain word behind "gift" is a question for people.
        is_code = codes.looks_like_one(rest) or (len(rest) >= 6 and any(sign.isdigit() for sign in rest))
        return Asked(_GIFT[said[0]], rest) if is_code else None
    return Asked("", whole, is_sure=False) if codes.looks_like_one(whole) else None
