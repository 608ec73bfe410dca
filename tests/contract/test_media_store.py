"""What every place that keeps files promises."""

from __future__ import annotations

import asyncio
import hashlib
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tablegram.drivers import open_vault
from tablegram.media.ports import MediaMissing, MediaStore, MediaStoreDown, key_of
from tablegram.settings import Settings
from tests.contract.buckets import ACCESS_KEY, BUCKET, SECRET_KEY, running_bucket
from tests.ports import free_port

KEY = key_of(1, "med_one")


def in_bucket(folder: Path, address: str) -> Settings:
    return Settings(
        data_dir=folder, media_url=f"s3://{BUCKET}/some/prefix", media_s3_endpoint=address,
        media_s3_access_key=ACCESS_KEY, media_s3_secret_key=SECRET_KEY,
    )  # fmt: skip


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    with running_bucket() as address:
        yield address


@pytest.fixture(params=["folder", "s3"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> MediaStore:
    if request.param == "folder":
        return open_vault(Settings(data_dir=tmp_path))
    return open_vault(in_bucket(tmp_path, request.getfixturevalue("bucket")))


@pytest.fixture
def make_file(tmp_path: Path) -> Callable[[bytes], Path]:
    def make(content: bytes) -> Path:
        path = tmp_path / f"incoming-{hashlib.sha256(content).hexdigest()}"
        path.write_bytes(content)
        return path

    return make


async def read(store: MediaStore, key: str) -> bytes:
    return b"".join([chunk async for chunk in await store.open(key)])


@pytest.mark.parametrize("size", [1, 262_144, 262_145, 11 * 1_048_576 + 7])
async def test_a_file_comes_back_byte_for_byte(
    store: MediaStore, make_file: Callable[[bytes], Path], size: int
) -> None:
    content = hashlib.shake_256(str(size).encode()).digest(size)
    await store.put(key_of(1, f"med_{size}"), make_file(content))
    assert await read(store, key_of(1, f"med_{size}")) == content


async def test_what_is_put_again_takes_the_place_of_what_was_there(
    store: MediaStore, make_file: Callable[[bytes], Path]
) -> None:
    await store.put(KEY, make_file(b"the first and longer one"))
    await store.put(KEY, make_file(b"the second"))
    assert await read(store, KEY) == b"the second"


async def test_a_deleted_file_is_missing_and_deleting_it_again_is_no_error(
    store: MediaStore, make_file: Callable[[bytes], Path]
) -> None:
    await store.put(KEY, make_file(b"content"))
    await store.delete(KEY)
    await store.delete(KEY)
    with pytest.raises(MediaMissing):
        await store.open(KEY)


async def test_what_was_never_there_is_missing(store: MediaStore) -> None:
    with pytest.raises(MediaMissing):
        await store.open(key_of(9, "med_nothing"))


async def test_files_of_different_accounts_and_names_do_not_meet(
    store: MediaStore, make_file: Callable[[bytes], Path]
) -> None:
    keys = [key_of(account, f"med_{number}") for account in (1, 11) for number in range(20)]
    assert len(set(keys)) == len(keys)
    await asyncio.gather(*(store.put(key, make_file(key.encode())) for key in keys))
    assert [await read(store, key) for key in keys] == [key.encode() for key in keys]


async def test_many_readers_at_once_each_get_the_whole_file(
    store: MediaStore, make_file: Callable[[bytes], Path]
) -> None:
    content = bytes(range(256)) * 4_096
    await store.put(KEY, make_file(content))
    assert set(await asyncio.gather(*(read(store, KEY) for _ in range(16)))) == {content}


async def test_a_file_that_cannot_be_put_leaves_what_was_there(
    store: MediaStore, make_file: Callable[[bytes], Path], tmp_path: Path
) -> None:
    await store.put(KEY, make_file(b"kept"))
    with pytest.raises(MediaStoreDown):
        await store.put(KEY, tmp_path / "not there")
    assert await read(store, KEY) == b"kept"


async def test_nobody_else_on_the_machine_can_read_the_folder(
    tmp_path: Path, make_file: Callable[[bytes], Path]
) -> None:
    store = open_vault(Settings(data_dir=tmp_path))
    await store.put(KEY, make_file(b"content"))
    path = tmp_path / "media" / KEY
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for folder in (path.parent, path.parent.parent, tmp_path / "media"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "key", ["../../etc/passwd", "/etc/passwd", "1/aa/../../x", "1/aa/", "", "incoming/x", "1/aa/a\x00b"]
)
async def test_no_key_leads_out_of_the_folder(tmp_path: Path, key: str, make_file: Callable[[bytes], Path]) -> None:
    store = open_vault(Settings(data_dir=tmp_path))
    with pytest.raises(MediaMissing):
        await store.put(key, make_file(b"content"))
    with pytest.raises(MediaMissing):
        await store.open(key)


async def test_a_bucket_that_is_away_is_said_so_without_any_secret(
    tmp_path: Path, make_file: Callable[[bytes], Path]
) -> None:
    store = open_vault(in_bucket(tmp_path, f"http://127.0.0.1:{free_port()}"))
    for attempt in (store.put(KEY, make_file(b"x")), store.open(KEY), store.delete(KEY)):
        with pytest.raises(MediaStoreDown) as caught:
            await attempt
        assert SECRET_KEY not in str(caught.value)
        assert ACCESS_KEY not in str(caught.value)
        assert caught.value.__cause__ is None
