"""Files and folders: small enough to be read at a glance, and each folder of the source says what may live there."""

from __future__ import annotations

import ast
import re
from collections import Counter

from tests.repository.files import ROOT, repository_files

SOURCE = ROOT / "src" / "tablegram"
MOST = 15
LONGEST = 400
# One after the other, in the order they ran: nobody looks for a subject there, and nobody changes them any more.
MIGRATIONS = SOURCE / "storage" / "migrations" / "versions"
# The same names wherever something is sorted by area.
AREAS = {
    "account",
    "automations",
    "campaigns",
    "contacts",
    "couriers",
    "delivery",
    "files",
    "frame",
    "gateway",
    "inbox",
    "integrations",
    "loyalty",
    "notices",
    "operator",
    "payments",
    "printing",
    "restaurant",
    "segments",
    "stores",
}


def test_no_folder_of_the_source_holds_more_than_fifteen_files_of_its_own() -> None:
    counts = Counter(path.parent for path in repository_files() if path.is_relative_to(SOURCE))
    del counts[MIGRATIONS]
    full = [
        f"{folder.relative_to(ROOT)} holds {count} files, {MOST} are allowed: give those of one subject a folder of their own"
        for folder, count in sorted(counts.items())
        if count > MOST
    ]
    assert full == [], "\n".join(full)


def test_no_file_is_longer_than_four_hundred_lines() -> None:
    lines = {
        path: len(path.read_text().splitlines())
        for path in repository_files()
        if path.suffix == ".py" and path.parent != MIGRATIONS
    }
    long = [
        f"{path.relative_to(ROOT)} has {count} lines, {LONGEST} are allowed: split it by what it is about"
        for path, count in sorted(lines.items())
        if count > LONGEST
    ]
    assert long == [], "\n".join(long)


def test_every_package_says_in_a_sentence_what_may_live_there() -> None:
    said = (SOURCE, ROOT / "tests", ROOT / "tools", ROOT / "bench")
    files = [path for path in repository_files() if path.suffix == ".py"]
    packages = {path.parent for path in files if any(path.is_relative_to(folder) for folder in said)}
    # What Alembic runs is a folder of scripts, not a package: its env.py could not even be imported.
    packages = {folder for folder in packages if "migrations" not in folder.parts}
    silent = [
        f"{folder.relative_to(ROOT)}: begin its __init__.py with a sentence that says what belongs there"
        for folder in sorted(packages)
        if not (folder / "__init__.py").is_file()
        or not ast.get_docstring(ast.parse((folder / "__init__.py").read_text()))
    ]
    assert silent == [], "\n".join(silent)


def test_what_is_sorted_by_area_has_the_same_names_everywhere() -> None:
    sorted_by_area = ("api/routes", "api/schemas", "flows", "panel/pages", "panel/static", "panel/templates",
                      "panel/words/en", "panel/words/tr")  # fmt: skip
    found = {
        (folder, path.relative_to(SOURCE / folder).parts[0])
        for folder in sorted_by_area
        for path in repository_files()
        if path.is_relative_to(SOURCE / folder) and path.parent != SOURCE / folder
    }
    strangers = [
        f"{folder}/{name} is none of the areas {', '.join(sorted(AREAS))}; a new area is added to this test"
        for folder, name in sorted(found)
        if name not in AREAS
    ]
    assert strangers == [], "\n".join(strangers)


def test_the_architecture_names_every_area() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    named = re.search(r"has the same names everywhere \(([^)]*)\)", text)
    assert named is not None
    assert set(re.findall(r"`([a-z]+)`", named[1])) == AREAS
