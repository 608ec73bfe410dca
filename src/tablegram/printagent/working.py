"""One printer's loop: look at the printer, ask for a ticket, print it, tell what became of it.

Nothing is printed twice in silence. A ticket that was begun and whose end is not known (the power went, the printer did not
answer) is told to the server as being in doubt, and comes again with a mark on the paper that says so.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable

from tablegram.printagent.devices.opening import Printer, WrongDevice, open_device
from tablegram.printagent.devices.state import UNKNOWN, Broken, State, Unreachable
from tablegram.printagent.journal import Entry, Journal
from tablegram.printagent.link import Link, LinkLost, Refused, Ticket

# After a link was lost or a printer cannot print: again soon, and then more and more rarely.
FIRST_PAUSE_S, LAST_PAUSE_S = 0.5, 30.0
# A printer without paper is looked at this often, so that it goes on as soon as somebody has seen to it.
LOOK_S = 5.0
# Names the place where a test kills the program, as a power cut would.
CRASH_VARIABLE = "TABLEGRAM_AGENT_CRASH_AT"

Say = Callable[[str], None]


class Worker:
    """Works for one printer until it is told to stop."""

    def __init__(self, name: str, link: Link, journal: Journal, device: str, say: Say) -> None:
        self._name = name
        self._link = link
        self._journal = journal
        self._own_device = device
        self._say = say
        self._told_device = ""
        self._state = UNKNOWN
        self._said = ""
        self.stop = threading.Event()

    def run(self) -> None:
        """For ever; what fails is tried again, ever more slowly."""
        self._recover()
        pause_s = FIRST_PAUSE_S
        while not self.stop.is_set():
            try:
                if self.step():
                    pause_s = FIRST_PAUSE_S
                    continue
                self.stop.wait(LOOK_S)
            except LinkLost as error:
                self._note(f"{error}; trying again")
                self.stop.wait(pause_s)
                pause_s = min(LAST_PAUSE_S, 2 * pause_s)
            except Refused as error:
                self._note(f"the server refuses: {error}")
                self.stop.wait(LAST_PAUSE_S)
        self._link.close()

    def _recover(self) -> None:
        """What was only begun when the power went may be on paper."""
        for entry in list(self._journal.entries.values()):
            if not entry.outcome:
                self._journal.end(entry._replace(outcome="failed", code="agent_died", doubt=True))

    def step(self) -> bool:
        """Once round. False: the printer cannot print now."""
        self._tell_all()
        printer = self._printer(self._own_device or self._told_device)
        self._state = UNKNOWN if printer is None else printer.state()
        if self._state.error:
            self._note(f"the printer cannot print: {self._state.error}")
            self._link.report(self._state)
            return False
        ticket = self._link.next(self._state)
        self._note("")
        if ticket is not None:
            self._print(ticket)
        return True

    def _tell_all(self) -> None:
        """In the order of printing, and before anything new is asked for."""
        for entry in list(self._journal.entries.values()):
            try:
                self._link.tell(entry, self._state)
            except Refused as error:
                # It has become another's meanwhile, or is gone: there is nobody left to tell.
                self._say(f"{self._name}: ticket {entry.job} is not ours any more: {error}")
                if error.status in (401, 403):
                    raise
            _reach("told")
            self._journal.forget(entry.job)

    def _print(self, ticket: Ticket) -> None:
        _reach("received")
        self._told_device = ticket.device
        printer = self._printer(self._own_device or ticket.device, told=not self._own_device)
        if printer is None:
            self._end(Entry(ticket.job, ticket.fence, "failed", "device_wrong"), State(True, "device_wrong"))
            return
        self._journal.begin(ticket.job, ticket.fence)
        _reach("begun")
        entry = Entry(ticket.job, ticket.fence, "printed")
        try:
            state = printer.print(ticket.content)
            if state.error:
                entry = entry._replace(outcome="failed", code=state.error)
        except Unreachable as error:
            state = State(True, str(error))
            entry = entry._replace(outcome="failed", code=str(error))
        except Broken as error:
            state = State(True, str(error))
            entry = entry._replace(outcome="failed", code=str(error), doubt=True)
        _reach("written")
        self._end(entry, state)

    def _end(self, entry: Entry, state: State) -> None:
        self._state = state
        self._journal.end(entry)
        self._say(f"{self._name}: ticket {entry.job} {entry.outcome} {entry.code}".rstrip())
        _reach("ended")
        self._tell_all()

    def _printer(self, device: str, told: bool | None = None) -> Printer | None:
        try:
            return open_device(device, told=not self._own_device if told is None else told) if device else None
        except WrongDevice as error:
            self._note(str(error))
            return None

    def _note(self, words: str) -> None:
        """The same trouble is said once."""
        if words and words != self._said:
            self._say(f"{self._name}: {words}")
        self._said = words


def _reach(point: str) -> None:
    if os.environ.get(CRASH_VARIABLE) == point:
        os.kill(os.getpid(), signal.SIGKILL)
