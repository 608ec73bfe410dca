"""What every check here needs: where the files are, the programs beside the interpreter, and the settings."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import yaml

from tablegram.settings import PREFIX, Settings

ROOT = Path(__file__).parent.parent.parent
DEPLOY = ROOT / "deploy"
SETTINGS = {PREFIX + item.name.upper() for item in fields(Settings)}


def program(name: str) -> str:
    """Beside the interpreter, on the path, or where administrators' programs are."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if found is None:
        sys.exit(f"{name} is not installed: make deploy-check installs it where apt-get is at hand.")
    return found


def complaints(*command: str, where: Path = ROOT) -> list[str]:
    """What a program says when it is not content."""
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
    return [] if done.returncode == 0 else (done.stdout + done.stderr).strip().splitlines() or [f"{command[0]} failed"]


def documents(path: Path) -> list[Any]:
    return [document for document in yaml.safe_load_all(path.read_text(encoding="utf-8")) if document is not None]


def unknown_settings(path: Path) -> list[str]:
    """Variables of ours that a file names and that no setting has."""
    named = set(re.findall(rf"\b{PREFIX}[A-Z0-9_]*[A-Z0-9]\b", path.read_text(encoding="utf-8")))
    return [f"{path.relative_to(ROOT)}: {name} is no setting" for name in sorted(named - SETTINGS)]


def every(value: Any, key: str) -> Iterator[Any]:
    """All values under a name, however deep."""
    if isinstance(value, dict):
        if key in value:
            yield value[key]
        for below in value.values():
            yield from every(below, key)
    elif isinstance(value, list):
        for below in value:
            yield from every(below, key)


def has_a_host(image: str) -> bool:
    """Whether an image is bound to one registry: the part before the first slash is an address."""
    first, slash, _ = image.partition("/")
    return bool(slash) and ("." in first or ":" in first or first == "localhost")
