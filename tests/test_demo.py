"""The demo data that products of a run share: as complete as those that the command makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.product import cli_json, prepare


@pytest.mark.both
def test_who_comes_second_has_what_the_command_makes_at_an_address_of_their_own(
    make_database_url: Callable[..., str], tmp_path: Path
) -> None:
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()
    first, second = (prepare(make_database_url(), folder, sandbox_alone=False, settings={}) for folder in folders)
    assert first.url != second.url
    for product in (first, second):
        # The command makes what is missing, and tells of what there is.
        again = cli_json("demo", environment=product.environment)
        assert again["key"] == product.key
        assert again["menu"] == product.extra["menu"]
        assert product.extra["menu"].startswith(product.api)


def test_other_settings_have_demo_data_of_their_own(make_database_url: Callable[..., str], tmp_path: Path) -> None:
    keys = set()
    for billing in ("off", "prepaid"):
        folder = tmp_path / billing
        folder.mkdir()
        settings = {"TABLEGRAM_BILLING": billing}
        keys.add(prepare(make_database_url(), folder, sandbox_alone=False, settings=settings).key)
    assert len(keys) == 2
