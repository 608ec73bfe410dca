"""Words that people marked in a message, shown as the network's own apps show them."""

from __future__ import annotations

import pytest

from tablegram.panel.frame.marks import mark_up


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Order *1042* is _ready_", "Order <strong>1042</strong> is <em>ready</em>"),
        ("~12~ `11`", "<s>12</s> <code>11</code>"),
        ("2*3*4 and snake_case_name", "2*3*4 and snake_case_name"),
        ("* a star * and **", "* a star * and **"),
        ("*one\ntwo*", "*one\ntwo*"),
    ],
)
def test_marks_that_hug_words_are_shown_and_others_stay(text: str, shown: str) -> None:
    assert mark_up(text) == shown


def test_what_a_customer_writes_never_becomes_markup_of_its_own() -> None:
    assert mark_up("*<img src=x onerror=alert(1)>*") == "<strong>&lt;img src=x onerror=alert(1)&gt;</strong>"
