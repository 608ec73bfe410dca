"""tablegram instance pair: a linked line's code in the terminal, new whenever it changes."""

from __future__ import annotations

import asyncio
import time

import click

from tablegram.cli.lan import code as drawn
from tablegram.cli.output import Command, tell, wants_json
from tablegram.cli.session import Session, in_session
from tablegram.errors import Conflict, NotFound
from tablegram.messaging.instances import Instances
from tablegram.messaging.links import LinkRow, Links, Shown
from tablegram.values.clock import iso
from tablegram.values.phone import parse_phone

LOOK_S = 0.25


@click.command("pair", cls=Command)
@click.argument("line_id", type=click.IntRange(1))
@click.option("--phone", default="", help="Show a code to type on the phone with this number, instead of one to scan.")
@click.option(
    "--wait", "wait_s", type=click.FloatRange(1, 3_600), default=300.0, help="Give up after this many seconds."
)
def pair(line_id: int, phone: str, wait_s: float) -> None:
    """Show the code that links a phone, and wait until one is linked. The server has to run."""
    digits = parse_phone(phone.replace(" ", "").removeprefix("+")) if phone else ""

    async def work(session: Session) -> Shown | None:
        every = await Instances(session.db, session.box, session.clock, session.settings.base_url).every()
        line = next((one for one in every if one.id == line_id), None)
        if line is None:
            raise NotFound(f"There is no line {line_id}. tablegram instance list shows all.", code="instance_unknown")
        if line.kind != "linked":
            detail = f"This is a {line.kind} line: only a linked device is paired."
            raise Conflict(detail, code="kind_unavailable")
        link = Links(session.db, session.box, session.clock).of(line.account_id, line.id)
        if (await link.read()).is_paired:
            raise Conflict("This line is paired with a phone. Log it out first to pair another.", code="already_paired")
        await link.seek(digits)
        await session.note("line.pairing", "line", line.id, {"name": line.name}, line.account_id)
        return await _wait(link, bool(digits), wait_s)

    shown = in_session(work)
    if shown is None:
        tell({"linked": True}, "A phone is linked.")
    else:
        tell({"code": shown.code, "expires_at": iso(shown.until_ms)})


async def _wait(link: LinkRow, typed: bool, wait_s: float) -> Shown | None:
    """Show each code until a phone is linked. Programs get the first code."""
    until, last = time.monotonic() + wait_s, ""
    while time.monotonic() < until:
        known = await link.read()
        if known.is_paired:
            return None
        shown = known.typed if typed else known.code
        if shown is not None and shown.code != last:
            last = shown.code
            if wants_json():
                return shown
            _show(shown, typed)
        await asyncio.sleep(LOOK_S)
    if last:
        raise Conflict("No phone was linked in time. Run the command again for another code.", code="pairing_late")
    raise Conflict(
        "No code came. Is the server running? tablegram instance list says how the line is.", code="pairing_soon"
    )


def _show(shown: Shown, typed: bool) -> None:
    if typed:
        lines = [
            "On the phone: Linked devices, Link a device, Link with phone number instead. Type:",
            f"  {shown.code}",
        ]
    else:
        lines = ["On the phone: Linked devices, Link a device. Scan:", *drawn(shown.code)]
    for line in (*lines, f"Good until {iso(shown.until_ms)}."):
        click.echo(line)
