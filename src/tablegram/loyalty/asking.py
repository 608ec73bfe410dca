"""What guests write about their points: the whole message, however it is spelled."""

from __future__ import annotations

from typing import Literal

import msgspec

from tablegram.values.folding import words

Wish = Literal["balance", "use_points", "coupon"]

# As they are folded: without accents, signs and capitals.
_BALANCE = {
    "tr": frozenset(
        {
            "puan", "puanim", "puanlarim", "puanim ne kadar", "puanim kac", "kac puanim var", "kac puan var", "puan durumu",
            "puan durumum", "puan bakiyem", "damga", "damgam", "damgalarim", "kac damgam var", "damga kartim", "puanimi ogrenmek istiyorum", "ne kadar puanim var", "puanim var mi",
        }
    ),
    "en": frozenset(
        {
            "points", "my points", "stamps", "my stamps", "how many stamps do i have", "stamp card", "my stamp card", "point balance", "points balance", "how many points do i have", "how many points",
            "do i have points", "loyalty points", "what are my points",
        }
    ),
}  # fmt: skip
_USE = {
    "tr": frozenset(
        {
            "puan kullan", "puanimi kullan", "puanlarimi kullan", "puanlari kullan", "puan kullanmak istiyorum",
            "puanimi kullanmak istiyorum", "puanlarimi kullanmak istiyorum",
        }
    ),
    "en": frozenset({"use points", "use my points", "redeem points", "redeem my points", "use the points"}),
}  # fmt: skip
# A word before the code, or behind it.
_COUPON = {
    "kupon": "tr", "kuponum": "tr", "kuponu": "tr", "indirim": "tr", "coupon": "en", "voucher": "en", "promo": "en",
}  # fmt: skip
_BESIDE = frozenset({"kodu", "kodum", "kod", "code", "use", "kullan"})
MAX_WORDS = 8
# "TEN-10" is one code.
MAX_PIECES = 3


class RewardsSaid(msgspec.Struct, frozen=True):
    wish: Wish
    language: str
    code: str = ""


def read(text: str) -> RewardsSaid | None:
    """What a message asks for; nothing for almost every message."""
    if len(text) > 200:
        return None
    said = words(text)
    if not said or len(said) > MAX_WORDS:
        return None
    whole = " ".join(said)
    for language, known in _BALANCE.items():
        if whole in known:
            return RewardsSaid("balance", language)
    for language, known in _USE.items():
        if whole in known:
            return RewardsSaid("use_points", language)
    named = [word for word in said if word in _COUPON]
    rest = [word for word in said if word not in _COUPON and word not in _BESIDE]
    if len(named) == 1 and said[0] in _COUPON and 1 <= len(rest) <= MAX_PIECES:
        return RewardsSaid("coupon", _COUPON[named[0]], "".join(rest).upper())
    return None
