"""A dict of anything that a module shows to others is found, wherever it stands in a signature."""

from __future__ import annotations

from pathlib import Path

from tools.typed_edges import aliases, crossings, named, refused

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


def test_a_dict_of_anything_under_a_name_is_refused_wherever_the_name_went(tmp_path: Path) -> None:
    store, door, desk = (tmp_path / f"{name}.py" for name in ("store", "door", "desk"))
    store.write_text("Row = Mapping[str, Any]\nNames = dict[str, str]\n")
    door.write_text("from store import Names, Row as Line\n")
    desk.write_text(
        "from door import Line\nfrom elsewhere import Row\ndef tell(one: list[Line], row: Row) -> Line: ...\n"
    )
    names = aliases([store, door, desk])
    assert names == {store: {"Row"}, door: {"Line"}, desk: {"Line"}}
    assert [*named(desk, names[desk])] == [(3, "Line"), (3, "Line")]
    assert refused(desk, names[desk]) == [f"{desk}:3: Line is a dict of anything"] * 2


def test_a_dict_of_objects_is_refused_nowhere(tmp_path: Path) -> None:
    module = tmp_path / "json.py"
    module.write_text("Json = dict[str, object]\nRows = list[Mapping[str, object]]\ndef read(one: Json) -> Rows: ...\n")
    assert refused(module, aliases([module])[module]) == []
