"""A dict of anything that a module shows to others is found, wherever it stands in a signature."""

from __future__ import annotations

from pathlib import Path

from tools.typed_edges import crossings

_MODULE = """
Loose = tuple[int, dict[str, Any]]
NAMES: dict[str, str] = {}
class Desk:
    kept: Mapping[str, Any]
    _own: dict[str, Any]
    def __init__(self, facts: dict[str, Any]) -> None: ...
    async def page(self, *, fields: list[dict[str, Any]] | None = None) -> Page: ...
    def get(self) -> Callable[[dict[str, Any]], None]: ...
    def _view(self) -> dict[str, Any]: ...
class _Inner:
    said: dict[str, Any]
def tell(row: Row) -> Page:
    told: dict[str, Any] = {}
"""


def test_what_is_shown_is_found_and_what_is_a_modules_own_is_not(tmp_path: Path) -> None:
    module = tmp_path / "desk.py"
    module.write_text(_MODULE)
    found = [line.split(": ")[1].split(" (")[0] for line in crossings(module)]
    assert found == ["Loose", "Desk.kept", "Desk.__init__", "Desk.page", "Desk.get"]
