"""Passwords of tests are hashed with the least effort: a real hash takes longer than most tests that let somebody in.

The figures of the product are looked at in `tests/accounts/people/test_passwords.py`; who measures the product
(`make attack`, `make bench`) has them too.
"""

from __future__ import annotations

import os

import pytest

from tablegram.accounts.people import passwords

CHEAP = "SUITE_CHEAP_PASSWORDS"
REAL = {"ROUNDS": passwords.ROUNDS, "MEMORY_KIB": passwords.MEMORY_KIB}


def hash_cheaply() -> None:
    """From now on, in this process, in those that it starts, and in those that are forked off them."""
    os.environ[CHEAP] = "1"
    for name, least in {"ROUNDS": 1, "MEMORY_KIB": 8}.items():
        pytest.MonkeyPatch().setattr(passwords, name, least)


def hash_as_told() -> None:
    """In a process that was started: as whoever started it."""
    if CHEAP in os.environ:
        hash_cheaply()
