"""One word for one thing: within a domain no two public classes have the same name, and an endpoint is no hook."""

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


def _classes(paths: Iterable[Path]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(path.relative_to(SOURCE)))
    return found
