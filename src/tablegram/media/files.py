"""One file of a customer: how it is known before it is fetched, when it is tried again, and what it turns out to be.

wanted → kept      it is in the media store
       → failed    it is not to be had; `error_code` says why
kept   → gone      its time is over
"""

from __future__ import annotations

import base64
import binascii
import mimetypes
import re
from collections.abc import Collection
from typing import NotRequired, TypedDict

from tablegram.media import store
from tablegram.media.rows import Facts, MediaRow, Named, Tried
from tablegram.media.shown import error_of
from tablegram.storage.database import Statement
from tablegram.values.clock import CLOCKS_MS, DAY_MS, HOUR_MS
from tablegram.values.files.filenames import clean_filename
from tablegram.values.files.media import sniff
from tablegram.values.ids import new_id

MEDIA_PREFIX = "med_"
# The lines of files that came over none: uploaded by people and live keys, and by test keys.
UPLOADED, UPLOADED_BY_TEST_KEY = 0, -1
# In place of a message: something that stays sends it again and again, and it is not forgotten meanwhile.
LASTING = "lasting"
# How long an uploaded file can be sent, and when it is deleted: never while somebody is about to send it.
SENDABLE_MS = DAY_MS
UNSENT_MS = DAY_MS + HOUR_MS
# Seconds after the 1st, 2nd … failure. A file that fails once more after the last is given up.
RETRY_S = (2, 10, 60, 300, 1_800)
# A network that cannot be reached says nothing about the file, which it keeps for a week at least.
PATIENCE_MS = 7 * DAY_MS
AWAY_WAIT_MS = 300_000
# No next try lies further ahead, however much the clocks of two processes differ.
LATEST_TRY_MS = RETRY_S[-1] * 1_000 + CLOCKS_MS

# The bytes of one container, under the names that programs give it.
_MP4_FAMILY = frozenset(
    {"video/mp4", "audio/mp4", "audio/aac", "video/3gpp", "audio/3gpp", "audio/x-m4a", "video/quicktime"}
)
_SAME = {"image/jpg": "image/jpeg", "audio/mp3": "audio/mpeg", "application/x-pdf": "application/pdf"}


def new_media_id() -> str:
    return MEDIA_PREFIX + new_id()


def is_reached(row: MediaRow, lines: Collection[int] | None) -> bool:
    """Whether who reaches these lines reaches the file; nothing means all lines. Who reaches few is a test key."""
    return lines is None or row["instance_id"] == UPLOADED_BY_TEST_KEY or row["instance_id"] in lines


def want(
    *, account_id: int, media_id: str, instance_id: int, message_key: str, event_id: str, kind: str,
    network_media_id: str, mime_type: str, filename: str, sha256: str, now_ms: int,
) -> Statement:  # fmt: skip
    """The statement that asks for a file, for the transaction that keeps its message."""
    row = {
        "account_id": account_id,
        "id": media_id,
        "message_key": message_key,
        "instance_id": instance_id,
        "event_id": event_id,
        "kind": kind,
        "network_media_id": network_media_id,
        "state": "wanted",
        "mime_type": clean_type(mime_type),
        "filename": clean_filename(filename),
        "sha256": read_digest(sha256),
        "due_at": now_ms,
        "created_at": now_ms,
    }
    return store.INSERT, row


def read_digest(claim: str) -> str:
    """A SHA-256 in hex, whichever of its two usual forms it came in; empty when it is none."""
    text = claim.strip()
    if re.fullmatch(r"[0-9A-Fa-f]{64}", text):
        return text.lower()
    try:
        raw = base64.b64decode(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return ""
    return raw.hex() if len(raw) == 32 else ""


def clean_type(claim: str) -> str:
    """A type as a header may carry it, with its parameters; empty when it is none."""
    text = " ".join(claim.split())
    return (
        text if re.fullmatch(r"[A-Za-z0-9.+-]{1,60}/[A-Za-z0-9.+-]{1,100}(; ?[A-Za-z0-9.=+,\"_-]{1,80})*", text) else ""
    )


def judge_type(first_bytes: bytes, claim: str, filename: str) -> tuple[str, str | None]:
    """What the file is, told from its bytes; and the claim, when the bytes contradict it."""
    _, seen = sniff(first_bytes, claim, filename)
    base = claim.partition(";")[0].strip().lower()
    base = _SAME.get(base, base)
    if not base or base == "application/octet-stream":
        return seen, None
    if seen == base or (seen in _MP4_FAMILY and base in _MP4_FAMILY):
        return claim, None
    return seen, claim


def next_try_ms(row: Tried, now_ms: int, *, network_away: bool) -> int | None:
    """When to try again after another failure; nothing when it is time to give up.

    `network_away`: nobody was there to ask, which counts against no file. Then the wait grows with the time that it
    has lasted.
    """
    if network_away:
        age_ms = max(0, now_ms - row["created_at"])
        wait_ms = min(max(RETRY_S[0] * 1_000, age_ms // 4), AWAY_WAIT_MS)
        return None if age_ms > PATIENCE_MS else now_ms + wait_ms
    return now_ms + RETRY_S[row["attempts"]] * 1_000 if row["attempts"] < len(RETRY_S) else None


def download_name(row: Named) -> str:
    """The name to save a file under: the customer's, or one made of what is known."""
    if row["filename"]:
        return row["filename"]
    ending = mimetypes.guess_extension(row["mime_type"].partition(";")[0]) or ""
    return f"{row['kind']}-{row['id'].removeprefix(MEDIA_PREFIX)[:10]}{ending}"


class Trouble(TypedDict):
    code: str
    detail: str


class FileTold(TypedDict):
    """What an event says of a file beside what it said at first, once the file is here or given up."""

    mime_type: str
    size: int | None
    sha256: str
    claimed_type: NotRequired[str]
    error: NotRequired[Trouble]


def told(row: Facts) -> FileTold:
    known: FileTold = {"mime_type": row["mime_type"], "size": row["size"], "sha256": row["sha256"]}
    if row["claimed_type"]:
        known["claimed_type"] = row["claimed_type"]
    if error := error_of(row):
        known["error"] = {"code": error.code, "detail": error.detail}
    return known
