"""Which event loop a test runs in.

The product's server runs in uvloop, and so does each server that a test starts, and each test on SQLite. Twice a worker of the
suite never came back from the `close` of such a loop, when its test on PostgreSQL had passed: it stands in the library, where no
signal is heard, until the process is ended. A server closes one loop in its life, and a suite eight thousand; so what a test
asks of PostgreSQL it asks in Python's loop, unless it is about what the loop itself does with sockets and processes.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import uvloop

from tests.databases import SHARED

TESTS = Path(__file__).parent
# Listeners, bodies that come in pieces, connections that are cut, and children.
OF_THE_LOOP = frozenset(("linehost", "server", "values", "web", "workshop"))


def runner_for(file: Path, database: str) -> asyncio.Runner:
    """Runs the coroutines of a file of tests on a kind of database."""
    folder = file.relative_to(TESTS).parts[0] if file.is_relative_to(TESTS) else ""
    is_plain = database in SHARED and folder not in OF_THE_LOOP
    return asyncio.Runner(loop_factory=asyncio.new_event_loop if is_plain else uvloop.new_event_loop)
