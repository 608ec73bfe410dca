"""The folder of a deleted line, with an engine's keys in it, goes with the next start of the server."""

from __future__ import annotations

from pathlib import Path

from tablegram.settings import Settings
from tests.api.product_in_process import product
from tests.opened_product import OpenedProduct


async def test_files_of_a_deleted_line_are_put_away_and_no_others(database_url: str, tmp_path: Path) -> None:
    async with product(database_url, tmp_path) as running:
        made = [(await running.ask("POST", "/instances", {"kind": "linked"})).json()["id"] for _ in range(2)]
        assert (await running.ask("DELETE", f"/instances/{made[0]}")).status == 204
    lines = tmp_path / "lines"
    for name in (str(made[0]), str(made[1]), "999999", "notes"):
        (lines / name).mkdir(parents=True, exist_ok=True)
        (lines / name / "device.db").write_text("keys")
    again = OpenedProduct(Settings(database_url=database_url, data_dir=tmp_path, linked_engine="sandbox"))
    await again.start()
    await again.stop()
    assert {one.name for one in lines.iterdir()} == {str(made[1]), "999999", "notes"}
