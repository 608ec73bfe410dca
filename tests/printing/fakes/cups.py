"""A CUPS of the test's own: its scheduler in a folder of its own, with one raw queue that ends at a printer on TCP.

Debian brings the way to such printers with everything else that prints pages; for raw bytes the few lines below do.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Where Debian has the commands of an administrator; not everybody's PATH leads there.
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
_BACKEND = """#!{python} -I
import os, socket, sys, urllib.parse
if len(sys.argv) == 1:
    print('network socket "Unknown" "A printer on TCP"')
    sys.exit(0)
to = urllib.parse.urlsplit(os.environ["DEVICE_URI"])
file = open(sys.argv[6], "rb") if len(sys.argv) > 6 else sys.stdin.buffer
try:
    with socket.create_connection((to.hostname, to.port), 30) as link:
        link.sendall(file.read())
except OSError:
    sys.exit(1)
"""
_SCHEDULER = """LogLevel warn
JobRetryInterval 1
Listen {folder}/cups.sock
DefaultAuthType None
Browsing No
WebInterface No
<Location />
  Order allow,deny
  Allow all
</Location>
<Policy default>
  <Limit All>
    Order deny,allow
  </Limit>
</Policy>
"""
_FILES = """User {user}
Group {group}
SystemGroup {system}
ServerRoot {folder}/etc
ServerBin {folder}/bin
DataDir {folder}/data
RequestRoot {folder}/spool
TempDir {folder}/spool/tmp
CacheDir {folder}/cache
StateDir {folder}/run
ErrorLog {folder}/errors
AccessLog {folder}/accesses
PageLog {folder}/pages
"""


class Cups:
    """The queue is called `kitchen`. Its commands find it by `CUPS_SERVER`."""

    def __init__(self, folder: Path) -> None:
        self.server = str(folder / "cups.sock")

    def run(self, *command: str) -> str:
        environment = {**os.environ, "PATH": PATH, "CUPS_SERVER": self.server, "LC_ALL": "C"}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, f"{command}: {done.stderr}"
        return done.stdout

    def settle(self) -> None:
        """Until it has noticed that its jobs are done: what it is at when it is stopped, it begins again."""
        deadline = time.monotonic() + 60
        while waiting := self.run("lpstat", "-o", "kitchen"):
            assert time.monotonic() < deadline, waiting
            time.sleep(0.05)


@contextmanager
def cups(port: int) -> Iterator[Cups]:
    # The path of a socket is short.
    folder = Path(tempfile.mkdtemp(prefix="cups-"))
    try:
        _furnish(folder)
        command = ["cupsd", "-f", "-c", f"{folder}/etc/cupsd.conf", "-s", f"{folder}/etc/cups-files.conf"]
        process = subprocess.Popen(command, env={**os.environ, "PATH": PATH}, stderr=subprocess.DEVNULL)
        try:
            _wait_until_it_listens(folder, process)
            made = Cups(folder)
            made.run(
                "lpadmin",
                "-p",
                "kitchen",
                "-E",
                "-v",
                f"socket://127.0.0.1:{port}",
                "-o",
                "printer-error-policy=retry-job",
            )
            yield made
        finally:
            process.terminate()
            process.wait(20)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _furnish(folder: Path) -> None:
    for name in ("etc", "bin/backend", "data/mime", "data/banners", "spool/tmp", "cache", "run"):
        (folder / name).mkdir(parents=True)
    (folder / "bin" / "daemon").symlink_to("/usr/lib/cups/daemon")
    backend = folder / "bin" / "backend" / "socket"
    backend.write_text(_BACKEND.format(python=sys.executable))
    # What only its owner may run is run as its owner, so that nobody else has to reach into the folder.
    backend.chmod(0o700)
    (folder / "data/mime/mime.types").write_text("application/octet-stream\napplication/vnd.cups-raw\n")
    (folder / "data/mime/mime.convs").write_text("application/octet-stream application/vnd.cups-raw 0 -\n")
    (folder / "etc/cupsd.conf").write_text(_SCHEDULER.format(folder=folder))
    # It refuses to work as root, and hands its jobs to somebody else there.
    is_root = os.geteuid() == 0
    user = "lp" if is_root else pwd.getpwuid(os.geteuid()).pw_name
    names = {"user": user, "group": "lp", "system": "lpadmin"}
    (folder / "etc/cups-files.conf").write_text(_FILES.format(folder=folder, **names))


def _wait_until_it_listens(folder: Path, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while not (folder / "cups.sock").exists():
        assert process.poll() is None, "cupsd ended: is its configuration right?"
        assert time.monotonic() < deadline, "cupsd does not listen"
        time.sleep(0.02)
