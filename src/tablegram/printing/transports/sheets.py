"""A job as bytes, made when they are asked for and for the printer that asks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from tablegram.printing.jobs import Job
from tablegram.printing.paper.layouts.laying_out import lay_out
from tablegram.printing.paper.press import Press
from tablegram.printing.printers.model import Printer
from tablegram.printing.printers.profile import Profile

# Makes the bytes of a job, for this printer and in the form that it asked for.
MakeBytes = Callable[[Printer, Job, Profile, str], Awaitable[bytes]]


class Sheets:
    def __init__(self, press: Press) -> None:
        self._press = press

    async def bytes_of(self, printer: Printer, job: Job, profile: Profile, media: str) -> bytes:
        content = job.content
        if profile.language and content.kind != "receipt":
            content = msgspec.structs.replace(content, language=profile.language)
        document = lay_out(content, marks=job.marks)
        return await self._press.render(printer.account_id, document, profile, media)
