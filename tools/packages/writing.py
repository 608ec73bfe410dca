"""Put a client together: what was written by hand, and what the document says."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tools.packages import python, typescript
from tools.packages.reading import read

CLIENTS = Path(__file__).parents[2] / "clients"


def write_python(document: dict[str, Any], folder: Path) -> Path:
    """The source of the Python package; its folder."""
    package = _copy("python", folder)
    api, inner = read(document), package / "src" / "tablegram_client"
    (inner / "types.py").write_text(python.types(api))
    (inner / "calls.py").write_text(python.calls(api, is_async=False))
    (inner / "async_calls.py").write_text(python.calls(api, is_async=True))
    # Somebody will read it.
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", "--isolated", str(inner)], check=True)
    return package


def write_typescript(document: dict[str, Any], folder: Path) -> Path:
    package = _copy("typescript", folder)
    api = read(document)
    (package / "src" / "types.ts").write_text(typescript.types(api))
    (package / "src" / "calls.ts").write_text(typescript.calls(api))
    return package


def build_python(package: Path, folder: Path) -> Path:
    """The wheel of the package. Nothing is fetched for it."""
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(package)],
        check=True,
        capture_output=True,
        text=True,
    )
    return next(folder.glob("tablegram_client-*.whl"))


def build_typescript(package: Path, folder: Path, programs: Path) -> Path:
    """What `npm pack` makes of it. `programs` has the compiler."""
    subprocess.run([str(programs / "node_modules" / ".bin" / "tsc"), "-p", str(package)], check=True)
    subprocess.run(
        ["npm", "pack", "--silent", "--offline", "--pack-destination", str(folder)],
        cwd=package,
        check=True,
        capture_output=True,
    )
    return next(folder.glob("tablegram-client-*.tgz"))


def _copy(name: str, folder: Path) -> Path:
    made = folder / name
    ignored = shutil.ignore_patterns("__pycache__", "build", "dist", "*.egg-info")
    shutil.copytree(CLIENTS / name, made, dirs_exist_ok=True, ignore=ignored)
    return made
