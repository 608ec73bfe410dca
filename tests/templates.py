"""Templates are translated once, not again by each of the hundreds of processes that show a page, and in each language."""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent.parent / ".pytest_cache" / "templates"


def keep_translations() -> None:
    """From now on, in this process and in those that are forked off it. What a template says decides whether one still holds."""
    from jinja2 import Environment, FileSystemBytecodeCache
    from jinja2.loaders import BaseLoader

    plain = BaseLoader.load

    def load(loader: BaseLoader, environment: Environment, *arguments: Any, **named: Any) -> Any:
        if environment.bytecode_cache is None:
            # Another part of the product may translate the same file in its own way.
            ways = (version("jinja2"), sorted(environment.extensions), getattr(loader, "searchpath", ()))
            folder = FOLDER / hashlib.sha256(repr(ways).encode()).hexdigest()[:16]
            folder.mkdir(parents=True, exist_ok=True)
            environment.bytecode_cache = FileSystemBytecodeCache(str(folder))
        return plain(loader, environment, *arguments, **named)

    pytest.MonkeyPatch().setattr(BaseLoader, "load", load)
