"""What a printer lacks is written with what it has."""

from __future__ import annotations

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from tablegram.printing.paper.document import Columns, Document, Text
from tablegram.printing.paper.letters import encoded, fit, upper
from tablegram.printing.paper.media import ESCPOS
from tablegram.printing.paper.rendering import render
from tablegram.printing.printers.profile import Columns as Width
from tablegram.printing.printers.profile import Profile
from tablegram.sandbox.paper.decoder import Line, decode
from tests.cases import cases

_TURKISH = "Şiş köfte İskender ığüşöçĞ"
_TABLE = [
    (_TURKISH, "cp857", _TURKISH),
    (_TURKISH, "cp1254", _TURKISH),
    (_TURKISH, "cp437", "Sis köfte Iskender igüsöçG"),
    (unicodedata.normalize("NFD", _TURKISH), "cp857", _TURKISH),
    ("Käsespätzle, Größe, Öl", "cp857", "Käsespätzle, Größe, Öl"),
    ("₺1.234,50", "cp857", "1.234,50 TL"),
    ("Çay ₺", "cp857", "Çay TL"),
    ("9,90 €", "cp857", "9,90 EUR"),
    ("9,90 €", "cp1254", "9,90 €"),
    ("“iki” – ‘bir’ … 2 × 3 → 4", "cp857", "\"iki\" - 'bir' ... 2 × 3 -> 4"),
    ("Adana 🌶️ acılı", "cp857", "Adana acılı"),
    ("🍕", "cp857", "pizza"),
    ("👨‍👩‍👧", "cp857", "man woman girl"),
    ("شاورما دجاج", "cp857", "shawrma djaj"),
    ("宫保鸡丁", "cp857", "Gong Bao Ji Ding"),
    ("Кофе", "cp857", "Kofe"),
    ("Кофе", "cp866", "Кофе"),
    ("Phở bò", "cp857", "Pho bò"),
    ("Crème brûlée", "cp857", "Crème brûlée"),
    # Commands to the printer that somebody wrote into a name, and marks that turn the direction.
    ("a\x1b@\x1dV\x00b", "cp857", "a@Vb"),
    ("1\u202e0 kg", "cp857", "10 kg"),
    ("a\tb\r\nc", "cp857", "a b  c"),
    ("?", "cp857", "?"),
    ("\ue000", "cp857", "U+E000"),
    ("", "cp857", ""),
]


def test_each_text_is_written_in_signs_that_the_printer_has() -> None:
    with cases() as found:
        for text, page, wanted in _TABLE:
            with found.case(f"{text!r} in {page}"):
                made = fit(text, page).strip().replace("\u00a0", " ")
                assert made == wanted, made
                assert encoded(made, page).decode(page) == made


def test_capitals_are_those_of_the_language() -> None:
    assert upper("ızgara içli", "tr") == "IZGARA İÇLİ"
    assert upper("Größe", "de") == "GRÖSSE"
    assert upper("içli", "en") == "IÇLI"


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=80), page=st.sampled_from(["cp857", "cp437", "cp1254", "cp866", "cp864"]))
def test_whatever_somebody_writes_is_printed_without_a_question_mark_and_without_a_command(
    text: str, page: str
) -> None:
    made = fit(text, page)
    assert made.count("?") <= sum(
        unicodedata.normalize("NFKD", one).count("?") + (one in "؟⁇⁈⁉‽⸮¿❓❔︖﹖？") for one in text
    )
    assert all(unicodedata.category(one) != "Cc" for one in made)
    # Whoever wrote a letter or a picture finds something on the paper.
    assert made.strip() or not any(unicodedata.category(one) in ("Lu", "Ll", "Lo", "Nd", "So", "Co") for one in text)


@settings(max_examples=80, deadline=None)
@given(
    text=st.text(max_size=120), figure=st.text(max_size=12), columns=st.sampled_from([32, 42, 48]),
    scale=st.sampled_from([(1, 1), (1, 2), (2, 2), (3, 3)]), box=st.booleans(), strike=st.booleans(),
    indent=st.integers(0, 6),
)  # fmt: skip
def test_any_block_fits_the_paper(
    text: str, figure: str, columns: Width, scale: tuple[int, int], box: bool, strike: bool, indent: int
) -> None:
    width, height = scale
    blocks = (
        Text(text, width, height, box=box, strike=strike, indent=indent, hang=4),
        Columns(text, figure, width, height, strike=strike, indent=indent),
        Text(text, width, height, reverse=True, align="center"),
    )
    for seen in decode(render(Document(blocks), Profile(columns=columns), ESCPOS)):
        assert isinstance(seen, Line)
        assert len(seen.text) * seen.wide <= columns, seen
