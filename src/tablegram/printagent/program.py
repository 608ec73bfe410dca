"""The program: reads its options, starts a thread for each printer, and ends when it is told to."""

from __future__ import annotations

import hashlib
import json
import secrets
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

from tablegram.printagent.devices.opening import open_device
from tablegram.printagent.devices.state import UNKNOWN
from tablegram.printagent.finding import find, neighbours, own_address
from tablegram.printagent.journal import Journal
from tablegram.printagent.link import Link, LinkLost, Refused
from tablegram.printagent.options import Options, read_options
from tablegram.printagent.working import Say, Worker


def main(arguments: list[str], program: str = "tablegram print-agent") -> int:
    options = read_options(arguments, program)
    ended = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        ended.set()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    say = _say_json if options.as_json else _say_words
    if options.find:
        return _find(options, say)
    if options.listen is not None:
        return _take(options, ended, say)
    return _work(options, ended, say)


def _say_words(words: str) -> None:
    """On standard error, where a service manager keeps it. Keys are never said."""
    sys.stderr.write(words + "\n")
    sys.stderr.flush()


def _say_json(words: str) -> None:
    sys.stdout.write(json.dumps({"said": words}, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def _work(options: Options, ended: threading.Event, say: Say) -> int:
    try:
        agent = _agent_id(options.folder)
        workers = []
        for number, post in enumerate(options.posts, 1):
            # Journals are told apart by their printer's key, which itself is not written down.
            journal = Journal(options.folder / hashlib.sha256(post.key.encode()).hexdigest()[:16] / "journal")
            link = Link(options.server, post.key, agent)
            workers.append(Worker(f"printer {number}", link, journal, post.device, say))
    except (OSError, ValueError) as error:
        say(f"cannot start: {error}")
        return 1
    for worker in workers:
        threading.Thread(target=worker.run, daemon=True).start()
    say(f"ready: {len(workers)} printer{'s' if len(workers) > 1 else ''}, server {options.server}")
    ended.wait()
    for worker in workers:
        worker.stop.set()
    # What is under way is in the journal; nobody is waited for.
    return 0


def _take(options: Options, ended: threading.Event, say: Say) -> int:
    from tablegram.printagent.taking import Spool, serve

    assert options.listen is not None
    try:
        printers = {station: open_device(device) for station, device in options.devices.items()}
        spool = Spool(options.folder / "slips", printers, options.paper, say)
        server = serve(options.listen, options.secret, spool, say)
    except (OSError, ValueError) as error:
        say(f"cannot start: {error}")
        return 1
    threading.Thread(target=spool.run, daemon=True).start()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    say(f"ready: taking webhooks on {options.listen[0]}:{server.server_address[1]}")
    ended.wait()
    server.shutdown()
    spool.stop.set()
    return 0


def _find(options: Options, say: Say) -> int:
    """Says what was found, and offers it to the panel where there is a key to do so."""
    address = own_address()
    found = [f"tcp://{one}:9100" for one in find(neighbours(address))]
    for device in found:
        sys.stdout.write((json.dumps({"found": device}) if options.as_json else device) + "\n")
    if not found:
        say(f"no printer takes a connection on port 9100 beside {address or 'this machine'}")
    if options.server and options.posts:
        try:
            link = Link(options.server, options.posts[0].key, _agent_id(options.folder))
            link.report(UNKNOWN, found)
            say("the panel shows them beside the printer")
        except (OSError, ValueError, LinkLost, Refused) as error:
            say(f"the server was not told: {error}")
            return 1
    return 0


def _agent_id(folder: Path) -> str:
    """This machine's own name, made once: tells two agents of one printer apart."""
    path = folder / "agent"
    if not path.exists():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_text(secrets.token_hex(8))
    return path.read_text().strip()[:32] or "agent"
