"""Templates of plain pages. What draws them is loaded when the first is drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


def late_templates(*folders: Path, known: Callable[[], dict[str, object]]) -> Callable[[], Environment]:
    """What draws the templates of these folders; `known` is what each of them may name."""

    @cache
    def environment() -> Environment:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

        made = Environment(
            loader=FileSystemLoader(folders),
            autoescape=select_autoescape(),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        made.globals.update(known())
        return made

    return environment
