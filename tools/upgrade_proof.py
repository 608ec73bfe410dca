"""Does an upgrade need no stop? Servers of an earlier version and of this one on one PostgreSQL, while messages go out.

    make upgrade-proof              the newest earlier commit that has an older schema
    make upgrade-proof BASE=v1.4.0  another one

It fails where this clone is shallow and holds nothing older, unless it is told --allow-unproven (make upgrade-proof
UPGRADE_ARGS=--allow-unproven).

The earlier version serves; this one migrates beside it, joins it, and takes over. Meanwhile the earlier one is killed and
started again on the newer schema. At the end every message that was accepted is on its phone, once. Then servers of the
earlier version are replaced by servers of this one, one after another, and not one request fails (`tools/rolling.py`).
"""

from __future__ import annotations

import argparse
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.databases import forget_settings, open_databases
from tests.ports import free_port
from tests.product import fetch, wait_until
from tools.rolling import replaced
from tools.versions import WITHIN_S, Version

ROOT = Path(__file__).parent.parent
VERSIONS = "src/tablegram/storage/migrations/versions"
# Several, because a phone shows its newest thousand messages.
PHONES = [f"9055511133{number:02}" for number in range(20)]
EACH_PHASE = 15
# What people and programs look at all day.
LOOKS = (
    "/instances",
    "/contacts",
    "/messages",
    "/conversations",
    "/restaurant/venues",
    "/orders",
    "/events",
)


