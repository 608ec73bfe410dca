"""Cells of our tables are never formulas, wherever the program that opens them parts a line."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tablegram.values.files.spreadsheets import as_typed, harmless_in_csv

CELLS = st.text(alphabet="=+-@＝;|\t\n\r\"' ,a1", max_size=12)


def cells_of(row: list[str], separator: str) -> list[str]:
    text = io.StringIO()
    csv.writer(text).writerow([harmless_in_csv(cell) for cell in row])
    rows = csv.reader(io.StringIO(text.getvalue(), newline=""), delimiter=separator)
    return [cell for line in rows for cell in line]


@example(row=["x", "a;=1+1"])
@example(row=["x", "a\n=1+1"])
@example(row=['"', 'a;"=1+1'])
@given(row=st.lists(CELLS, min_size=1, max_size=4))
def test_no_program_finds_a_formula(row: list[str]) -> None:
    for separator in (",", ";", "\t", "|"):
        for cell in cells_of(row, separator):
            assert not cell.lstrip(" ").startswith(("=", "+", "-", "@", "＝")), (separator, cell)


@pytest.mark.parametrize("cell", ["a;=1+1", "=1;=2", "Two teas\n- no sugar", "-1;a", "plain; words", "a | -b"])
def test_what_was_made_harmless_comes_back_as_it_was(cell: str) -> None:
    assert as_typed(harmless_in_csv(cell)) == cell
