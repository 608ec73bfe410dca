"""The installation's secret key: it seals what must come back out, and peppers what must only be compared.

The key is a text of at least 32 characters. Each use has a key of its own, derived from it, so that one
never weakens the other. While the key is rotated the former one still opens and still recognises.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
import secrets
import stat
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tablegram.errors import Misconfigured
from tablegram.settings import Settings

KEY_FILE = "secret.key"
MIN_KEY_LENGTH = 32

_VERSION = "v1"
_NONCE_BYTES = 12


class _DerivedKeys:
    """Everything that is derived from one secret key."""

    __slots__ = ("cipher", "fingerprint", "pepper")

    def __init__(self, key: str) -> None:
        self.cipher = AESGCM(_derive(key, "seal"))
        self.pepper = _derive(key, "pepper")
        self.fingerprint = _derive(key, "fingerprint")[:8].hex()

    def hash(self, text: str) -> str:
        return hmac.new(self.pepper, text.encode(), hashlib.sha256).hexdigest()


class SecretBox:
    """Seals and opens short texts, and hashes with a pepper.

    What was sealed names the key that sealed it, so that a wrong key is told apart from damage.
    """

    def __init__(self, key: str, previous: str = "") -> None:
        for candidate in (key, previous):
            if candidate and len(candidate) < MIN_KEY_LENGTH:
                raise Misconfigured(f"A secret key needs at least {MIN_KEY_LENGTH} characters.")
        if not key:
            raise Misconfigured("The secret key is empty.")
        self._current = _DerivedKeys(key)
        self._all = [self._current]
        if previous and previous != key:
            self._all.append(_DerivedKeys(previous))

    def seal(self, text: str) -> str:
        nonce = os.urandom(_NONCE_BYTES)
        head = f"{_VERSION}.{self._current.fingerprint}"
        sealed = self._current.cipher.encrypt(nonce, text.encode(), head.encode())
        return f"{head}.{base64.urlsafe_b64encode(nonce + sealed).decode()}"

    def open(self, text: str) -> str:
        """The text that was sealed, by the present key or by the previous one."""
        head, _, body = text.rpartition(".")
        keys = next((keys for keys in self._all if head == f"{_VERSION}.{keys.fingerprint}"), None)
        if keys is None:
            raise Misconfigured(
                "A stored secret was sealed with another secret key. Set TABLEGRAM_SECRET_KEY to the key it was "
                "sealed with, or give that key as TABLEGRAM_SECRET_KEY_PREVIOUS."
            )
        try:
            raw = base64.b64decode(body, altchars=b"-_", validate=True)
            return keys.cipher.decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], head.encode()).decode()
        except (InvalidTag, binascii.Error, ValueError):
            raise Misconfigured("A stored secret is damaged and cannot be opened. Enter it again.") from None

    def is_current(self, text: str) -> bool:
        """Whether the present key sealed this; if not, seal it again before the previous key is taken away."""
        return text.startswith(f"{_VERSION}.{self._current.fingerprint}.")

    def pepper_hash(self, text: str) -> str:
        """What is stored instead of a text that only has to be recognised again."""
        return self._current.hash(text)

    def hashes(self, text: str) -> list[str]:
        """Every hash under which the text may be stored: the present key's first, then the previous one's."""
        return [keys.hash(text) for keys in self._all]

    def fingerprint(self) -> str:
        """Names the key without telling anything about it."""
        return self._current.fingerprint

    def fingerprints(self) -> list[str]:
        """The present key's name first, then the previous one's."""
        return [keys.fingerprint for keys in self._all]


def load_secret_key(settings: Settings) -> SecretBox:
    """The key from the settings, else from DATA_DIR, where the first command makes it."""
    key = settings.secret_key or _read_or_make(settings.data_dir / KEY_FILE)
    return SecretBox(key, settings.secret_key_previous)


def _read_or_make(path: Path) -> str:
    try:
        if not path.exists():
            _make(path)
        return _read(path)
    except OSError as error:
        raise Misconfigured(
            f"The secret key {path} cannot be read or made: {error.strerror or error}. "
            "Give this user access to the folder, or set TABLEGRAM_SECRET_KEY."
        ) from error


def _read(path: Path) -> str:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise Misconfigured(
            f"The secret key {path} can be read by other users (mode {mode:04o}). Run: chmod 600 {path}"
        )
    try:
        key = path.read_text("ascii").strip()
    except UnicodeDecodeError:
        key = ""
    if len(key) < MIN_KEY_LENGTH:
        raise Misconfigured(
            f"The secret key {path} is damaged: it must hold at least {MIN_KEY_LENGTH} characters of plain text. "
            "Put the right file back from a backup; without it no stored key or secret can be used."
        )
    return key


def _make(path: Path) -> None:
    """Write a new key aside, whole and on disk, then give it its name unless another process was first."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(48) + "\n")
            file.flush()
            os.fsync(file.fileno())
        # A link, unlike a rename, fails when the name is taken: two processes at once end up with one key.
        os.link(draft, path)
        _sync_folder(path.parent)
    except FileExistsError:
        pass
    finally:
        draft.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _derive(key: str, purpose: str) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=f"tablegram {purpose}".encode()).derive(key.encode())
