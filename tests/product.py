"""The real product in processes of its own, as an operator runs it: started, killed, started again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.demo import load_demo
from tests.nursery import Child, nursery
from tests.ports import free_port

START_WITHIN_S = 60.0
STOP_WITHIN_S = 30.0
# Who waits looks often at first and then less and less often: every look costs the processor that others wait for.
SOON_S, RARELY_S = 0.02, 0.25


def run_cli(*arguments: str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run one command of the program to its end."""
    with tempfile.TemporaryDirectory(prefix="tablegram-said-") as folder:
        out, errors = Path(folder) / "out", Path(folder) / "errors"
        child = nursery().start(arguments, environment, out, errors)
        code = child.wait(90)
        return subprocess.CompletedProcess(arguments, code, out.read_text(), errors.read_text())


def cli_json(*arguments: str, environment: Mapping[str, str]) -> Any:
    done = run_cli(*arguments, "--json", environment=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def fetch(
    url: str, *, method: str = "GET", body: Any = None, headers: Mapping[str, str] | None = None
) -> tuple[int, Any]:
    """One plain HTTP call: the status and the decoded body, whatever the status is."""
    data = None if body is None else json.dumps(body).encode()
    sent = {"Content-Type": "application/json"} if data is not None else {}
    request = urllib.request.Request(url, data=data, method=method, headers={**sent, **(headers or {})})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            raw, status = answer.read(), answer.status
    except urllib.error.HTTPError as error:
        raw, status = error.read(), error.code
    try:
        return status, json.loads(raw)
    except ValueError:
        return status, raw.decode(errors="replace")


@dataclass
class Process:
    """One process of the program and the file that holds what it said."""

    arguments: list[str]
    environment: dict[str, str]
    log: Path
    ready_url: str
    process: Child | None = None
    # Where what it prints goes, if that is not the same file.
    prints_to: Path | None = None

    def start(self) -> None:
        self.launch()
        self.wait_until_ready()

    def launch(self) -> None:
        """Start it and do not wait; it may be meant to die before it is ready."""
        self.process = nursery().start(self.arguments, self.environment, self.prints_to or self.log, self.log)

    def wait_until_ready(self) -> None:
        assert self.process is not None
        deadline = time.monotonic() + START_WITHIN_S
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise AssertionError(f"{self.arguments} ended with {self.process.returncode}:\n{self.said()}")
            try:
                if fetch(self.ready_url)[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.02)
        raise AssertionError(f"{self.arguments} was not ready in time:\n{self.said()}")

    def kill(self) -> None:
        """As a power cut would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(STOP_WITHIN_S)

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def wait_for_death(self, within_s: float = START_WITHIN_S) -> int:
        assert self.process is not None
        return self.process.wait(within_s)

    def stop(self) -> int:
        """As a service manager would. Returns the exit code."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(STOP_WITHIN_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"{self.arguments} did not end in time:\n{self.said()}") from None

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def said(self) -> str:
        return self.log.read_text(errors="replace") if self.log.exists() else ""


@dataclass
class Product:
    """A server with a demo account on a database, and the sandbox network it sends through."""

    url: str
    key: str
    environment: dict[str, str]
    data_dir: Path
    server: Process
    sandbox: Process | None = None
    sandbox_url: str = ""
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def api(self) -> str:
        return f"{self.url}/api/v1"

    def headers(self, key: str | None = None) -> dict[str, str]:
        return {"Authorization": f"Bearer {key or self.key}"}

    def call(
        self, method: str, path: str, body: Any = None, *, key: str | None = None, **headers: str
    ) -> tuple[int, Any]:
        """An API call: `call("POST", "/messages/send", {...})`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return fetch(self.api + path, method=method, body=body, headers={**self.headers(key), **named})

    def send(self, phone: str, message: str, **headers: str) -> tuple[int, Any]:
        return self.call("POST", "/messages/send", {"phone": phone, "message": message}, **headers)

    def on_phone(self, phone: str) -> list[dict[str, Any]]:
        """What the sandbox phone holds."""
        status, answer = fetch(f"{self.sandbox_url}/phones/{phone}/messages?limit=1000")
        assert status == 200, answer
        return list(answer["data"])

    def sandbox_call(self, method: str, path: str, body: Any = None) -> Any:
        status, answer = fetch(self.sandbox_url + path, method=method, body=body)
        assert status < 300, answer
        return answer

    def metric(self, name: str) -> float:
        """A figure of /metrics, without the product's prefix."""
        status, text = fetch(f"{self.url}/metrics")
        assert status == 200, text
        return next(float(line.split()[1]) for line in text.splitlines() if line.startswith(f"tablegram_{name} "))

    def cli(self, *arguments: str) -> Any:
        return cli_json(*arguments, environment=self.environment)


@contextmanager
def running_product(
    database_url: str, *, sandbox_alone: bool = False, settings: Mapping[str, str] | None = None
) -> Iterator[Product]:
    """Start the product on an existing, migrated database; end everything that was started."""
    with tempfile.TemporaryDirectory(prefix="tablegram-") as folder:
        product = prepare(database_url, Path(folder), sandbox_alone=sandbox_alone, settings=settings or {})
        try:
            if product.sandbox is not None:
                product.sandbox.start()
            product.server.start()
            _wait_for_line(product)
            yield product
        finally:
            for process in (product.server, product.sandbox):
                if process is not None and process.is_running():
                    process.stop()


def prepare(database_url: str, folder: Path, *, sandbox_alone: bool, settings: Mapping[str, str]) -> Product:
    port = free_port()
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("TABLEGRAM_")},
        "TABLEGRAM_DATABASE_URL": database_url,
        "TABLEGRAM_DATA_DIR": str(folder),
        "TABLEGRAM_PORT": str(port),
        "TABLEGRAM_SANDBOX": "1",
        "TABLEGRAM_RATE_LIMIT": "100000",
        "TABLEGRAM_RATE_BURST": "100000",
        "TABLEGRAM_ANONYMOUS_RATE_LIMIT": "100000",
        "TABLEGRAM_ANONYMOUS_RATE_BURST": "100000",
        "TABLEGRAM_GUEST_CARTS_H": "0",
        "TABLEGRAM_GUEST_ORDERS_H": "0",
        "TABLEGRAM_GUEST_CALLS_H": "0",
        # A death in the middle of a send leaves a doubt. A test that kills has to see the end of it.
        "TABLEGRAM_UNKNOWN_WAIT_S": "15",
        **settings,
    }
    url = f"http://127.0.0.1:{port}"
    sandbox, sandbox_url = None, f"{url}/sandbox"
    if sandbox_alone:
        sandbox_port = free_port()
        sandbox_url = f"http://127.0.0.1:{sandbox_port}/sandbox"
        environment["TABLEGRAM_SANDBOX_URL"] = sandbox_url
        # Cloud lines of a test end at the same network; nothing ever leaves this machine.
        environment["TABLEGRAM_CLOUD_BASE_URL"] = f"{sandbox_url}/graph"
        sandbox = Process(
            ["sandbox", "--port", str(sandbox_port)], environment, folder / "sandbox.log", f"{sandbox_url}/counters"
        )
    demo = load_demo(environment, lambda: dict(cli_json("demo", environment=environment)))
    server = Process(["serve"], environment, folder / "server.log", f"{url}/readyz")
    # What the code on a table opens.
    extra = {"menu": demo["menu"]}
    return Product(url, demo["key"], environment, folder, server, sandbox, sandbox_url, extra)


def _wait_for_line(product: Product) -> None:
    heard: list[Any] = []

    def connected() -> bool:
        status, answer = product.call("GET", "/instances")
        heard[:] = [status, answer]
        return status == 200 and all(line["state"] == "connected" for line in answer["data"])

    try:
        wait_until(connected, "the demo line to be connected")
    except AssertionError as error:
        networks = product.sandbox.said() if product.sandbox else ""
        raise AssertionError(f"{error}: {heard}\n{product.server.said()}\n{networks}") from None


def wait_until(condition: Any, what: str = "a condition", within_s: float = 60.0) -> None:
    """Look again and again; the limit is for what never happens, not a measurement."""
    deadline = time.monotonic() + within_s
    pause_s = SOON_S
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {within_s} s in vain for {what}")
        time.sleep(pause_s)
        pause_s = min(pause_s * 1.3, RARELY_S)
