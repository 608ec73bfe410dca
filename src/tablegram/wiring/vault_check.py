"""Can customers' files be kept? A small one is put where they go, read back and deleted."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path

from tablegram.drivers import open_vault
from tablegram.engine.health.checkup import Finding
from tablegram.media.ports import MediaMissing, MediaStore, MediaStoreDown
from tablegram.settings import Settings

_ABOUT = "media store"
# Longer than a bucket that is far away needs; whoever asks the doctor waits for the answer.
WITHIN_S = 30.0

_CHECK_BUCKET = (
    "Check TABLEGRAM_MEDIA_URL and the TABLEGRAM_MEDIA_S3_ settings, and that the key may put, get and delete there."
)


def check_vault(settings: Settings) -> list[Finding]:
    """Where files are kept, or why they cannot be."""
    place = settings.media_url or str(settings.data_dir / "media")
    advice = _CHECK_BUCKET if settings.media_url else "Check the owner of the folder and the free space on the disk."
    try:
        trouble = asyncio.run(_try_out(settings))
    except TimeoutError:
        trouble = f"It does not answer within {WITHIN_S:.0f} s."
    if trouble:
        return [Finding(_ABOUT, "bad", f"files cannot be kept in {place}. {trouble} {advice}")]
    return [Finding(_ABOUT, "ok", f"a small file was put into {place}, read back and deleted")]


async def _try_out(settings: Settings) -> str:
    """What is wrong, or nothing."""
    content = secrets.token_bytes(32)
    # Account 0 is nobody's, and one folder for all trials leaves the others alone.
    name = f"doctor_{secrets.token_hex(8)}"
    draft = settings.data_dir / f".{name}"
    try:
        draft.write_bytes(content)
        async with asyncio.timeout(WITHIN_S):
            return await _round_trip(open_vault(settings), f"0/00/{name}", draft, content)
    except OSError as error:
        return f"A file cannot be written: {error.strerror}."
    except MediaStoreDown as error:
        return str(error)
    finally:
        # A folder has moved it away; a bucket has only read it.
        draft.unlink(missing_ok=True)


async def _round_trip(vault: MediaStore, key: str, draft: Path, content: bytes) -> str:
    await vault.put(key, draft)
    try:
        read = b"".join([chunk async for chunk in await vault.open(key)])
    except MediaMissing:
        read = b""
    await vault.delete(key)
    return "" if read == content else "What was put there does not come back."
