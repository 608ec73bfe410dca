"""What is promised of a server that dies, hangs or is cut off, as a number of leases: a test may have shorter ones."""

from __future__ import annotations

from tablegram.settings import Settings

# To who sets nothing: docs/how-to/run-several.md.
TAKEN_UP_WITHIN_S = 15.0
TAKEN_UP_LEASES = TAKEN_UP_WITHIN_S / Settings().lease_s
