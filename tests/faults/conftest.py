"""One product for the tests of this folder: the server, and the sandbox network as a process of its own."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator

import pytest

from tests.databases import Databases
from tests.product import Product, running_product

# Long enough for a callback to arrive on a busy machine, short enough to wait for.
UNKNOWN_WAIT_S = 3

_numbers = itertools.count(905_320_000_000)


@pytest.fixture(scope="package")
def shared_product(databases: Databases) -> Iterator[Product]:
    url = databases.migrated()
    settings = {"TABLEGRAM_UNKNOWN_WAIT_S": str(UNKNOWN_WAIT_S)}
    with running_product(url, sandbox_alone=True, settings=settings) as product:
        yield product
    databases.drop(url)


@pytest.fixture
def product(shared_product: Product) -> Iterator[Product]:
    """That product, with both processes running and no fault left over."""
    yield shared_product
    assert shared_product.sandbox is not None
    for process in (shared_product.sandbox, shared_product.server):
        if not process.is_running():
            process.start()
    shared_product.sandbox_call("DELETE", "/faults")


@pytest.fixture
def phone() -> str:
    """A number that no other test writes to."""
    return str(next(_numbers))


@pytest.fixture
def phones() -> list[str]:
    """Twenty such numbers."""
    return [str(next(_numbers)) for _ in range(20)]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Put a line of figures before whoever runs the suite, also when the test passes."""

    def write(line: str) -> None:
        with capsys.disabled():
            sys.stdout.write(f"\n{line}\n")

    return write
