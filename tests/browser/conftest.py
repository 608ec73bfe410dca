"""How long a page may take: so long that only what never happens fails, also where two cores are busy with more."""

from __future__ import annotations

from playwright.sync_api import expect

expect.set_options(timeout=30_000)
