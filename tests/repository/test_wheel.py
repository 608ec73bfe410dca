"""What is installed from the built file is all of the program; `make wheel-proof` builds, installs and starts it."""

from __future__ import annotations

import tomllib
from pathlib import PurePosixPath

from tests.repository.files import ROOT, repository_files

SOURCE = ROOT / "src" / "tablegram"
PATTERNS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-data"]


def test_every_file_of_the_source_is_packed() -> None:
    names = [path.relative_to(SOURCE).as_posix() for path in repository_files() if path.is_relative_to(SOURCE)]
    left_out = [name for name in names if not name.endswith(".py") and not is_packed(name)]
    assert left_out == [], "add their kind to package-data in pyproject.toml"
    assert len(names) > 1_000


def is_packed(name: str) -> bool:
    return any(PurePosixPath(name).match(pattern.removeprefix("**/")) for pattern in PATTERNS["tablegram"])
