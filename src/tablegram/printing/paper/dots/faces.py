"""Faces of letters for paper that is drawn, and which of them has a sign. Only children of the workshop load this.

The letters that come along have Latin, Cyrillic, Greek, Arabic, Hebrew, Thai, Georgian and Devanagari. Chinese,
Japanese and Korean are drawn where the machine has a face for them; elsewhere they are written in Latin letters.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path

from fontTools.ttLib import TTFont
from PIL import ImageFont

from tablegram.printing.paper.letters import cleaned, fit

# Of the package that brings them, as bytes.
_BROUGHT = {False: "pymupdf_fonts.FiraGO_Regular", True: "pymupdf_fonts.FiraGO_Bold"}
_SIGNS = "pymupdf_fonts.NotoSansSymbols2_Regular"
# Where distributions put faces with all signs of China, Japan and Korea, and of pictures; the first that is there.
_FOUND = (
    ("/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc", "/usr/share/fonts/google-noto-cjk/NotoSansCJK-Bold.ttc",
     "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc", "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc",
     "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf", "/usr/share/fonts/opentype/unifont/unifont.otf"),
    ("/usr/share/fonts/truetype/noto/NotoEmoji-Regular.ttf", "/usr/share/fonts/truetype/ancient-scripts/Symbola_hint.ttf",
     "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"),
)  # fmt: skip
# What is written when nobody has the sign; the letters that come along have all of these.
_LATIN = "cp1254"
# Hebrew; Latin, Greek and Cyrillic stand before it.
_FIRST_SHAPED = "\u0590"


class Face:
    """The same letters in every size."""

    def __init__(self, source: bytes | Path) -> None:
        self._source = source
        with TTFont(io.BytesIO(source) if isinstance(source, bytes) else source, lazy=True, fontNumber=0) as opened:
            self._has = frozenset(opened.getBestCmap())
        self._open: dict[tuple[int, bool], ImageFont.FreeTypeFont] = {}

    def has(self, sign: str) -> bool:
        return ord(sign) in self._has

    def has_all(self, text: str) -> bool:
        return self._has.issuperset(map(ord, text))

    def sized(self, height: int, text: str) -> ImageFont.FreeTypeFont:
        """Scripts whose letters join or turn are shaped by a program that takes ten times as long."""
        return self._opened(height, max(text, default="") < _FIRST_SHAPED)

    def _opened(self, height: int, plain: bool) -> ImageFont.FreeTypeFont:
        if (height, plain) not in self._open:
            source = io.BytesIO(self._source) if isinstance(self._source, bytes) else self._source
            engine = ImageFont.Layout.BASIC if plain else ImageFont.Layout.RAQM
            self._open[height, plain] = ImageFont.truetype(source, height, layout_engine=engine)
        return self._open[height, plain]

    def warm(self, heights: Iterable[int]) -> None:
        for height in heights:
            self._opened(height, True).getlength("A")


@cache
def faces(bold: bool) -> tuple[Face, ...]:
    """The one that comes along, and after it those that have what it lacks."""
    return (Face(import_module(_BROUGHT[bold]).fontbuffer), *_besides())


@cache
def _besides() -> tuple[Face, ...]:
    found = [next((Path(one) for one in group if Path(one).is_file()), None) for group in _FOUND]
    return (Face(import_module(_SIGNS).fontbuffer), *(Face(path) for path in found if path is not None))


@lru_cache(maxsize=4_096)
def runs(text: str, bold: bool) -> list[tuple[str, Face]]:
    """Pieces of a line that one face has; what none has is written in Latin letters."""
    first = faces(bold)[0]
    clean = cleaned(text)
    return [(clean, first)] if first.has_all(clean) else list(_runs(text, bold))


def _runs(text: str, bold: bool) -> Iterator[tuple[str, Face]]:
    piece, face = "", faces(bold)[0]
    for sign in drawable(text, bold):
        better = _face_of(sign, face, bold)
        if piece and better is not face:
            yield piece, face
            piece = ""
        face = better
        piece += sign
    if piece:
        yield piece, face


@lru_cache(maxsize=1_024)
def drawable(text: str, bold: bool) -> str:
    clean = cleaned(text)
    missing = {sign for sign in clean if not _is_shape(sign) and not any(face.has(sign) for face in faces(bold))}
    if not missing:
        return clean
    # Signs that belong together are written together, so that syllables stand apart from each other.
    made, lost = "", ""
    for sign in clean:
        if sign in missing:
            lost += sign
            continue
        made += _written(lost, made) + sign
        lost = ""
    made += _written(lost, made)
    return " ".join(made.split(" ")) if made.strip() else fit(text, _LATIN)


def _written(lost: str, before: str) -> str:
    if not lost:
        return ""
    has_words = any(one.isalpha() for one in before)
    told = fit(lost, _LATIN)
    # Pictures beside words only repeat them.
    return "" if has_words and not any(one.isalpha() for one in lost) else told


def _face_of(sign: str, present: Face, bold: bool) -> Face:
    if _is_shape(sign) or (sign == " " and present.has(sign)):
        return present
    return next((face for face in faces(bold) if face.has(sign)), faces(bold)[0])


def _is_shape(sign: str) -> bool:
    """Joiners and variation selectors, which no face draws by themselves."""
    return sign in "\u200b\u200c\u200d\u200e\u200f\u00ad" or "\ufe00" <= sign <= "\ufe0f"
