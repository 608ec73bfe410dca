"""`make test-changed` chooses what a change touches."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.changed_tests import ALWAYS, choose

TREE = {
    "tests/crm/test_search.py": "from tablegram.crm.store import contacts",
    "tests/crm/test_pages.py": "from tests.crm.pool import swim",
    "tests/crm/pool.py": "import tablegram.crm.pages",
    "tests/events/test_feed.py": "from tests.crm import pool",
    "tests/events/test_alone.py": "",
    "tests/docs/test_docs.py": "",
    ALWAYS: "",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text + "\n")
    return tmp_path


@pytest.mark.parametrize(
    ("changed", "wanted"),
    [
        ("src/tablegram/crm/pages.py", {"tests/crm", "tests/crm/test_pages.py", "tests/events/test_feed.py"}),
        ("src/tablegram/crm/store/contacts.py", {"tests/crm", "tests/crm/test_search.py"}),
        ("tests/crm/pool.py", {"tests/crm/test_pages.py", "tests/events/test_feed.py"}),
        ("tests/events/test_alone.py", {"tests/events/test_alone.py"}),
        ("docs/index.md", {"tests/docs"}),
        ("src/tablegram/settings/model.py", set()),
    ],
)
def test_a_change_chooses_its_importers_and_its_own_folder(tree: Path, changed: str, wanted: set[str]) -> None:
    chosen = choose([changed], tree)
    assert set(chosen) == {*wanted, ALWAYS}
    assert all(changed in why for name, why in chosen.items() if name != ALWAYS)
