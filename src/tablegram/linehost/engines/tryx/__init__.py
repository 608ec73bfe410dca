"""The engine on `tryx`: the same network by another library, which shows that the protocol is a port.

engine.py     the engine: what the server orders
device.py     the device: comes online, goes, and tells what it hears
events.py     what the library tells, in the protocol's words
"""

from __future__ import annotations

from tablegram.linehost.engines.tryx.engine import open_engine

__all__ = ("open_engine",)
