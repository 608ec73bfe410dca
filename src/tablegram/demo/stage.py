"""Where the demo's data goes: an account with a line, and what a part needs to fill its own tables."""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tablegram.settings import Settings
from tablegram.storage.database import Database
from tablegram.values.clock import Clock
from tablegram.values.secrets import SecretBox


@dataclass(frozen=True, slots=True)
class Stage:
    settings: Settings
    clock: Clock
    db: Database
    box: SecretBox
    account_id: int
    line_id: int
    key_id: str
    # With two weeks of conversations and orders to look at.
    filled: bool


# Safe to repeat: makes what is missing, and nothing twice.
DemoStep = Callable[[Stage], Awaitable[None]]


def filling(module: str) -> DemoStep:
    """The step of a module of the demo, which is loaded when it is taken."""

    async def fill(stage: Stage) -> None:
        await importlib.import_module(f"tablegram.demo.{module}").fill(stage)

    return fill
