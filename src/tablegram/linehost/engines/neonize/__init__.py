"""The engine on `neonize`: a real phone's own number. One process a number, because the library shares what it must not.

engine.py     the engine: pairs, sends, hears
library.py    the library itself, without what it loads for others
events.py     what it tells, in the protocol's words
refusals.py   what its errors mean
session.py    its keys: a file while the line runs, and a copy for the server to keep
"""

from __future__ import annotations

from tablegram.linehost.engines.neonize.engine import open_engine

__all__ = ("open_engine",)
