"""Does the language model's server answer, and does it take the key? Its list of models is asked for, which costs nothing."""

from __future__ import annotations

import asyncio

from tablegram.drivers import open_reader
from tablegram.engine.health.checkup import Finding
from tablegram.settings import Settings

_ABOUT = "language model"
_CHECK = "Guests are answered by the rules alone meanwhile. Check the TABLEGRAM_READER_ settings."


def check_reader(settings: Settings) -> list[Finding]:
    """Nothing where the installation has none."""
    if not settings.reader_url:
        return []
    trouble = asyncio.run(_try_out(settings))
    if trouble:
        return [Finding(_ABOUT, "warn", f"{trouble} {_CHECK}")]
    return [Finding(_ABOUT, "ok", f"its server answers, and takes the key; {settings.reader_model} is asked")]


async def _try_out(settings: Settings) -> str:
    """What is wrong, or nothing."""
    reader = open_reader(settings)
    assert reader is not None
    try:
        status, names = await reader.list_models()
    finally:
        reader.close()
    if status is None:
        return "Its server does not answer within 4 s."
    if status in (401, 403):
        return f"Its server refuses the key (HTTP {status})."
    if status == 200 and names and settings.reader_model not in names:
        return f"Its server has no model named {settings.reader_model}."
    # Some servers have no list of models and answer all the same.
    return "" if status < 500 and status not in range(300, 400) else f"Its server answers with HTTP {status}."
