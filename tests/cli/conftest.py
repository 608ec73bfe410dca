from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.storage.statements import every_statement_names_its_account

__all__ = ["every_statement_names_its_account"]


@pytest.fixture
def program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, database_url: str
) -> Program:
    """The program on a database of its own, with a data folder of its own."""
    monkeypatch.setenv("TABLEGRAM_DATABASE_URL", database_url)
    monkeypatch.setenv("TABLEGRAM_DATA_DIR", str(tmp_path / "data"))
    return Program(capsys)
