"""What the tests of the API share."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from tests.api.edge import Edge, edge_of, kept_open
from tests.databases import Databases


@pytest.fixture(scope="module")
def edge(
    databases: Databases, loop_of_file: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Edge]:
    """One product for the tests of a file, which run in its loop."""
    url = databases.migrated()
    with kept_open(loop_of_file, edge_of(url, tmp_path_factory.mktemp("edge"))) as made:
        yield made
    databases.drop(url)
