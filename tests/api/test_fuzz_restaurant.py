"""The restaurant's part of the OpenAPI document against the running product."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.api.fuzz_run import hold_against_the_running_product, marks

pytestmark = marks


def test_the_document_holds_against_the_running_product(
    database_url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    hold_against_the_running_product(
        "restaurant", database_url, tmp_path, again=bool(request.config.getoption("--again"))
    )
