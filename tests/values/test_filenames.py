"""Names that strangers gave their files do no harm."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from aiohttp.multipart import content_disposition_filename, parse_content_disposition
from hypothesis import given
from hypothesis import strategies as st

from tablegram.values.files.filenames import MAX_CHARS, attachment, clean_filename

HOSTILE = [
    ("menu.pdf", "menu.pdf"),
    ("Menü (İçecek) 2026.pdf", "Menü (İçecek) 2026.pdf"),
    ("../../etc/passwd", "passwd"),
    ("..\\..\\windows\\system32\\cmd.exe", "cmd.exe"),
    ("/", ""),
    ("..", ""),
    ("...", ""),
    (".bashrc", "bashrc"),
    ("a\r\nSet-Cookie: x=1.pdf", "aSet-Cookie x=1.pdf"),
    ('a"; filename="b.exe', "a; filename=b.exe"),
    ("a\x00.pdf", "a.pdf"),
    ("photo\u202egpj.exe", "photogpj.exe"),
    ("CON", "_CON"),
    ("nul.txt", "_nul.txt"),
    ("C:\\a.pdf", "a.pdf"),
    ("a.pdf. . .", "a.pdf"),
    ("   ", ""),
    ("", ""),
    ("x" * 500 + ".pdf", "x" * (MAX_CHARS - 4) + ".pdf"),
    ("😀.png", "😀.png"),
    ("a\ud800b.png", "ab.png"),
]


@pytest.mark.parametrize(("name", "clean"), HOSTILE)
def test_a_name_keeps_what_is_harmless(name: str, clean: str) -> None:
    assert clean_filename(name) == clean


@given(st.text())
def test_a_cleaned_name_is_one_plain_name_and_stays_as_it_is(name: str) -> None:
    clean = clean_filename(name)
    assert not re.search(r"[\x00-\x1f\x7f/\\]", clean)
    assert len(clean) <= MAX_CHARS + 1
    assert not clean.startswith(".")
    assert clean_filename(clean) == clean


@given(st.text())
def test_a_header_holds_the_name_and_nothing_else(name: str) -> None:
    header = attachment(name)
    assert header.isascii()
    assert header.isprintable()
    kind, parameters = parse_content_disposition(header)
    assert kind == "attachment"
    assert content_disposition_filename(parameters) == (clean_filename(name) or "file")
    assert set(parameters) == {"filename", "filename*"}
    plain = re.fullmatch(r"attachment; filename=\"([^\"\\%]*)\"; filename\*=UTF-8''([^;,\s\"]*)", header)
    assert plain is not None
    assert unquote(plain[2]) == (clean_filename(name) or "file")
