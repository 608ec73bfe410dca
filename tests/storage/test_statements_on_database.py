"""Every statement that the product keeps ready is one that the database itself accepts, with the present schema."""

from __future__ import annotations

import pytest

from tests.faults.every_statement import every_statement
from tests.storage.plans import refused


@pytest.mark.slow
async def test_every_statement_is_accepted_for_one_row_and_for_many(database_url: str) -> None:
    wrong = await refused(database_url, every_statement())
    assert not wrong, "\n".join(wrong)
