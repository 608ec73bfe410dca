"""The product as the specification's readers have it, one for each file of tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.files import file_server
from tests.databases import Databases
from tests.product import Product, running_product

PHONES = iter(range(905_551_000_000, 905_551_999_999))


@pytest.fixture(scope="module")
def files() -> Iterator[str]:
    with file_server() as url:
        yield url


@pytest.fixture(scope="module")
def product(databases: Databases) -> Iterator[Product]:
    url = databases.migrated()
    with running_product(url, settings={"TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8"}) as running:
        yield running
    databases.drop(url)


@pytest.fixture(scope="module")
def prepaid(databases: Databases) -> Iterator[Product]:
    url = databases.migrated()
    with running_product(url, settings={"TABLEGRAM_BILLING": "prepaid"}) as running:
        yield running
    databases.drop(url)


@pytest.fixture
def phone() -> str:
    """A number of this test's own."""
    return str(next(PHONES))
