"""What a file is, told from its first bytes; what its server or its name claims counts only where bytes are silent."""

from __future__ import annotations

import mimetypes
from typing import Literal

MediaKind = Literal["image", "document", "video", "audio", "sticker"]

# As many bytes as the longest look below needs.
SNIFF_BYTES = 4_096

UNKNOWN = "application/octet-stream"

# What the network shows as a picture, film, sound or sticker; everything else travels as a document.
KINDS: dict[str, MediaKind] = {
    "image/jpeg": "image",
    "image/png": "image",
    "image/webp": "sticker",
    "video/mp4": "video",
    "video/3gpp": "video",
    "audio/mpeg": "audio",
    "audio/aac": "audio",
    "audio/amr": "audio",
    "audio/mp4": "audio",
    "audio/ogg": "audio",
}

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", "application/pdf"),
    (b"OggS", "audio/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"#!AMR", "audio/amr"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"\x1f\x8b", "application/gzip"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"{\\rtf", "application/rtf"),
    (b"MZ", "application/x-msdownload"),
    (b"\x7fELF", "application/x-executable"),
    (b"\xca\xfe\xba\xbe", "application/x-executable"),
    (b"#!", "application/x-shellscript"),
)
_FTYP: dict[bytes, str] = {
    b"M4A ": "audio/mp4",
    b"M4B ": "audio/mp4",
    b"qt  ": "video/quicktime",
    b"heic": "image/heic",
}
_OFFICE: tuple[tuple[bytes, str], ...] = (
    (b"word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    (b"xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    (b"ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
)
# Containers whose bytes do not tell which program wrote them: the claim or the name may.
_CONTAINERS = {"application/zip": "application/", "application/x-ole-storage": "application/"}
_HTML = (b"<!doctype html", b"<html", b"<head", b"<body", b"<script")

# Not passed on: pages are answers of a server rather than files, and programs are not messages.
REFUSED = frozenset(
    {
        "text/html",
        "application/xhtml+xml",
        "application/x-msdownload",
        "application/x-executable",
        "application/x-shellscript",
        "text/javascript",
        "application/javascript",
    }
)


def sniff(first_bytes: bytes, declared_mime: str, filename: str) -> tuple[MediaKind, str]:
    """The kind of message a file makes, and its type. What cannot be told is a document of unknown type."""
    mime = _from_bytes(first_bytes)
    if mime in _CONTAINERS:
        claim = _claimed(declared_mime, filename)
        mime = claim if claim.startswith(_CONTAINERS[mime]) and claim != UNKNOWN else mime
    elif mime is None:
        mime = _from_claim(first_bytes, _claimed(declared_mime, filename))
    return KINDS.get(mime, "document"), mime


def _from_bytes(first: bytes) -> str | None:
    for magic, mime in _MAGIC:
        if first.startswith(magic):
            return mime
    if first[:4] == b"RIFF" and first[8:12] == b"WEBP":
        return "image/webp"
    if first[:4] == b"RIFF" and first[8:12] == b"WAVE":
        return "audio/wav"
    if first[4:8] == b"ftyp":
        brand = first[8:12]
        return _FTYP.get(brand, "video/3gpp" if brand.startswith((b"3gp", b"3g2")) else "video/mp4")
    if len(first) > 1 and first[0] == 0xFF:
        # Raw sound frames: twelve bits of ones, then the layer, which is zero for AAC only.
        if first[1] & 0xF6 == 0xF0:
            return "audio/aac"
        if first[1] & 0xE0 == 0xE0:
            return "audio/mpeg"
    if first.startswith(b"PK\x03\x04"):
        return next((mime for mark, mime in _OFFICE if mark in first), "application/zip")
    if first.lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(_HTML):
        return "text/html"
    return None


def _claimed(declared_mime: str, filename: str) -> str:
    declared = declared_mime.partition(";")[0].strip().lower()
    if declared and declared not in (UNKNOWN, "binary/octet-stream"):
        return declared
    return mimetypes.guess_type(filename)[0] or UNKNOWN


def _from_claim(first: bytes, claim: str) -> str:
    """A claim that the bytes do not contradict. A picture, film or sound without its mark is none."""
    if claim.startswith(("image/", "video/", "audio/")) or claim == "application/pdf":
        return UNKNOWN if claim in KINDS or claim == "application/pdf" else claim
    if claim != UNKNOWN:
        return claim
    return "text/plain" if first and _is_text(first) else UNKNOWN


def _is_text(first: bytes) -> bool:
    if b"\0" in first:
        return False
    # The look may end in the middle of a character of up to four bytes.
    for cut in range(4):
        try:
            first[: len(first) - cut].decode()
        except UnicodeDecodeError:
            continue
        return True
    return False
