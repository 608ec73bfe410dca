"""Build the pages of `docs/` into the file that the product serves at /docs.

    make docs-site

A link that leads nowhere, a page that nobody links to, and anything that our content policy would refuse end the build.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tools.docs_site.closing import close_pages
from tools.docs_site.finding import tidy_search
from tools.docs_site.navigation import Entry, navigation
from tools.docs_site.packing import pack_site
from tools.docs_site.staging import stage

ROOT = Path(__file__).parent.parent.parent
HERE = Path(__file__).parent
# The reference of the calls is another page of every installation.
API: Entry = {"API": "/api/v1/docs"}
TARGET = ROOT / "src" / "tablegram" / "docs_site" / "site.zip"


def build(target: Path = TARGET) -> None:
    with tempfile.TemporaryDirectory(prefix="tablegram-docs-") as name:
        folder = Path(name)
        docs = folder / "docs"
        stage(ROOT, docs)
        order = navigation(docs)
        forgotten = sorted({str(one.relative_to(docs)) for one in docs.rglob("*.md")} - set(named(order)))
        if forgotten:
            sys.exit("No link of docs/index.md leads to: " + ", ".join(forgotten))
        shutil.copytree(HERE / "style", docs / "assets" / "own")
        shutil.copy(ROOT / "src" / "tablegram" / "web" / "static" / "mark.svg", docs / "assets" / "own")
        settings = (HERE / "zensical.toml").read_text(encoding="utf-8")
        (folder / "zensical.toml").write_text(
            settings.replace("nav = []", f"nav = {toml([*order, API])}"), encoding="utf-8"
        )
        generate(folder)
        close_pages(folder / "site")
        tidy_search(folder / "site")
        pack_site(folder / "site", target)


def named(order: list[Entry]) -> list[str]:
    """Every page of the navigation."""
    found: list[str] = []
    for one in order:
        below = [one] if isinstance(one, str) else list(one.values())
        for entry in below:
            found += [entry] if isinstance(entry, str) else named(entry)
    return found


def toml(entry: Entry | list[Entry]) -> str:
    if isinstance(entry, str):
        return json.dumps(entry)
    if isinstance(entry, list):
        return "[" + ", ".join(toml(one) for one in entry) + "]"
    return "{" + ", ".join(f"{json.dumps(title)} = {toml(below)}" for title, below in entry.items()) + "}"


def generate(folder: Path) -> None:
    command = [str(Path(sys.executable).parent / "zensical"), "build", "--strict"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"The pages could not be built.\n{done.stdout}{done.stderr}")


def main() -> None:
    began = time.monotonic()
    build()
    print(f"{TARGET.relative_to(ROOT)}: {TARGET.stat().st_size / 1e6:.1f} MB in {time.monotonic() - began:.0f} s.")


if __name__ == "__main__":
    main()
