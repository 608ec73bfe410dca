"""One closed tree of what callers can be told."""

from __future__ import annotations

import importlib
import pkgutil
import re

import tablegram
from tablegram import errors
from tablegram.errors import Problem


def every_kind(kind: type[Problem] = Problem) -> list[type[Problem]]:
    return [one for child in kind.__subclasses__() for one in (child, *every_kind(child))]


def test_the_tree_is_closed_and_drawn_as_it_is() -> None:
    for module in pkgutil.walk_packages(tablegram.__path__, "tablegram."):
        if "migrations" not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    kinds = every_kind()
    assert {kind.__module__ for kind in kinds} == {errors.__name__}
    drawn = re.findall(r"[├└]── (\w+) +(\d{3})(.*)", errors.__doc__ or "")
    assert {(name, int(status), rest.rstrip().endswith(" yes")) for name, status, rest in drawn} == {
        (kind.__name__, kind.status, kind.retryable) for kind in kinds
    }


def test_every_kind_has_a_code_of_its_own() -> None:
    codes = [kind.code for kind in every_kind()]
    assert len(codes) == len(set(codes))
