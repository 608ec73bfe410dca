"""Names of files that strangers chose: made harmless for disks, headers and screens."""

from __future__ import annotations

import re
from urllib.parse import quote

# More than any phone shows; beyond 255 bytes file systems refuse a name.
MAX_CHARS = 120

# Control characters, separators of paths, signs that Windows refuses, and marks that turn the reading direction:
# with those `exe.gpj` looks like a picture.
_UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f/\\:*?"<>|\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]')
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)


def clean_filename(name: str) -> str:
    """A plain name without any folder; empty when nothing of it can be used. The ending survives a cut."""
    plain = _UNSAFE.sub("", re.split(r"[/\\]", name)[-1])
    plain = re.sub(r"\s+", " ", plain).strip(". ")
    if _RESERVED.fullmatch(plain):
        plain = f"_{plain}"
    if len(plain) <= MAX_CHARS:
        return plain
    stem, dot, ending = plain.rpartition(".")
    if not dot or len(ending) > 16:
        return plain[:MAX_CHARS].rstrip(". ")
    return stem[: MAX_CHARS - len(ending) - 1].rstrip(". ") + dot + ending


def attachment(name: str) -> str:
    """The value of Content-Disposition that makes a browser save a file under this name (RFC 6266).

    Old programs read the plain form, in which whatever is not simple ASCII became an underscore.
    """
    name = clean_filename(name) or "file"
    plain = re.sub(r"[^A-Za-z0-9 ._()+,=@~^{}\[\]-]", "_", name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
