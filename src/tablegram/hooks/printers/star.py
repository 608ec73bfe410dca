"""`/print/cloudprnt/{key}`: a Star printer polls by POST, gets by GET, and confirms by DELETE or GET.

A job is claimed by the poll that offers it, and stays in the printer's hands until it is confirmed or its lease runs out. A
GET has no effect: the same bytes come as often as they are asked for.
"""

from __future__ import annotations

import msgspec

from tablegram.errors import MethodNotAllowed, NotFound, WrongContentType
from tablegram.hooks.printers.door import Door, Proofless, Works, log
from tablegram.printing.jobs import read_token
from tablegram.printing.printers.model import Printer
from tablegram.printing.transports import cloudprnt, proofs
from tablegram.settings import Settings
from tablegram.web.asgi import Receive, Scope, Send, answer, header
from tablegram.web.plain.hook import Reply

# New firmware asks here, beside the printer's own address, how to speak to us; 404 means plain HTTP.
DISCOVERY = "cloudprnt-setting.json"
JSON = "application/json"
# A printer that gives every form back is not asked for ever.
MAX_FORMS = 6


class StarDoor(Door):
    prefix = "/print/cloudprnt/"
    kinds = ("cloudprnt",)

    def __init__(self, works: Works, settings: Settings) -> None:
        super().__init__(works, settings)
        # What printers told of themselves, and which form each took last.
        self._known: dict[str, cloudprnt.KnownPrinter] = {}
        self._taken: dict[str, str] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"].endswith("/" + DISCOVERY):
            await answer(send, 404, [(b"content-type", b"text/plain"), (b"cache-control", b"no-store")])
            return
        await super().__call__(scope, receive, send)

    def prove(self, printer: Printer, scope: Scope) -> None:
        user = printer.profile.user
        if user and not proofs.is_basic(header(scope, b"authorization"), user, self.password(printer)):
            raise Proofless([proofs.basic_challenge()])

    async def hear(self, printer: Printer, scope: Scope, receive: Receive) -> Reply:
        method = scope["method"]
        if method == "POST":
            return await self._poll(printer, await self.body(scope, receive, cloudprnt.MAX_POLL_BYTES))
        if method not in ("GET", "DELETE"):
            raise MethodNotAllowed("Use POST, GET or DELETE.", headers={"Allow": "POST, GET, DELETE"})
        query = cloudprnt.read_query(scope["query_string"])
        if method == "DELETE" or query.is_confirmation:
            return await self._confirm(printer, query)
        return await self._give(printer, query)

    async def _poll(self, printer: Printer, body: bytes) -> Reply:
        poll = cloudprnt.read_poll(body)
        known = self._known_of(printer, poll.mac)
        if poll.answers:
            known = await self._learn(printer, known, cloudprnt.learn(known, poll.answers))
        status = cloudprnt.status_of(poll.code, poll.mac)
        await self.works.watch.seen(printer, status)
        now = self.works.watch.now_ms()
        if known.is_due(now):
            # Once a day, whether it answers or not: old firmware knows no questions.
            await self._learn(printer, known, msgspec.structs.replace(known, asked_at=now))
            return Reply(200, JSON, cloudprnt.ask())
        if poll.printing or not status.can_print or not self.works.jobs.has_work(printer):
            return Reply(200, JSON, cloudprnt.nothing())
        job = await self.works.jobs.next(printer, poll.mac)
        if job is None:
            return Reply(200, JSON, cloudprnt.nothing())
        media = cloudprnt.media_for(printer.profile, known)
        return Reply(200, JSON, cloudprnt.offer(job.token, media))

    def _known_of(self, printer: Printer, mac: str) -> cloudprnt.KnownPrinter:
        """What is known of the printer; of another one in its place nothing. Who does not name itself is who polled last."""
        known = self._known.get(printer.id)
        if known is None or (mac and mac != known.mac):
            known = self._known[printer.id] = cloudprnt.remember(printer.learned, mac)
        return known

    async def _learn(
        self, printer: Printer, before: cloudprnt.KnownPrinter, known: cloudprnt.KnownPrinter
    ) -> cloudprnt.KnownPrinter:
        self._known[printer.id] = known
        if known != before:
            await self.works.watch.learn(printer, cloudprnt.keep(known), known.poll_s)
        return known

    async def _give(self, printer: Printer, query: cloudprnt.PollQuery) -> Reply:
        if query.media not in cloudprnt.AS_TEXT:
            raise WrongContentType(f"Tickets are offered as {', '.join(cloudprnt.AS_TEXT)}.")
        job = await self.works.jobs.again(printer, query.token)
        if job is None:
            raise NotFound("No ticket waits for this printer.")
        profile = cloudprnt.fitted(printer.profile, self._known_of(printer, query.mac))
        content = await self.draw(printer, job, profile, query.media)
        if content is None:
            raise NotFound("No ticket waits for this printer.")
        self._taken[printer.id] = query.media
        media = query.media + ("; charset=utf-8" if query.media == cloudprnt.TEXT else "")
        return Reply(200, media, content)

    async def _confirm(self, printer: Printer, query: cloudprnt.PollQuery) -> Reply:
        """Told again, or about what is over: nothing changes, and the printer hears the same."""
        jobs = self.works.jobs
        claim = read_token(query.token)
        attempt = 0
        if claim is None or not query.token:
            # Old firmware knows no tokens; what it confirms is what it has in its hands.
            job = await jobs.again(printer)
            if job is None:
                return Reply()
            claim, attempt = (job.id, job.fence), job.attempt
        code = cloudprnt.read_code(query.code)
        verdict = cloudprnt.verdict(code)
        if verdict.printed:
            await jobs.printed(printer, *claim)
            return Reply()
        await self.works.watch.seen(printer, cloudprnt.status_of(code, query.mac))
        retry = verdict.retry
        if verdict.other_form:
            known, taken = self._known_of(printer, query.mac), self._taken.get(printer.id, "")
            refused = tuple(dict.fromkeys((*known.refused, taken)))
            await self._learn(printer, known, msgspec.structs.replace(known, refused=refused))
            retry = cloudprnt.TEXT not in refused and attempt < MAX_FORMS
        log.info("printer %s did not print job %s: %s", printer.id, claim[0], verdict.code)
        await jobs.failed(printer, *claim, verdict.code, retry=retry, doubt=verdict.doubt)
        return Reply()