def git(*arguments: str) -> str:
    command = ["git", "-c", "safe.directory=*", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def schemas_of(commit: str) -> list[str]:
    names = git("ls-tree", "--name-only", commit, f"{VERSIONS}/").split()
    return [Path(name).name[:4] for name in names if Path(name).name[:4].isdigit()]


def schema_of(commit: str) -> str:
    return max(schemas_of(commit), default="")


def earlier(allow_unproven: bool = False) -> str:
    """The newest commit whose schema is older than ours; every release is one, and most changes lie between two of them.

    Where two migrations have one number, two branches have just met, and nobody could run that.
    """
    ours = max(path.name[:4] for path in (ROOT / VERSIONS).glob("[0-9]*.py"))
    for commit in git("log", "--format=%H", "--", VERSIONS).split():
        for version in (commit, *git("log", "-1", "--format=%P", commit).split()[:1]):
            found = schemas_of(version)
            if found and max(found) < ours and len(found) == len({*found}):
                return version
    if git("rev-parse", "--is-shallow-repository") == "true":
        print(
            "NOT PROVEN: this clone is shallow, and holds no commit with an older schema. Fetch its history (git fetch --unshallow), or say --allow-unproven."
        )
        sys.exit(0 if allow_unproven else 1)
    sys.exit(
        "This clone has no earlier commit with an older schema. Fetch its history, or name one: make upgrade-proof BASE=…"
    )


def laid_out(commit: str, folder: Path) -> Path:
    folder.mkdir()
    archive = subprocess.Popen(
        ["git", "-c", "safe.directory=*", "archive", commit, "src"], cwd=ROOT, stdout=subprocess.PIPE
    )
    subprocess.run(["tar", "-x", "-C", str(folder)], stdin=archive.stdout, check=True)
    if archive.wait():
        sys.exit(f"{commit} is no commit of this clone.")
    return folder / "src"


@dataclass
class Traffic:
    """Sends one message after another to the servers in turn, each with a key, again until it is accepted."""

    key: str
    servers: list[str]
    accepted: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        number = 0
        while not self.over.is_set():
            number += 1
            text = f"number-{number:05}"
            while not self._sent(text, number) and not self.over.is_set():
                number += 1
                time.sleep(0.1)
            time.sleep(0.2)

    def _sent(self, text: str, turn: int) -> bool:
        servers = list(self.servers)
        headers = {"Authorization": f"Bearer {self.key}", "Idempotency-Key": text}
        body = {"phone": PHONES[int(text[-5:]) % len(PHONES)], "message": text}
        try:
            url = f"{servers[turn % len(servers)]}/api/v1/messages/send"
            status, answer = fetch(url, method="POST", body=body, headers=headers)
        except OSError:
            return False
        if status == 200:
            self.accepted.append(text)
        elif status not in (409, 425, 429, 503):
            self.refused.append(f"{status} {answer}")
        return status == 200

    def flows(self, what: str) -> None:
        """Until some more have been accepted."""
        until = len(self.accepted) + EACH_PHASE
        wait_until(
            lambda: len(self.accepted) >= until or bool(self.refused), f"messages to go out while {what}", WITHIN_S
        )
        print(f"  {what}: {len(self.accepted)} messages accepted so far", flush=True)


def prove(base: str, folder: Path, database: str) -> list[str]:
    sandbox_port = free_port()
    sandbox_url = f"http://127.0.0.1:{sandbox_port}/sandbox"
    settings = {
        "TABLEGRAM_DATABASE_URL": database,
        "TABLEGRAM_SECRET_KEY": "an upgrade needs the same key in all of them",
        "TABLEGRAM_SANDBOX_URL": sandbox_url,
        "TABLEGRAM_SANDBOX": "1",
        "TABLEGRAM_UNKNOWN_WAIT_S": "15",
        "TABLEGRAM_LEASE_S": "15",
    }
    homes = {name: folder / name for name in ("old", "new", "sandbox")}
    for home in homes.values():
        home.mkdir()
    before = Version("the earlier version", laid_out(base, folder / "earlier"), homes["old"], settings)
    now = Version("this version", ROOT / "src", homes["new"], settings)
    network = Version("the sandbox network", ROOT / "src", homes["sandbox"], settings)
    traffic: Traffic | None = None
    try:
        network.launch("sandbox", "--port", str(sandbox_port))
        before.run("migrate")
        before.run("demo")
        traffic = Traffic((homes["old"] / "demo.key").read_text().strip(), [before.url])
        before.start()
        threading.Thread(target=traffic.run, daemon=True).start()
        traffic.flows("the earlier version serves")
        now.run("migrate")
        traffic.flows("it serves on the newer schema")
        found = looked(before, traffic.key)
        now.start()
        traffic.servers.append(now.url)
        traffic.flows("both serve")
        before.end(signal.SIGKILL)
        traffic.flows("the earlier one was killed")
        if before.may_return:
            before.start()
            traffic.flows("the earlier one has started again")
            found += looked(before, traffic.key)
        else:
            print(
                "  the earlier version does not know which newer schemas serve it, and is not started again", flush=True
            )
        before.end(signal.SIGTERM)
        traffic.servers.remove(before.url)
        traffic.flows("this version serves alone")
        traffic.over.set()
        found += settled(traffic, sandbox_url) + before.complaints() + now.complaints()
        return found + replaced(before, now, traffic.key, sandbox_url)
    finally:
        if traffic is not None:
            traffic.over.set()
        for version in (before, now, network):
            version.end(signal.SIGKILL)


def looked(version: Version, key: str) -> list[str]:
    """What the earlier program reads, it still finds."""
    found = []
    for path in LOOKS:
        status, answer = fetch(f"{version.url}/api/v1{path}", headers={"Authorization": f"Bearer {key}"})
        if status != 200:
            found.append(f"{version.name}: GET {path} is answered {status}: {answer}")
    return found


def settled(traffic: Traffic, sandbox_url: str) -> list[str]:
    def held() -> Counter[str]:
        found: Counter[str] = Counter()
        for phone in PHONES:
            _, answer = fetch(f"{sandbox_url}/phones/{phone}/messages?limit=1000")
            found.update(name for one in answer["data"] for name in set(re.findall(r"number-\d{5}", str(one))))
        return found

    wait_until(lambda: sum(held().values()) >= len(traffic.accepted), "what was accepted to be on the phone", WITHIN_S)
    on_phone = held()
    print(f"  {len(traffic.accepted)} accepted, {sum(on_phone.values())} on the phones", flush=True)
    wrong = [text for text in traffic.accepted if on_phone[text] != 1]
    return [*traffic.refused, *(f"{text} is on the phone {on_phone[text]} times" for text in wrong)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", nargs="?", help="a commit of an earlier version")
    parser.add_argument("--allow-unproven", action="store_true", help="end well where nothing older can be found")
    chosen = parser.parse_args()
    base = git("rev-parse", chosen.base) if chosen.base else earlier(chosen.allow_unproven)
    print(f"From {git('log', '-1', '--format=%h %s', base)} (schema {schema_of(base)})", flush=True)
    forget_settings()
    databases = open_databases("postgresql")
    try:
        with tempfile.TemporaryDirectory(prefix="tablegram-upgrade-") as name:
            wrong = prove(base, Path(name), databases.empty())
    finally:
        databases.close()
    if wrong:
        sys.exit("\n".join(wrong[:20]))
    print("Nothing stopped, nothing was lost, nothing came twice.")


if __name__ == "__main__":
    main()
