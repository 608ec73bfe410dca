"""Words of every day that look like a misspelt dish: whoever pays at the till orders no wings.

With their endings; a dish that a menu calls so is still that dish.
"""

from __future__ import annotations

from functools import lru_cache

from tablegram.restaurant.reading.letters.suffixes import stems

_TEXT = (
    "kardes kasa salon alan simdi kapat madem beyim yapmak guven calma calmasi kanit kazan kazanir beyit fisi fisin "
    "live lives lived choose chooses chose while write writes trip tries break breaks meantime similar died wins leaves "
    "filler padding revenue roles linen"
)
_WORDS = frozenset(_TEXT.split())


@lru_cache(maxsize=4096)
def is_everyday(key: str) -> bool:
    return any(stem in _WORDS for stem in stems(key) if len(stem) >= 4)
