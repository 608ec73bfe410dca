"""Every setting of the product: one typed object, read once from the environment.

A setting `name` comes from the variable `TABLEGRAM_NAME`. Each has a default that
works on a laptop, and a sentence that says what it is for and why the figure is what it is;
`docs/reference/settings.md` repeats the sentences, and a test compares the two.
"""

from tablegram.settings.model import ENGINES, MAX_WORKERS, PREFIX, ROLES, Network, Settings
from tablegram.settings.reading import load

__all__ = ["ENGINES", "MAX_WORKERS", "PREFIX", "ROLES", "Network", "Settings", "load"]
