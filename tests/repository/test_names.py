"""One word for one thing: within a domain no two public classes have the same name, and who reads a folder meets no two
either; an endpoint is no hook."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.repository.files import ROOT

SOURCE = ROOT / "src" / "tablegram"
# Siblings of one line of the layers (`ARCHITECTURE.md`).
DOMAINS = (
    "accounts", "automations", "campaigns", "crm", "delivery", "events", "loyalty", "media", "messaging", "payments",
    "printing", "restaurant", "stores",
)  # fmt: skip
# Where events are posted from. A hook is what others call (`docs/reference/glossary.md`).
OF_ENDPOINTS = (
    "events", "flows/integrations", "panel/pages/integrations", "panel/templates/integrations", "api/routes/integrations",
)  # fmt: skip
# Neither a webhook nor an address such as `/hooks/cloud`.
_HOOK = re.compile(r"(?i)(?<![a-z/])hooks?(?![a-z])")


@pytest.mark.parametrize("domain", DOMAINS)
def test_no_two_public_classes_of_a_domain_have_one_name(domain: str) -> None:
    twice = [
        f"{name} is in {' and in '.join(places)}: give each a name by what it is of"
        for name, places in sorted(_classes(sorted((SOURCE / domain).rglob("*.py"))).items())
        if len(places) > 1
    ]
    assert twice == [], "\n".join(twice)


@pytest.mark.parametrize("folder", OF_ENDPOINTS)
def test_an_endpoint_is_not_called_a_hook(folder: str) -> None:
    called = [
        f"{path.relative_to(SOURCE)}:{number}: {line.strip()}"
        for path in sorted((SOURCE / folder).rglob("*"))
        if path.suffix in (".py", ".html")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if _HOOK.search(line)
    ]
    assert called == [], "an endpoint is where we post:\n" + "\n".join(called)


def test_nobody_meets_two_classes_of_one_name() -> None:
    """In a folder: what its modules define, and what they take from others."""
    modules = {_module(path): path for path in SOURCE.rglob("*.py")}
    defined = {module: set(_classes([path])) for module, path in modules.items()}
    met: dict[tuple[str, str], set[str]] = defaultdict(set)
    for module, path in modules.items():
        folder = str(path.parent.relative_to(SOURCE))
        for name in defined[module]:
            met[folder, name].add(module)
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module in defined:
                for taken in node.names:
                    if taken.name in defined[node.module]:
                        met[folder, taken.name].add(node.module)
    twice = [
        f"in {folder}, {name} is of {' and of '.join(sorted(places))}: give one a name by what it is of"
        for (folder, name), places in sorted(met.items())
        if len(places) > 1
    ]
    assert twice == [], "\n".join(twice)


def _module(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _classes(paths: Iterable[Path]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(path.relative_to(SOURCE)))
    return found
