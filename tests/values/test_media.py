"""A file is what its bytes say, whatever its server or its name claims."""

from __future__ import annotations

import pytest

from tablegram.values.files.media import UNKNOWN, sniff

OFFICE = b"PK\x03\x04" + b"\0" * 26 + b"[Content_Types].xml" + b"\0" * 50


@pytest.mark.parametrize(
    ("first", "declared", "filename", "expected"),
    [
        (b"\xff\xd8\xff\xe0JFIF", "", "", ("image", "image/jpeg")),
        (b"\x89PNG\r\n\x1a\n", "text/html", "a.html", ("image", "image/png")),
        (b"RIFF\0\0\0\0WEBPVP8 ", "", "", ("sticker", "image/webp")),
        (b"GIF89a", "image/gif", "a.gif", ("document", "image/gif")),
        (b"%PDF-1.7", "application/octet-stream", "", ("document", "application/pdf")),
        (b"\0\0\0\x18ftypisom", "", "", ("video", "video/mp4")),
        (b"\0\0\0\x18ftyp3gp5", "", "", ("video", "video/3gpp")),
        (b"\0\0\0\x18ftypM4A ", "", "", ("audio", "audio/mp4")),
        (b"\0\0\0\x18ftypqt  ", "video/quicktime", "", ("document", "video/quicktime")),
        (b"OggS\0", "audio/ogg; codecs=opus", "", ("audio", "audio/ogg")),
        (b"ID3\x04", "", "", ("audio", "audio/mpeg")),
        (b"\xff\xfb\x90", "", "", ("audio", "audio/mpeg")),
        (b"\xff\xf1\x50", "", "", ("audio", "audio/aac")),
        (b"#!AMR\n", "", "", ("audio", "audio/amr")),
        (
            OFFICE + b"word/document.xml",
            "",
            "",
            ("document", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ),
        (OFFICE, "", "a.xlsx", ("document", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")),
        (OFFICE, "image/png", "", ("document", "application/zip")),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/msword", "", ("document", "application/msword")),
        (b"a,b\n1,2\n", "", "a.csv", ("document", "text/csv")),
        ("Çay".encode(), "", "", ("document", "text/plain")),
        ("Çay".encode()[:1], "", "", ("document", "text/plain")),
        (b"\0\1\2", "", "", ("document", UNKNOWN)),
        (b"garbage", "image/png", "a.png", ("document", UNKNOWN)),
        (b"garbage", "application/pdf", "a.pdf", ("document", UNKNOWN)),
        (b"  \n<!DOCTYPE html><p>", "application/pdf", "a.pdf", ("document", "text/html")),
        (b"MZ\x90", "image/png", "a.png", ("document", "application/x-msdownload")),
        (b"", "", "", ("document", UNKNOWN)),
    ],
)
def test_bytes_decide_and_claims_only_fill_in(
    first: bytes, declared: str, filename: str, expected: tuple[str, str]
) -> None:
    assert sniff(first, declared, filename) == expected
