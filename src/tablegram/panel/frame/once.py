"""Forms that must act once: a double click, or a page sent again by the browser, does not do a thing twice."""

from __future__ import annotations

import asyncio
import hashlib

from litestar.datastructures import UploadFile

from tablegram.engine.idempotency import Call
from tablegram.panel.frame.forms import Form
from tablegram.values.ids import random_base62

FIELD = "once"


def new_mark() -> str:
    """Stands in a hidden field of the form; one for each time the form is shown."""
    return random_base62(20)


def once(form: Form, route: str, *typed: str) -> Call:
    """The call behind a form. The same form with the same words is the same call; other words are another."""
    mark = form.text(FIELD)
    if not (mark.isascii() and mark.isalnum() and len(mark) == 20):
        return Call(route)
    digest = hashlib.sha256("\0".join(typed).encode()).hexdigest()
    return Call(route, idempotency_key=f"{mark}.{digest[:24]}", fingerprint=digest)


async def contents_of(file: UploadFile) -> str:
    """Tells a file from another of the same name: a phone may call every picture alike."""

    def read() -> str:
        file.file.seek(0)
        found = hashlib.file_digest(file.file, "sha256").hexdigest()
        file.file.seek(0)
        return found

    return await asyncio.to_thread(read)
