"""What an attack is, and how all of them are found."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from tools.attack import attacks
from tools.attack.ground import Ground


class NotHeld(AssertionError):
    """The product did not stand the attack; the words say what was seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    # As in the first column of the table in SECURITY.md.
    name: str
    # Tries it, bounded in count and time, and tells in a few words what came of it; raises when it did not hold.
    run: Callable[[Ground], Awaitable[str]]
    # Settings of the product that the long form needs besides those of a first start.
    settings: Mapping[str, str] = field(default_factory=dict)


def expect(holds: bool, seen: object) -> None:
    """Raise `NotHeld` with what was seen unless this holds."""
    if not holds:
        raise NotHeld(str(seen))


def all_attacks() -> list[Attack]:
    """Every attack there is, by its name."""
    modules = [f"{attacks.__name__}.{module.name}" for module in pkgutil.iter_modules(attacks.__path__)]
    found: list[Attack] = [importlib.import_module(module).ATTACK for module in modules]
    return sorted(found, key=lambda attack: attack.name)
