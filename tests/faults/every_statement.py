"""Every statement that the product keeps ready."""

from __future__ import annotations

import importlib
import pkgutil

import tablegram
from tablegram.storage.query import Query


def every_statement() -> list[tuple[str, Query]]:
    names = [module.name for module in pkgutil.walk_packages(tablegram.__path__, "tablegram.")]
    found = []
    for name in names:
        if ".migrations." not in name and not name.endswith("__main__"):
            module = importlib.import_module(name)
            found += [(f"{name}.{label}", value) for label, value in vars(module).items() if isinstance(value, Query)]
    return found
