from __future__ import annotations

import os
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablegram.errors import Misconfigured
from tablegram.settings import Settings
from tablegram.values.secrets import SecretBox, load_secret_key

NEW = "the secret key that is in use at present"
OLD = "the secret key that was in use before it"


@given(st.text())
def test_what_is_sealed_comes_back_out(text: str) -> None:
    text = text.encode("utf-8", "ignore").decode()
    box = SecretBox(NEW)
    sealed = box.seal(text)
    assert box.open(sealed) == text
    assert len(text) < 8 or text not in sealed


def test_the_same_text_is_never_sealed_the_same_way() -> None:
    box = SecretBox(NEW)
    assert box.seal("token") != box.seal("token")


def test_the_previous_key_opens_and_tells_what_to_seal_again() -> None:
    sealed = SecretBox(OLD).seal("token")
    rotating = SecretBox(NEW, OLD)
    assert rotating.open(sealed) == "token"
    assert not rotating.is_current(sealed)
    again = rotating.seal("token")
    assert rotating.is_current(again)
    assert SecretBox(NEW).open(again) == "token"


def test_another_key_opens_nothing_and_says_which_is_needed() -> None:
    with pytest.raises(Misconfigured, match="TABLEGRAM_SECRET_KEY_PREVIOUS"):
        SecretBox(NEW).open(SecretBox(OLD).seal("token"))


def test_a_changed_character_anywhere_is_noticed() -> None:
    box = SecretBox(NEW)
    sealed = box.seal("token")
    for place in range(len(sealed)):
        changed = sealed[:place] + ("A" if sealed[place] != "A" else "B") + sealed[place + 1 :]
        if changed.rstrip("=") != sealed.rstrip("="):
            with pytest.raises(Misconfigured):
                box.open(changed)


def test_a_sign_in_between_is_noticed_too() -> None:
    sealed = SecretBox(NEW).seal("token")
    with pytest.raises(Misconfigured):
        SecretBox(NEW).open(sealed[:-4] + "*" + sealed[-4:])


@pytest.mark.parametrize("text", ["", ".", "v1", "v1.x.y", "not sealed at all", "é"])
def test_what_was_never_sealed_is_refused(text: str) -> None:
    with pytest.raises(Misconfigured):
        SecretBox(NEW).open(text)


def test_a_hash_is_the_same_for_the_same_key_only() -> None:
    assert SecretBox(NEW).pepper_hash("x") == SecretBox(NEW).pepper_hash("x")
    assert SecretBox(NEW).pepper_hash("x") != SecretBox(OLD).pepper_hash("x")
    assert SecretBox(NEW, OLD).hashes("x") == [SecretBox(NEW).pepper_hash("x"), SecretBox(OLD).pepper_hash("x")]
    assert SecretBox(NEW, NEW).hashes("x") == [SecretBox(NEW).pepper_hash("x")]


def test_a_fingerprint_names_the_key_and_does_not_hold_it() -> None:
    assert SecretBox(NEW).fingerprint() == SecretBox(NEW, OLD).fingerprint() != SecretBox(OLD).fingerprint()
    assert SecretBox(NEW, OLD).fingerprints() == [SecretBox(NEW).fingerprint(), SecretBox(OLD).fingerprint()]
    assert SecretBox(NEW).fingerprint() not in NEW


def test_a_key_of_thirty_two_characters_is_long_enough() -> None:
    assert SecretBox("k" * 32, "p" * 32).open(SecretBox("p" * 32).seal("token")) == "token"


@pytest.mark.parametrize("keys", [("",), ("short",), ("k" * 31,), (NEW, "short")])
def test_a_key_that_can_be_guessed_is_refused(keys: tuple[str, ...]) -> None:
    with pytest.raises(Misconfigured):
        SecretBox(*keys)


def test_the_first_command_makes_a_key_that_only_its_owner_can_read(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "deep" / "data")
    first = load_secret_key(settings)
    still_open = [os.path.realpath(entry) for entry in Path("/proc/self/fd").iterdir()]
    assert not any(name.startswith(str(tmp_path.resolve())) for name in still_open), "nothing is left open"
    path = settings.data_dir / "secret.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_secret_key(settings).fingerprint() == first.fingerprint()
    assert [entry.name for entry in settings.data_dir.iterdir()] == ["secret.key"]


def test_processes_that_start_together_agree_on_one_key(tmp_path: Path) -> None:
    together = threading.Barrier(16)

    def start(_number: int) -> str:
        together.wait()
        return load_secret_key(Settings(data_dir=tmp_path / "data")).fingerprint()

    with ThreadPoolExecutor(16) as pool:
        assert len(set(pool.map(start, range(16)))) == 1


def test_a_key_in_the_settings_needs_no_file(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data", secret_key=NEW, secret_key_previous=OLD)
    assert load_secret_key(settings).open(SecretBox(OLD).seal("token")) == "token"
    assert not settings.data_dir.exists()


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_key_file_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    settings = Settings(data_dir=tmp_path)
    load_secret_key(settings)
    (tmp_path / "secret.key").chmod(mode)
    with pytest.raises(Misconfigured, match="chmod 600"):
        load_secret_key(settings)


@pytest.mark.parametrize("content", [b"", b"short\n", b"\xff" * 64])
def test_a_damaged_key_file_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "secret.key"
    path.touch(mode=0o600)
    path.write_bytes(content)
    with pytest.raises(Misconfigured, match="damaged"):
        load_secret_key(Settings(data_dir=tmp_path))
    assert path.read_bytes() == content


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Misconfigured, match="cannot be read or made"):
        load_secret_key(Settings(data_dir=tmp_path / "file" / "data"))
