from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablegram.accounts.keys.key_format import looks_valid, mint


@pytest.mark.parametrize("mode", ["live", "test"])
def test_a_key_is_its_prefix_forty_random_characters_and_six_of_checksum(mode: str) -> None:
    token = mint(mode)  # type: ignore[arg-type]
    assert re.fullmatch(rf"tg_{mode}_[0-9A-Za-z]{{46}}", token)
    assert looks_valid(token)


def test_no_two_keys_are_the_same() -> None:
    assert len({mint("live") for _ in range(1_000)}) == 1_000


def test_one_wrong_character_is_noticed_wherever_it_is() -> None:
    token = mint("live")
    for place, right in enumerate(token):
        for wrong in "0aZ_-é ".replace(right, ""):
            assert not looks_valid(token[:place] + wrong + token[place + 1 :])


@given(st.text())
def test_any_text_can_be_asked_about(text: str) -> None:
    assert not looks_valid(text)
    assert not looks_valid("tg_live_" + text)


def test_a_key_with_a_line_end_is_not_a_key() -> None:
    assert not looks_valid(mint("live") + "\n")
