"""What browsers are told of pages and files stands in one place, word for word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tablegram
from tablegram.web import guards
from tablegram.web.guards import closed_policy, file_headers, hash_of

pytestmark = pytest.mark.once

SOURCE = Path(tablegram.__file__).parent


def test_a_file_is_kept_by_its_reader_only_and_can_do_nothing() -> None:
    assert file_headers() == {
        "Cache-Control": "private, no-cache",
        "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff",
    }
    assert file_headers("no-store")["Cache-Control"] == "no-store"
    assert all("sandbox" in one for one in (guards.FRAMED_FILE_POLICY, guards.DRAWING_POLICY))


def test_a_closed_page_has_what_is_named_and_nothing_else() -> None:
    closed = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    assert closed_policy() == f"default-src 'none'; {closed}"
    # As a browser hashes it.
    empty = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    assert hash_of("") == empty
    assert (
        closed_policy(style=empty, img="'self'") == f"default-src 'none'; style-src {empty}; img-src 'self'; {closed}"
    )


def test_nobody_else_writes_a_policy() -> None:
    own = [
        str(file.relative_to(SOURCE))
        for file in SOURCE.rglob("*.py")
        if re.search(r"(?:default|style)-src ", file.read_text(encoding="utf-8"))
    ]
    assert own == ["web/guards.py"]
