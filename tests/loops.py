"""Which event loop a test runs in.

The product's server runs in uvloop, and so does each server that a test starts. Of a hundred thousand loops of that kind that
were opened and closed in one process, one never came back from its `close`: it stands in the library, where no signal is
heard, until the process is ended. A server closes one loop in its life, and a suite eight thousand; so a test
within the suite's own process runs in Python's loop, unless it is about what the loop itself does with sockets.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import uvloop

TESTS = Path(__file__).parent
# Listeners, bodies that come in pieces, and connections that are cut.
OF_SOCKETS = frozenset(("server", "values", "web"))


def runner_for(file: Path) -> asyncio.Runner:
    """Runs the coroutines of a file of tests."""
    folder = file.relative_to(TESTS).parts[0] if file.is_relative_to(TESTS) else ""
    return asyncio.Runner(loop_factory=uvloop.new_event_loop if folder in OF_SOCKETS else asyncio.new_event_loop)
