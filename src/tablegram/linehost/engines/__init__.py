"""Who speaks to a network. An engine is named when its host is started, and loaded then."""

from __future__ import annotations

from importlib import import_module

from tablegram.linehost.engines.port import Engine

# The name, and the module whose `open_engine` makes one. What it needs beyond the standard library is an extra.
ENGINES = {
    "sandbox": "tablegram.linehost.engines.sandbox",
    "neonize": "tablegram.linehost.engines.neonize",
    "tryx": "tablegram.linehost.engines.tryx",
}


def open_engine(name: str) -> Engine:
    """Raises `ImportError` when what it needs is not installed."""
    made: Engine = import_module(ENGINES[name]).open_engine()
    return made
