from __future__ import annotations

import pytest
from argon2 import PasswordHasher

from tablegram.accounts.people import passwords
from tablegram.accounts.people.passwords import Passwords, check_strength
from tablegram.errors import Invalid
from tests.hashing import REAL

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


async def test_a_hash_made_with_other_figures_is_made_anew() -> None:
    weak = PasswordHasher(time_cost=1, memory_cost=16, parallelism=1).hash("four words are enough")
    ours = Passwords(CHEAP)
    verdict = await ours.check(weak, "four words are enough")
    assert verdict.fits
    assert (await ours.check(verdict.better_hash, "four words are enough")).better_hash == ""
    assert not (await ours.check(weak, "four words are not")).fits


@pytest.mark.parametrize("stored", [None, "", "not a hash", "$argon2id$v=19$m=8,t=1,p=1$"])
async def test_nothing_fits_where_there_is_no_hash(stored: str | None) -> None:
    ours = Passwords(CHEAP)
    for guess in ("", "nobody has this password", "x" * 5_000):
        assert not (await ours.check(stored, guess)).fits


async def test_the_real_figures_are_argon2id_with_at_least_19_megabytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, figure in REAL.items():
        monkeypatch.setattr(passwords, name, figure)
    made = await Passwords().hash("four words are enough")
    assert made.startswith("$argon2id$")
    memory = int(made.split("m=")[1].split(",")[0])
    assert memory >= 19 * 1_024


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("short", "password_short"),
        ("x" * 201, "password_long"),
        ("1234567890", "password_common"),
        ("12345678901234", "password_common"),
        ("aaaaaaaaaaaa", "password_common"),
        ("Fenerbahçe1907", "password_common"),
        ("PASSWORD 123", "password_common"),
        ("ada.lovelace@example.com", "password_own_name"),
        ("Lovelace Ada 1", "password_own_name"),
        ("ada.lovelace99", "password_own_name"),
    ],
)
def test_what_anybody_would_guess_is_refused(password: str, code: str) -> None:
    with pytest.raises(Invalid) as caught:
        check_strength(password, "ada.lovelace@example.com", "Ada Lovelace", "new_password")
    assert (caught.value.code, caught.value.errors[0].field) == (code, "new_password")


@pytest.mark.parametrize(
    "password", ["four words are enough", "şifremiz çok uzun", "9f3kQ!xw0z", "tablegram hours at noon"]
)
def test_length_is_enough(password: str) -> None:
    check_strength(password, "ada@example.com", "Ada")


def test_a_name_counts_from_its_fourth_letter_on() -> None:
    with pytest.raises(Invalid) as caught:
        check_strength("elif9elif2", "waiter@example.com", "Elif Su")
    assert caught.value.code == "password_own_name"
    # A shorter one is a part of too many words.
    check_strength("ada9ada2kq", "waiter@example.com", "Ada")
