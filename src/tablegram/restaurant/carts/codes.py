"""Cart codes: `K7MD-4XQP`, short enough to read out, with a check letter that tells a typing error from a wrong code.

Seven letters of chance are three and a half thousand million codes, and a code is only looked for in its own account.
The text around a code belongs to the guest: it is edited, forwarded, quoted, wrapped and marked, and the code is found
all the same.
"""

from __future__ import annotations

import re
import secrets
import unicodedata

import msgspec

# No vowels, so that no word comes out; nothing that looks like another (0 O, 1 I L, 5 S, 8 B, Z 2). There are 23, a
# prime, so that the check letter finds every single wrong letter and every two that changed places.
ALPHABET = "CDFGHJKMNPQRTVWXY234679"
LENGTH = 8
_VALUE = {letter: value for value, letter in enumerate(ALPHABET)}

_LETTER = f"[{ALPHABET}]"
# What people and programs put between and around the letters: line breaks, quote marks, dashes, dots.
_GAP = r"[\s>|*_~`.\-\u2010-\u2015\u2212\u00b7/]"
_PLAIN = re.compile(rf"(?<![A-Z0-9])(?:{_LETTER}{{4}}){_GAP}{{0,8}}(?:{_LETTER}{{4}})(?![A-Z0-9])")
# `#` or the word before it says that a code is meant, so that whatever follows in its place is a misspelt one.
_MARKED = re.compile(
    rf"(?:#|\b(?:CODE|KOD|KODU|KODUM|KODUMUZ)\b){_GAP}{{0,8}}[:=#]?{_GAP}{{0,8}}#?{_GAP}{{0,3}}"
    rf"([A-Z0-9]{{1,10}}(?:{_GAP}{{1,3}}[A-Z0-9]{{1,10}}){{0,9}})"
)
_SHAPE = re.compile(r"(?<![A-Z0-9-])([A-Z0-9]{3,5})-([A-Z0-9]{3,5})(?![A-Z0-9-])")


class CodesFound(msgspec.Struct, frozen=True):
    """The codes of a text, each once, in their order; and what was meant as a code but cannot be one."""

    codes: tuple[str, ...] = ()
    misspelt: tuple[str, ...] = ()


def new_code() -> str:
    """A code that no one can foresee. It always has a letter and a digit, which plain words and numbers do not."""
    while True:
        body = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH - 1))
        code = body + _check_letter(body)
        if _is_mixed(code):
            return code


def is_code(text: str) -> bool:
    return (
        len(text) == LENGTH
        and all(letter in _VALUE for letter in text)
        and _is_mixed(text)
        and _check_letter(text[:-1]) == text[-1]
    )


def show(code: str) -> str:
    return f"{code[:4]}-{code[4:]}"


def find_codes(text: str) -> CodesFound:
    """Every code in a text, however it was edited on its way."""
    plain = _normalise(text)
    found: dict[str, None] = {}
    misspelt: dict[str, None] = {}
    for match in _MARKED.finditer(plain):
        code = _code_at_the_beginning(match[1])
        if code is not None:
            found[code] = None
        else:
            meant = _meant(match[1])
            if _is_shaped(meant):
                misspelt[meant] = None
    for match in _PLAIN.finditer(plain):
        letters = re.sub(_GAP, "", match[0])
        if is_code(letters):
            found[letters] = None
    if not found:
        for match in _SHAPE.finditer(plain):
            if _is_shaped(match[0]):
                misspelt[match[0]] = None
    return CodesFound(tuple(found), () if found else tuple(misspelt))


def _code_at_the_beginning(text: str) -> str | None:
    letters = re.sub(_GAP, "", text)[:LENGTH]
    return letters if is_code(letters) else None


def _meant(text: str) -> str:
    """What was meant as the code: one long part, or two."""
    parts = re.split(rf"{_GAP}+", text)
    return parts[0] if len(parts[0]) >= LENGTH - 1 else "-".join(parts[:2])


def _is_shaped(text: str) -> bool:
    """Long enough for a code with a letter too many or too few, in one part or in two that are like its halves."""
    letters = text.replace("-", "")
    return len(text.partition("-")[0]) >= 3 and abs(len(letters) - LENGTH) <= 1 and _is_mixed(letters)


def _check_letter(body: str) -> str:
    return ALPHABET[sum(weight * _VALUE[letter] for weight, letter in enumerate(body, start=2)) % len(ALPHABET)]


def _is_mixed(code: str) -> bool:
    digits = sum(letter.isdigit() for letter in code)
    return 0 < digits < len(code)


def _normalise(text: str) -> str:
    """Capital letters and plain digits without what cannot be seen: joiners, direction marks, emoji variations."""
    kept = []
    for sign in unicodedata.normalize("NFKC", text):
        category = unicodedata.category(sign)
        if category in ("Cf", "Mn", "Me"):
            continue
        if category == "Nd":
            kept.append(str(unicodedata.digit(sign)))
        elif category == "So":
            kept.append(" ")
        else:
            # The small dotted and dotless i are in no code; the rest has one capital letter.
            kept.append(sign.upper())
    return "".join(kept)
