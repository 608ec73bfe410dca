"""A job as bytes, made when they are asked for and for the printer that asks."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import msgspec

from tablegram.errors import Problem
from tablegram.printing.jobs import Job, Jobs
from tablegram.printing.paper.document import Document, Picture
from tablegram.printing.paper.layouts.laying_out import lay_out
from tablegram.printing.paper.layouts.layout import Layout
from tablegram.printing.paper.makers.html import html_paper
from tablegram.printing.paper.press import Press
from tablegram.printing.printers.model import Printer
from tablegram.printing.printers.profile import Profile
from tablegram.printing.tickets.content import TicketContent

log = logging.getLogger("tablegram.printing")

# How a ticket of a venue is to look: its layout, and the venue's logo.
Look = Callable[[int, str, TicketContent], Awaitable[tuple[Layout, Picture | None]]]
# Makes the bytes of a job, for this printer and in the form that it asked for.
MakeBytes = Callable[[Printer, Job, Profile, str], Awaitable[bytes]]


class Sheets:
    def __init__(self, press: Press, look: Look) -> None:
        self._press = press
        self._look = look

    async def bytes_of(self, printer: Printer, job: Job, profile: Profile, media: str) -> bytes:
        document = await self._document(job, profile)
        return await self._press.render(printer.account_id, document, profile, media)

    async def paper_of(self, printer: Printer, job: Job) -> str:
        """A piece of a page that looks like the paper; it needs the style `paper.css`."""
        return html_paper(await self._document(job, printer.profile), printer.profile)

    async def _document(self, job: Job, profile: Profile) -> Document:
        content = job.content
        if profile.language and content.kind != "receipt":
            content = msgspec.structs.replace(content, language=profile.language)
        layout, logo = await self._look(job.account_id, job.venue_id, content)
        return lay_out(content, layout, job.marks, logo)


async def draw(make: MakeBytes, jobs: Jobs, printer: Printer, job: Job, profile: Profile, media: str) -> bytes | None:
    """The bytes of a job; nothing for one that cannot be drawn, which is told so that it does not hold up the others."""
    try:
        return await make(printer, job, profile, media)
    except Exception as error:
        log.error("job %s cannot be drawn for printer %s", job.id, printer.id, exc_info=error)
        # What the workshop has no room for now comes again; what is wrong with the ticket stays wrong.
        retry = isinstance(error, Problem) and error.retryable
        await jobs.failed(printer, job.id, job.fence, "cannot_be_drawn", retry=retry)
        return None
