"""What `make bench` runs can still be begun: a name that changes in the product is missed here, and not a month later there."""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.databases import KINDS
from tests.repository.files import ROOT

BENCH = ROOT / "bench"
CALLED = re.compile(r"-m (bench\.\S+) ((?:--\S+ )*)\$\(BENCH_ARGS\)$", re.MULTILINE)
# As the Makefile tells people to call it, and as they call each benchmark alike.
ARGUMENTS: tuple[list[str], ...] = (["--quick"], *(["--db", kind] for kind in KINDS), [])


class Understood(Exception):
    """Everything was parsed; what would be measured is left alone."""


def recipe() -> list[tuple[str, list[str]]]:
    """Modules, and the arguments that they get there."""
    text = (ROOT / "Makefile").read_text()
    return [(name, arguments.split()) for name, arguments in CALLED.findall(text)]


def main_of(name: str) -> ModuleType:
    module = importlib.import_module(name)
    return importlib.import_module(f"{name}.__main__") if hasattr(module, "__path__") else module


def test_every_module_of_the_benchmarks_can_be_loaded() -> None:
    broken = {}
    for path in sorted(BENCH.rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        try:
            importlib.import_module(name)
        except ImportError as error:
            broken[name] = str(error)
    assert not broken, broken


def test_make_bench_calls_each_benchmark_in_words_that_it_understands(monkeypatch: pytest.MonkeyPatch) -> None:
    parse = argparse.ArgumentParser.parse_args

    def only_parse(parser: argparse.ArgumentParser, *_: Any) -> None:
        parse(parser)
        raise Understood

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", only_parse)
    assert len(recipe()) > 10
    for name, own in recipe():
        for given in ARGUMENTS:
            monkeypatch.setattr(sys, "argv", [name, *own, *given])
            with pytest.raises(Understood):
                main_of(name).main()


def test_the_page_on_speed_names_what_make_bench_runs() -> None:
    said = "".join(Path(ROOT, "docs/explanation", page).read_text() for page in ("speed.md", "several-servers.md"))
    silent = [name for name, _ in recipe() if name not in said and name.replace(".", "/") + ".py" not in said]
    assert not silent, f"docs/explanation/speed.md says nothing of {', '.join(silent)}"
