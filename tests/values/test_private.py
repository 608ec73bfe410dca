"""Files that nobody but their owner reads, whoever's the folder is."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablegram.sandbox.network import Network
from tablegram.sandbox.store import Number
from tablegram.settings import Settings
from tablegram.storage.database import open_database
from tablegram.storage.migrate import migrate
from tablegram.values.secrets import SecretBox

OLD, NEW = "an old key of thirty-two characters", "the new key of thirty-two characters"


@pytest.fixture
def open_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that others may look into, and a mask that takes nothing from new files."""
    tmp_path.chmod(0o755)
    mask = os.umask(0o022)
    yield tmp_path
    os.umask(mask)


def modes(folder: Path) -> dict[str, str]:
    return {file.name: f"{stat.S_IMODE(file.stat().st_mode):o}" for file in sorted(folder.iterdir())}


async def test_a_database_in_a_folder_of_everybodys_is_its_owners(open_folder: Path) -> None:
    url = f"sqlite:///{open_folder / 'new.db'}"
    migrate(url)
    db = open_database(Settings(database_url=url))
    await db.open()
    try:
        assert modes(open_folder) == {"new.db": "600", "new.db-shm": "600", "new.db-wal": "600"}
    finally:
        await db.close()

    # One that was made before is closed too.
    (open_folder / "new.db").chmod(0o644)
    db = open_database(Settings(database_url=url))
    await db.open()
    await db.close()
    assert set(modes(open_folder).values()) == {"600"}


def test_the_sandboxs_file_is_its_owners_and_holds_no_secret_in_clear(open_folder: Path) -> None:
    path = open_folder / "sandbox.db"
    line = Number(id="1", access_token="the token of it", app_secret="the secret of it", verify_token="the word of it")

    def holds(word: str) -> bool:
        return any(word.encode() in file.read_bytes() for file in open_folder.iterdir())

    # As a version before this one kept it.
    former = Network(path)
    former.store.save_number(line)
    assert holds("the secret of it")
    former.store.close()

    opened = Network(path, box=SecretBox(OLD))
    assert opened.store.numbers() == [line]
    assert set(modes(open_folder).values()) == {"600"}
    opened.store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    opened.store.execute("VACUUM")
    opened.store.close()
    assert not [word for word in ("the token of it", "the secret of it", "the word of it") if holds(word)]

    rotated = Network(path, box=SecretBox(NEW, OLD))
    assert rotated.store.numbers() == [line]
    rotated.store.close()
    after = Network(path, box=SecretBox(NEW))
    assert after.store.numbers() == [line]
    after.store.close()
    # Without its key a line is unknown until the gateway registers it again.
    lost = Network(path, box=SecretBox("a third key of thirty-two characters"))
    assert lost.store.numbers() == []
    lost.store.close()
