"""Letters that a printer has not: others that say the same, and never a question mark.

A printer in text mode knows the 256 signs of its code page. What is not among them is written with those: the lira's
sign as TL, a letter without its accent, another script in Latin letters.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# What a reader of receipts expects, where the general tables would say something else.
_OWN = {
    "₺": "TL", "€": "EUR", "₽": "RUB", "₹": "Rs", "₴": "UAH", "₪": "ILS", "£": "GBP", "¥": "JPY",
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "`": "'",
    "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "…": "...", "×": "x", "·": "*", "•": "*", "→": "->", "←": "<-",
    "°": "o", "ə": "e", "Ə": "E", "½": "1/2", "¼": "1/4", "¾": "3/4", "№": "No", "✓": "v", "✗": "x",
    "─": "-", "━": "=", "═": "=", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+",
    # Arabic without its vowels is hard enough to read; these are written, so they stay.
    "ا": "a", "أ": "a", "إ": "i", "آ": "a", "ى": "a", "ة": "a", "ع": "a", "ء": "'",
}  # fmt: skip
# Signs of currencies that stand before their figure, and go behind it once they are letters.
_AMOUNT = re.compile(r"([₺€₽₹₴₪£¥])[ \u00a0\u202f]?(-?[0-9][0-9.,\u00a0\u202f]*)")
# Blanks that do not part a line.
_HARD = str.maketrans({"\u202f": "\u00a0", "\u2007": "\u00a0", "\u2060": "", "\ufeff": ""})
_BLANKS = re.compile("[\t\n\r\x0b\x0c\x85\u2028\u2029\u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]")
# Joiners, variation selectors, tags, marks of direction, skin tones: they shape what stands beside them.
_SHAPING = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufe00-\ufe0f\U000e0000-\U000e0fff]")
_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")
_EMOJI = re.compile(
    "[\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\U0001f000-\U0001faff]"
)
_NAMED = re.compile(r":([a-z0-9_]+):")
_NO_SIGN = ("Cc", "Cs", "Cn", "Co")
_NAMELESS = ("Cn", "Co", "Lo", "So", "Mn")


def cleaned(text: str) -> str:
    """Without what no paper shows: commands to the printer, marks of direction. Blanks that do not part stay."""
    composed = unicodedata.normalize("NFC", text)
    if composed.isprintable():
        return composed
    composed = composed.translate(_HARD)
    return "".join(
        one for one in _BLANKS.sub(" ", composed) if unicodedata.category(one) not in _NO_SIGN and not _turns(one)
    )


def _turns(one: str) -> bool:
    """Marks that turn the direction of what follows, by which one text can be made to look like another."""
    return "\u202a" <= one <= "\u202e" or "\u2066" <= one <= "\u2069"


@lru_cache(maxsize=4_096)
def fit(text: str, code_page: str) -> str:
    """The same in signs that the code page has; blanks that do not part stay what they are."""
    clean = _SHAPING.sub("", cleaned(text))
    if clean.strip() and _has(clean, code_page):
        return clean
    spoken = _AMOUNT.sub(lambda found: _spoken(found, code_page), _TONES.sub("", clean))
    # A picture beside words only repeats them; one that stands alone is the word.
    beside = any(one.isalpha() for one in _EMOJI.sub("", spoken))
    written = "".join(_written(one, code_page, beside) for one in spoken)
    # A picture that went leaves no gap where it stood.
    told = re.sub(" {2,}", " ", written).strip(" ") if written != spoken and _EMOJI.search(spoken) else written
    if told.strip():
        return told
    # Signs that nobody has a word for are at least told apart.
    return " ".join([f"U+{ord(one):04X}" for one in text if unicodedata.category(one) in _NAMELESS][:4])


def _spoken(found: re.Match[str], code_page: str) -> str:
    sign, figure = found.groups()
    return found[0] if _has(sign, code_page) else f"{figure}\u00a0{_OWN[sign]}"


@lru_cache(maxsize=8_192)
def _written(one: str, code_page: str, beside: bool) -> str:
    if one == "\u00a0" or _has(one, code_page):
        return one
    if one in _OWN:
        return _OWN[one] if _has(_OWN[one], code_page) else _latin(one)
    bare = "".join(part for part in unicodedata.normalize("NFKD", one) if not unicodedata.combining(part))
    if bare and bare != one and _has(bare, code_page):
        return bare
    if _EMOJI.match(one):
        return "" if beside else _NAMED.sub(lambda found: found[1].replace("_", " ") + " ", _latin(one))
    latin = _latin(one)
    # Chinese comes syllable by syllable, each with a capital; a blank keeps them apart.
    return f"{latin} " if "\u3400" <= one <= "\u9fff" and latin else latin


def _latin(one: str) -> str:
    """A sign of any script in Latin letters, and a picture by its name between colons."""
    # Tables that only some texts need are loaded by the first one that does.
    from anyascii import anyascii

    return anyascii(one)


def _has(text: str, code_page: str) -> bool:
    try:
        text.replace("\u00a0", " ").encode(code_page)
    except UnicodeEncodeError:
        return False
    return True


def encoded(text: str, code_page: str) -> bytes:
    """Of a text that was made to fit."""
    return text.replace("\u00a0", " ").encode(code_page, "ignore")


def upper(text: str, language: str) -> str:
    """Capitals as the language has them: a Turk's i keeps its dot."""
    if language == "tr":
        text = text.replace("i", "İ").replace("ı", "I")
    return text.upper()
