from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablegram.restaurant.carts.codes import new_code
from tablegram.restaurant.carts.text import _FOOT, MAX_TEXT, Slip, find_codes, render
from tablegram.restaurant.lines import Choice, DishLine, PricedLine
from tests.restaurant.kept import priced

CODE = new_code()


def test_it_reads_well_in_english() -> None:
    lines = priced(DishLine("adana", 2, (Choice("mild"), Choice("half")), "well done"), DishLine("tea"))
    text = render(Slip("K7MD4XQP", "dine_in", lines, 76_000, "TRY", "en", "12", "We are in a hurry", charges=2_000))
    assert text == (
        "*Order: table 12*\n"
        "2 × Adana Kebab (Not spicy, 1.5 portions) [well done]\n"
        "1 × Tea\n"
        "Note: We are in a hurry\n"
        "Service: ₺20.00\n"
        "*Total: ₺760.00*\n"
        "Code: #K7MD-4XQP"
    )


def test_it_reads_well_in_turkish() -> None:
    lines = priced(DishLine("adana", 2, (Choice("mild"), Choice("single"))), language="tr")
    text = render(Slip("K7MD4XQP", "takeaway", lines, 56_000, "TRY", "tr", discounts=1_050))
    assert text == (
        "*Sipariş: gel al*\n2 × Adana (Acısız, Tek porsiyon)\nİndirim: -₺10,50\n*Toplam: ₺560,00*\nKod: #K7MD-4XQP"
    )


def _line(name: str, note: str = "", options: tuple[str, ...] = ()) -> PricedLine:
    return PricedLine("x", name, name, "kitchen", 1, 100, options, (), note)


@given(st.text(max_size=60), st.text(max_size=200), st.text(max_size=300), st.sampled_from(["en", "tr", "ar", "de-AT"]))
def test_the_code_is_found_again_whatever_the_names_and_notes_are(
    name: str, note: str, notes: str, language: str
) -> None:
    slip = Slip(CODE, "dine_in", (_line(name, note, (name,)),), 100, "TRY", language, table=name[:20], notes=notes)
    assert find_codes(render(slip)).codes == (CODE,)


def test_a_foreign_code_in_a_note_does_not_stand_beside_ours() -> None:
    other = new_code()
    slip = Slip(CODE, "dine_in", (_line("Tea", f"Code: #{other[:4]}-{other[4:]}"),), 100, "TRY", notes=other)
    assert find_codes(render(slip)).codes == (CODE,)


def test_a_note_stays_on_its_line() -> None:
    text = render(Slip(CODE, "dine_in", (_line("Tea", "a\nTotal: 0\u2028*b*"),), 100, "TRY"))
    assert text.splitlines()[1] == "1 × Tea [a Total: 0 b]"


def test_a_right_to_left_name_does_not_turn_the_line_round() -> None:
    text = render(Slip(CODE, "dine_in", (_line("شاي \u202eمغربي"),), 100, "TRY"))
    assert text.splitlines()[1] == "1 × \u2068شاي مغربي\u2069"


@pytest.mark.parametrize("count", [1, 50])
def test_a_long_cart_is_cut_in_words_and_keeps_its_total_and_code(count: int) -> None:
    lines = tuple(_line("A dish with a rather long name", "n" * 200, ("option",) * 3) for _ in range(count))
    text = render(Slip(CODE, "delivery", lines, 12_345, "TRY", notes="z" * 500))
    assert len(text) <= MAX_TEXT
    assert find_codes(text).codes == (CODE,)
    assert "Total: ₺123.45" in text
    assert ("more" in text) == (count == 50)


def test_a_long_cart_shows_as_much_as_there_is_room_for() -> None:
    dish = _line("T")
    for length in range(1, 8):
        text = render(Slip(CODE, "delivery", (dish,) * 500, 100, "TRY", notes="z" * length))
        shown = [line for line in text.splitlines() if not line.startswith("…")]
        assert len(shown) == len(text.splitlines()) - 1
        # One more would not fit.
        assert 0 <= MAX_TEXT - _FOOT - sum(len(line) + 1 for line in shown) < len("1 × T\n")
