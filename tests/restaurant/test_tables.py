"""Signatures of tables, the codes that carry them, and the sheets they are printed on."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablegram.restaurant.codes.code_sheets import (
    GRIDS,
    MARGIN_MM,
    PAGE_MM,
    Size,
    Style,
    TableCard,
    draw_sheets,
    how_to_lines,
)
from tablegram.restaurant.demo.house import demo_venue
from tablegram.restaurant.tables import Table, admit, check_table, label_key, menu_link, sign
from tablegram.values import qr
from tablegram.values.secrets import SecretBox

BOX = SecretBox("k" * 32)
VENUE = demo_venue(1, BOX, 0)
TABLE = Table(1, "t-12", VENUE.id, "12", 0)
replace = msgspec.structs.replace


def test_a_signature_is_short_and_the_tables_own() -> None:
    signature = sign(BOX, VENUE, TABLE)
    assert len(signature) == 12
    others = [
        sign(BOX, VENUE, replace(TABLE, id="t-13")),
        sign(BOX, VENUE, replace(TABLE, generation=2)),
        sign(BOX, replace(VENUE, id="other"), TABLE),
        sign(BOX, replace(VENUE, account_id=2), TABLE),
        sign(BOX, demo_venue(1, BOX, 0), TABLE),
        # Parts that run into each other are still other parts.
        sign(BOX, VENUE, replace(TABLE, id="t-121", generation=1)),
        sign(BOX, VENUE, replace(TABLE, id="t-12", generation=11)),
    ]
    assert len({signature, *others}) == len(others) + 1
    # The label may be painted anew without printing codes anew.
    assert sign(BOX, VENUE, replace(TABLE, label="Teras 1")) == signature


def test_what_is_forged_is_refused_even_where_nothing_is_needed() -> None:
    strict = replace(VENUE, refuses_unsigned=True)
    assert [admit(BOX, VENUE, TABLE, given) for given in (None, "", sign(BOX, VENUE, TABLE))] == [
        "unsigned",
        "unsigned",
        "signed",
    ]
    assert [admit(BOX, strict, TABLE, given) for given in (None, "", sign(BOX, VENUE, TABLE))] == [
        "refused",
        "refused",
        "signed",
    ]


@given(st.text(min_size=1, max_size=40))
def test_no_other_text_opens_a_table(text: str) -> None:
    if text != sign(BOX, VENUE, TABLE):
        assert admit(BOX, VENUE, TABLE, text) == "forged"


def test_a_code_carries_the_table_the_venue_and_the_signature() -> None:
    named = replace(TABLE, label="Bahçe 3 & çay")
    link = urlsplit(menu_link("https://eat.example/api/v1", BOX, VENUE, named))
    assert (link.scheme, link.netloc, link.path) == ("https", "eat.example", "/api/v1/menu")
    assert parse_qs(link.query) == {"table": ["Bahçe 3 & çay"], "venue": [VENUE.id], "t": [sign(BOX, VENUE, named)]}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("12", "012", True), ("Bahçe 3", "bahce  3", True), ("IŞIK", "ışık", True), ("0", "00", True),
        ("12", "1 2", False), ("A1", "A01", False),
    ],
)  # fmt: skip
def test_labels_are_the_same_when_people_take_them_so(one: str, other: str, same: bool) -> None:
    assert (label_key(one) == label_key(other)) is same


@pytest.mark.parametrize(("changes", "field"), [({"label": ""}, "label"), ({"label": "x" * 41}, "label"), ({"seats": 0}, "seats")])  # fmt: skip
def test_what_a_table_may_not_be_is_named(changes: dict[str, object], field: str) -> None:
    assert [one.field for one in check_table(replace(TABLE, **changes))] == [field]


def test_codes_come_as_pictures() -> None:
    link = menu_link("https://eat.example/api/v1", BOX, VENUE, TABLE)
    assert qr.png(link).startswith(b"\x89PNG\r\n")
    assert b"<svg" in qr.svg(link, "<b>12</b>")
    assert b"<b>" not in qr.svg(link, "<b>12</b>")
    squares = qr.modules(link)
    # Three large squares in the corners, and coarse enough for a cheap camera.
    assert len(squares) == len(squares[0]) <= 53
    assert all(squares[0][:7])
    assert all(squares[0][-7:])


class Sheet:
    """Paper that remembers what was drawn. A letter is as wide as half its height."""

    def __init__(self) -> None:
        self.pages: list[list[tuple[str, float, float, float, float]]] = []
        self.words: list[str] = []

    def add_page(self, width: float, height: float) -> None:
        assert (width, height) == PAGE_MM
        self.pages.append([])

    def dashed_box(self, x: float, y: float, width: float, height: float) -> None:
        self.pages[-1].append(("box", x, y, width, height))

    def squares(self, x: float, y: float, side: float, dark: Sequence[Sequence[bool]]) -> None:
        self.pages[-1].append(("code", x, y, side, side))

    def picture(self, x: float, y: float, width: float, height: float, image: bytes) -> None:
        self.pages[-1].append(("logo", x, y, width, height))

    def text_width(self, text: str, points: float, *, bold: bool = False) -> float:
        return len(text) * points * 0.3528 / 2

    def text(self, x: float, y: float, text: str, points: float, *, bold: bool = False) -> None:
        width = self.text_width(text, points)
        self.pages[-1].append(("text", x - width / 2, y - points * 0.3528, width, points * 0.3528))
        self.words.append(text)


def test_no_language_of_a_venue_is_left_without_a_line() -> None:
    assert how_to_lines(["de"], {})[0].startswith("Scannen")
    assert how_to_lines(["ar", "tr", "el"], {}) == [*how_to_lines(["en"], {}), *how_to_lines(["tr"], {})]
    assert how_to_lines(["ar", "en"], {"en": "Point here", "ar": "امسح"}) == ["امسح", "Point here"]


@pytest.mark.parametrize("size", list(GRIDS))
@pytest.mark.parametrize("logo", [None, b"picture"])
def test_nothing_on_a_sheet_leaves_its_card(size: Size, logo: bytes | None) -> None:
    own = {"en": "Point your phone here", **{language: f"words of {language}" for language in ("de", "fr", "ru")}}
    lines = how_to_lines(["tr", "en", "xx", "de", "fr", "ru"], own)
    code = qr.modules(menu_link("https://eat.example/api/v1", BOX, VENUE, TABLE))
    cards = [
        TableCard(label, code) for label in ("1", "2", "Bahçede çınarın altındaki uzun masa, sağda", *"345678901234")
    ]
    sheet = Sheet()
    style = Style("Safran Lokantası " * 4, lines, logo, "Masa")
    columns, rows = GRIDS[size]
    assert draw_sheets(sheet, cards, size, style) == len(sheet.pages) == -(-len(cards) // (columns * rows))
    for page in sheet.pages:
        boxes = [one for one in page if one[0] == "box"]
        for kind, x, y, width, height in page:
            assert x >= MARGIN_MM - 0.01
            assert x + width <= PAGE_MM[0] - MARGIN_MM + 0.01
            assert any(
                box[1] - 0.01 <= x and x + width <= box[1] + box[3] + 0.01
                and box[2] - 0.01 <= y and y + height <= box[2] + box[4] + 0.01
                for box in boxes
            ), (kind, x, y, width, height)  # fmt: skip
            if kind == "code":
                # Smaller ones are hard to read from a chair.
                assert width >= 25
    assert "Masa 1" in sheet.words
    assert "Point your phone here" in sheet.words
    assert lines[:2] == ["Okutun, seçin, gönderin. Masanıza getirelim.", "Point your phone here"]
    assert len(lines) == 5
