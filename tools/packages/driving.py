"""Both packages as their users meet them: checked by type checkers, packed, installed and used against a server."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.clients.flaky import flaky_way
from tests.product import running_product
from tools.packages import writing


def check(document: dict[str, Any], programs: Path, folder: Path) -> list[str]:
    """The names of the steps that failed."""
    steps = {"Python package: types": _check_python, "TypeScript package: packed, installed, used": _drive_typescript}
    failed = []
    for name, step in steps.items():
        try:
            step(document, programs, folder)
        except (subprocess.CalledProcessError, AssertionError) as error:
            failed.append(name)
            told = error.stdout or "" if isinstance(error, subprocess.CalledProcessError) else ""
            print(told, getattr(error, "stderr", "") or "", error)
        print(f"{name}: {'FAILED' if name in failed else 'passed'}", flush=True)
    return failed


def _check_python(document: dict[str, Any], programs: Path, folder: Path) -> None:
    package = writing.write_python(document, folder)
    arguments = (
        "--strict",
        "--config-file",
        "/dev/null",
        "--cache-dir",
        str(folder / "mypy"),
        "-p",
        "tablegram_client",
    )
    subprocess.run(
        [sys.executable, "-m", "mypy", *arguments], cwd=package / "src", check=True, capture_output=True, text=True
    )


def _drive_typescript(document: dict[str, Any], programs: Path, folder: Path) -> None:
    packed = writing.build_typescript(writing.write_typescript(document, folder), folder, programs)
    place = folder / "user"
    place.mkdir()
    (place / "package.json").write_text('{"private": true, "type": "module"}')
    subprocess.run(
        ["npm", "install", "--silent", "--offline", "--no-audit", "--no-fund", str(packed)], cwd=place, check=True
    )
    shutil.copy(writing.CLIENTS / "typescript" / "test" / "drive.mjs", place)
    with running_product(f"sqlite:///{folder}/driven.db") as product:
        where = urlsplit(product.url)
        with flaky_way((where.hostname or "", where.port or 0), loses=2) as way:
            done = subprocess.run(
                ["node", "drive.mjs", product.url, way.url, product.key],
                cwd=place, check=True, capture_output=True, text=True,
            )  # fmt: skip
            assert "driven" in done.stdout
            assert way.lost == 2
        assert len(product.on_phone("905551112299")) == 2
