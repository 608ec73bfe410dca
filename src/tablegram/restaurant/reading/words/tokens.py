"""A text taken apart: words, numbers, and what stands between them. Prices are dropped: nobody believes them."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from tablegram.restaurant.reading.words.cleaning import fractions, prepare
from tablegram.restaurant.reading.words.lexicon import (
    AND,
    ARTICLES,
    BUT,
    DOZENS,
    EACH,
    EITHER,
    HALVES,
    NUMBERS,
    OR,
    PART_ENDINGS,
    PARTS,
    PHRASES_AND,
    TENS,
    VAGUE,
)
from tablegram.values.folding import fold


class Token(msgspec.Struct, frozen=True):
    """`word`, `number`, `break` (comma, line), `and`, `open`, `close`, `colon`, `doubt` (2-3, a few), `note`, `emoji`."""

    kind: str
    # Folded, for words; digits for numbers.
    key: str
    # As the guest wrote it.
    text: str
    value: float = 0
    # Of a number: `pre` (2x), `post` (x2), `part` (two of them), `article`, or nothing.
    bound: str = ""
    # Nothing stood between it and what came before.
    glued: bool = False


# Each half becomes a word of its own.
_WORDS = re.compile(r"½|[^\W\d_½]+|\d+")
_TOKEN = re.compile(
    r"""
    (?P<post>(?<!\w)[x×*]\s?\d+(?!\d))
  | (?P<word>[^\W\d_]+(?:['’`´][^\W\d_]+)*)
  | (?P<bracket>\[[^\]\n]*\])
  | (?P<range>\d+(?:[-–/]|\s[-–/]|[-–/]\s)\d+)
  | (?P<half>\d+[.,]5(?!\d))
  | (?P<pre>\d+\s?[×*](?!\d)|\d+\s?x(?=\s|$)|\d+x(?=[^\W\d]{3}))
  | (?P<number>\d+)
  | (?P<open>\()
  | (?P<close>\))
  | (?P<colon>:)
  | (?P<break>[\n,;+]|\.(?!\d)|•|·|\s[-–—]\s(?!\d+\s*(?:[\n,]|\Z))|^[-–—])
  | (?P<and>&)
  | (?P<ask>\?)
  | (?P<slash>(?<=[^\W\d_]{3})/(?=[^\W\d_]{3}))
    """,
    re.VERBOSE | re.MULTILINE,
)


_CONTRACTED = re.compile("(i|we|you|he|she|they)['’`´](?:ll|d|re|ve)")
# Before these it is where something goes, and no ten.
_BEHIND_ON = frozenset(
    {"the", "my", "our", "top", "it", "one", "each", "table", "both", "them", "this", "that", "your", "a", "his", "her"}
)


def take_apart(text: str) -> list[Token]:
    """The tokens of a guest's text."""
    return list(_kept(text))


def take_apart_anew(text: str) -> tuple[Token, ...]:
    return tuple(_join_phrases(_count(_scan(prepare(text)))))


# A text is taken apart several times while it is read. Only the last few are kept.
_kept = lru_cache(maxsize=32)(take_apart_anew)


def count_words(text: str) -> int:
    """How many words and numbers there are, without taking the text apart."""
    return len(_WORDS.findall(text))


def words_of(name: str) -> list[str]:
    """The keys of a name on the menu, or of a few words: its words and numbers, without what only joins them."""
    return list(_words_kept(name))


@lru_cache(maxsize=32)
def _words_kept(name: str) -> tuple[str, ...]:
    return tuple(token.key for token in _count(_scan(fractions(name))) if token.kind in ("word", "number"))


def _scan(text: str) -> list[Token]:
    return _scan_plain(text) or _scan_any(text)


def _scan_plain(text: str) -> list[Token]:
    """Words, figures and commas, as most people write; nothing where there is more than that."""
    found: list[Token] = []
    for piece in text.split(" "):
        shown = piece.removesuffix(",")
        if shown.isalpha() and shown != "x":
            found.append(_word(shown))
        elif shown.isascii() and shown.isdecimal():
            found.append(_token("number", shown, glued=False))
        elif shown:
            return []
        if len(shown) != len(piece):
            found.append(_COMMA)
    return found


def _scan_any(text: str) -> list[Token]:
    found: list[Token] = []
    depth, end = 0, 0
    for match in _TOKEN.finditer(text):
        kind, shown = str(match.lastgroup), match[0]
        gap = text[end : match.start()]
        if gap == " " and kind == "word":
            # As most of them.
            found.append(_word(shown))
            end = match.end()
            continue
        glued = bool(found) and gap in ("", "'", "’")
        if _has_food_sign(gap):
            found.append(Token("emoji", "", gap.strip()))
        end = match.end()
        depth = max(0, depth + (kind == "open") - (kind == "close"))
        if kind == "break" and depth and "\n" not in shown:
            continue
        found.append(_token(kind, shown, glued))
    if _has_food_sign(text[end:]):
        found.append(Token("emoji", "", text[end:].strip()))
    return found


_COMMA = Token("break", ",", ",")


def _token(kind: str, shown: str, glued: bool) -> Token:
    if kind == "bracket":
        return Token("note", "", shown[1:-1].strip())
    if kind == "range":
        return Token("doubt", "", shown)
    if kind in ("pre", "post", "number"):
        digits = shown if kind == "number" else re.sub(r"\D", "", shown)
        return Token("number", str(int(digits)), shown, float(digits[:6]), "" if kind == "number" else kind, glued)
    if kind == "half":
        value = shown.replace(",", ".")
        return Token("number", value, shown, float(value))
    if kind == "word":
        return msgspec.structs.replace(_word(shown), glued=True) if glued else _word(shown)
    return Token(kind, shown.strip(), shown.strip())


# People write the same few thousand words.
@lru_cache(maxsize=4_096)
def _word(shown: str) -> Token:
    # `şu` is that one, and no water, though many write it `su`.
    key = "bu" if shown in ("şu", "Şu") else fold(shown)
    if key.isalpha():
        return Token("word", key, shown)
    # `we'll` is not well done.
    pronoun = _CONTRACTED.fullmatch(key)
    return Token("word", pronoun[1] if pronoun else re.sub("['’`´]", "", key), shown)


def _has_food_sign(gap: str) -> bool:
    return not gap.isascii() and any(0x1F32D <= ord(sign) <= 0x1F37F or 0x1F950 <= ord(sign) <= 0x1F96F for sign in gap)


_COUNTS = NUMBERS.keys() - ARTICLES
# Every other word is no number.
_COUNTING = frozenset({*NUMBERS, *ARTICLES, *TENS, *PARTS, *HALVES, *EACH, *VAGUE, "bi", "bir", "on"})


def _count(tokens: list[Token]) -> list[Token]:
    """Numbers that were written as words become numbers."""
    found: list[Token] = []
    index = 0
    last = len(tokens) - 1
    while index <= last:
        token = tokens[index]
        if (
            token.kind == "word"
            and token.key not in _COUNTING
            and (index == last or tokens[index + 1].key not in DOZENS)
        ):
            # As most of them.
            found.append(token)
            index += 1
            continue
        token, used = _number_at(tokens, index)
        found.append(token)
        index += used
    return found


def _number_at(tokens: list[Token], index: int) -> tuple[Token, int]:
    token = tokens[index]
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    if token.kind == "number" and not (after is not None and after.key in DOZENS):
        return _ended(token, after)
    if token.kind not in ("word", "number"):
        return token, 1
    key = token.key
    if key == "on" and after is not None and after.key in _BEHIND_ON:
        return token, 1
    may_be_dozens = key in HALVES or (after is not None and after.key in DOZENS)
    size, value = _dozens_at(tokens, index) if may_be_dozens else (0, 0)
    if size:
        said = " ".join(one.text for one in tokens[index : index + size])
        return Token("number", str(value), said, value), size
    if key in ARTICLES and after is not None and (after.key in _COUNTS or after.key in VAGUE):
        # `a couple`, `a few`: the article counts nothing.
        counted, used = _number_at(tokens, index + 1)
        return counted, used + 1
    if key in TENS:
        ones = NUMBERS.get(after.key, 0) if after is not None and after.kind == "word" else 0
        if after is not None and 0 < ones < 10 and after.key not in ARTICLES:
            return Token("number", str(TENS[key] + ones), f"{token.text} {after.text}", TENS[key] + ones), 2
        return Token("number", str(TENS[key]), token.text, TENS[key]), 1
    if key in ("bi", "bir") and after is not None and (NUMBERS.get(after.key, 0) > 2 or after.value >= 2):
        # `bi dört çay`: some four of them; `bir iki` are a few.
        return _number_at(tokens, index + 1)[0], 1 + _number_at(tokens, index + 1)[1]
    if key in NUMBERS:
        bound = "article" if key in ARTICLES else ""
        number = Token("number", str(NUMBERS[key]), token.text, NUMBERS[key], bound)
        return (number, 1) if bound else _ended(number, after)
    if key in PARTS:
        return Token("number", str(PARTS[key]), token.text, PARTS[key], "part"), 1
    if key in HALVES:
        return Token("number", "0.5", token.text, 0.5), 1
    if key in EACH or key in VAGUE:
        return Token("doubt", key, token.text), 1
    return token, 1


def _dozens_at(tokens: list[Token], index: int) -> tuple[int, int]:
    """`half a dozen`, `iki düzine`: how many words, and how many things."""
    keys = [token.key for token in tokens[index : index + 3]]
    if len(keys) > 1 and keys[0] in HALVES and keys[-1 if keys[1] in ARTICLES else 1] in DOZENS:
        return (3 if keys[1] in ARTICLES else 2), 6
    if len(keys) > 1 and keys[1] in DOZENS and (keys[0] in NUMBERS or keys[0].isdigit()):
        return 2, 12 * (NUMBERS[keys[0]] if keys[0] in NUMBERS else int(keys[0]))
    return 0, 0


# Endings that many write apart from the figure, and that are no word by themselves.
_PART_WORDS = frozenset(
    {"tanesi", "tanesini", "tanesinde", "tanesine", "tanesinin", "si", "sini", "sinde", "sine", "unu", "ini"}
)


def _ended(number: Token, after: Token | None) -> tuple[Token, int]:
    """`2'si`, `2 tanesi` are two of them; `2şer` is two for each; `bir buçuk` is one and a half."""
    if after is None or after.kind != "word":
        return number, 1
    shown = f"{number.text} {after.text}"
    if after.key == "bucuk":
        value = number.value + 0.5
        return Token("number", str(value), shown, value), 2
    if after.key in ("ser", "sar", "er", "ar") and (after.glued or after.text.startswith(("'", "’"))):
        return Token("doubt", number.key, shown), 2
    if after.key in _PART_WORDS or (after.glued and after.key in PART_ENDINGS):
        return Token("number", number.key, shown, number.value, "part"), 2
    return number, 1


# Most words begin none of them.
_BEGIN_PHRASES = frozenset(phrase[0] for phrase in (*PHRASES_AND, OR))
_JOINING = _BEGIN_PHRASES | BUT | AND | {EITHER}
_JOINING_NUMBERS = frozenset(NUMBERS[word] for word in _BEGIN_PHRASES & NUMBERS.keys())


def _join_phrases(tokens: list[Token]) -> list[Token]:
    """`bir de` joins two things, and counts nothing. `ya da` leaves it open which of two."""
    found: list[Token] = []
    index = 0
    # `yolla ya` ends with it, and leaves nothing open.
    either = [at for at, token in enumerate(tokens) if token.key == EITHER]
    is_either = len(either) > 1 and sum(not _ends_clause(tokens, at) for at in either) > 1
    while index < len(tokens):
        token = tokens[index]
        if token.key not in _JOINING if token.kind == "word" else not _may_join(token):
            found.append(token)
            index += 1
            continue
        begins = _said(tokens[index]) in _BEGIN_PHRASES
        size = next((len(phrase) for phrase in PHRASES_AND if begins and _says(tokens, index, phrase)), 0)
        if size:
            found.append(Token("and", "de", " ".join(token.text for token in tokens[index : index + size])))
        elif (begins and _says(tokens, index, OR)) or (is_either and tokens[index].key == EITHER):
            size = len(OR) if _says(tokens, index, OR) else 1
            found.append(Token("word", "yada", " ".join(token.text for token in tokens[index : index + size])))
        elif tokens[index].kind == "slash":
            found.append(_split_by_slash(tokens, index))
        elif tokens[index].kind == "word" and tokens[index].key in BUT:
            found.append(Token("break", ",", tokens[index].text))
        elif tokens[index].kind == "word" and tokens[index].key in AND:
            found.append(Token("and", tokens[index].key, tokens[index].text))
        else:
            found.append(tokens[index])
        index += size or 1
    return found


def _may_join(token: Token) -> bool:
    """Besides words: `bir de` begins with a number, which is no figure."""
    is_number = token.kind == "number" and token.value in _JOINING_NUMBERS
    return token.kind == "slash" or (is_number and not token.text.isdecimal())


def _ends_clause(tokens: list[Token], index: int) -> bool:
    return index + 1 >= len(tokens) or tokens[index + 1].kind not in ("word", "number", "and")


def _split_by_slash(tokens: list[Token], index: int) -> Token:
    """`spicy/one mild` are two; `adana/urfa` leaves it open which."""
    before, after = tokens[index - 1], tokens[index + 1]
    return Token("break", ",", "/") if after.kind == "number" else Token("word", "veya", f"{before.text}/{after.text}")


def _says(tokens: list[Token], index: int, phrase: tuple[str, ...]) -> bool:
    if _said(tokens[index]) != phrase[0]:
        # Most words begin none of the phrases.
        return False
    return [_said(token) for token in tokens[index : index + len(phrase)]] == list(phrase)


def _said(token: Token) -> str | None:
    if token.kind == "number":
        return fold(token.text)
    return token.key if token.kind == "word" else None
