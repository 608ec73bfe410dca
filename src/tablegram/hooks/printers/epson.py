"""`/print/epson/{key}`: an Epson printer posts forms; it asks for a job, tells its result, or tells how it is.

It hears 200 whatever it says: anything else would make it say the same again.
"""

from __future__ import annotations

from tablegram.errors import MethodNotAllowed
from tablegram.hooks.printers.door import Door, Proofless, Works, log
from tablegram.printing.jobs import read_token
from tablegram.printing.paper.media import EPOS
from tablegram.printing.printers.model import Printer
from tablegram.printing.printers.profile import EpsonVersion
from tablegram.printing.transports import epson, proofs
from tablegram.settings import Settings
from tablegram.web.asgi import Receive, Scope, header
from tablegram.web.plain.hook import Reply

XML = "text/xml; charset=utf-8"
NOTHING = Reply(200, XML)


class EpsonDoor(Door):
    prefix = "/print/epson/"
    kinds = ("epson",)

    def __init__(self, works: Works, settings: Settings) -> None:
        super().__init__(works, settings)
        # Every process of an installation knows the others' challenges.
        self._digest = proofs.Digest(works.box.pepper_hash("printers' challenges").encode())
        # Printers that did not read the version which their profile names.
        self._versions: dict[str, EpsonVersion] = {}

    def prove(self, printer: Printer, scope: Scope) -> None:
        user = printer.profile.user
        if not user:
            return
        said = header(scope, b"authorization")
        right, stale = self._digest.check(said, scope["method"], scope["path"], user, self.password(printer))
        if not right:
            raise Proofless(self._digest.challenges(stale=stale))

    async def hear(self, printer: Printer, scope: Scope, receive: Receive) -> Reply:
        if scope["method"] != "POST":
            raise MethodNotAllowed("Use POST.", headers={"Allow": "POST"})
        request = epson.read_form(await self.body(scope, receive, epson.MAX_FORM_BYTES))
        try:
            if request.kind == "GetRequest":
                return await self._offer(printer, request)
            if request.kind == "SetResponse":
                await self._hear_result(printer, request)
            elif request.kind == "SetStatus":
                await self.works.watch.seen(printer, epson.status_of(epson.read_status(request.document), request.name))
        except epson.Unreadable as error:
            log.warning("printer %s said what cannot be read: %s", printer.id, error)
        return NOTHING

    async def _offer(self, printer: Printer, request: epson.Request) -> Reply:
        await self.works.watch.seen(printer)
        if not self.works.jobs.has_work(printer):
            return NOTHING
        job = await self.works.jobs.next(printer, request.name)
        if job is None:
            return NOTHING
        content = await self.draw(printer, job, printer.profile, EPOS)
        if content is None:
            return NOTHING
        if len(content) > epson.MAX_JOB_BYTES:
            await self.works.jobs.failed(printer, job.id, job.fence, "too_large", retry=False)
            return NOTHING
        return Reply(200, XML, epson.offer(job.token, self._version(printer), content))

    async def _hear_result(self, printer: Printer, request: epson.Request) -> None:
        result = epson.read_result(request.document)
        if result.code != "SchemaError":
            await self.works.watch.seen(
                printer, epson.status_of(result.status, request.name, "" if result.success else result.code)
            )
        # Version 1.00 names no job, and a document that was not read has none.
        claim = read_token(result.job_id)
        if claim is None:
            job = await self.works.jobs.again(printer)
            if job is None:
                return
            claim = job.id, job.fence
        verdict = epson.verdict(result)
        if verdict.printed:
            await self.works.jobs.printed(printer, *claim)
            return
        retry = verdict.retry
        if verdict.other_form:
            before = epson.older(self._version(printer))
            retry = before is not None
            if before is not None:
                self._versions[printer.id] = before
                await self.works.watch.learn(printer, before)
        log.info("printer %s did not print job %s: %s", printer.id, claim[0], verdict.code)
        await self.works.jobs.failed(printer, *claim, verdict.code, retry=retry, doubt=verdict.doubt)

    def _version(self, printer: Printer) -> EpsonVersion:
        """The profile's, or an older one that the printer turned out to read; a new profile begins anew."""
        learned = self._versions.get(printer.id) or epson.remember(printer.learned)
        return min(learned, printer.profile.epson_version) if learned else printer.profile.epson_version
