"""What the product takes when nobody asks for anything: memory and processor of an idle server; memory after many sends; what
commands and texts cost.

    python -m bench.lean [--quick] [--db sqlite|postgresql] [--sends 1000000]

The server has the demo's data while it is idle, and no sandbox network inside; the sends go to the stub network. Processor time
is the least of several, user and system together: on a busy machine only that says something.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

from bench.run import HERE, _generate, prepare, rss_mb, start
from tablegram.restaurant.demo.house import demo_menu
from tablegram.restaurant.reading import Vocabulary
from tablegram.restaurant.reading.whole import read_whole
from tests.databases import open_databases
from tests.ports import free_port
from tests.restaurant.classes.measuring import cases

# An order, talk that is none, and a question.
TEXTS = (
    "2 lahmacun 1 ayran masa 4",
    "Merhaba, yarın akşam dört kişilik yer var mı?",
    "can we get two adana, one without onions, and three cokes please",
)
SETTLED_S = 10.0
IDLE_S = 30.0
TICKS = os.sysconf("SC_CLK_TCK")
CONNECTIONS = "64"
PROGRAM = (sys.executable, "-m", "tablegram")
WINDOW_S = 5.0


def command_s(*arguments: str, times: int = 5) -> float:
    """The processor's time for a command, the least of several."""
    found = []
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*PROGRAM, *arguments], check=True, capture_output=True, cwd=HERE.parent)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(found)


def text_ms(text: str, times: int = 40) -> float:
    """The processor's time for a text that is read against the demo's menu."""
    vocabulary = Vocabulary(demo_menu())
    found = []
    for _ in range(times):
        # The last few texts are remembered; nobody writes the same one again and again.
        for number in range(2, 42):
            read_whole(f"{number} adana", vocabulary)
        began = time.process_time()
        read_whole(text, vocabulary)
        found.append(time.process_time() - began)
    return min(found) * 1_000


def every_text() -> list[str]:
    """What guests write in the tests, each once."""
    said = [text for case in cases() for text in (case.ordered, *case.talk)]
    for folder in ("texts", "dialogues"):
        for file in sorted((HERE.parent / "tests/restaurant" / folder).glob("*.json")):
            case = json.loads(file.read_text())
            said += [case["text"], *case.get("answers", [])]
    return [text for text in dict.fromkeys(said) if text]


def texts_ms(times: int = 3) -> list[float]:
    """The processor's time for each of them, one after another; the least of several, the shortest first."""
    vocabulary = Vocabulary(demo_menu())
    texts = every_text()
    least = [float("inf")] * len(texts)
    for _ in range(times):
        for place, text in enumerate(texts):
            began = time.process_time()
            read_whole(text, vocabulary)
            least[place] = min(least[place], time.process_time() - began)
    return sorted(one * 1_000 for one in least)


def processor_s(pid: int) -> float:
    """What a process has spent so far, user and system together."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def serve(environment: dict[str, str]) -> subprocess.Popen[str]:
    """The program as anybody starts it, once it listens."""
    server = subprocess.Popen([*PROGRAM, "serve"], env=environment, stdout=subprocess.PIPE, text=True, cwd=HERE.parent)
    assert server.stdout is not None
    assert "listens" in server.stdout.readline()
    return server


def idle(url: str, folder: Path) -> tuple[float, float]:
    """Megabytes of a server with the demo's data, some seconds after its start, and its milliseconds of processor a second."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("TABLEGRAM_")},
        "TABLEGRAM_DATABASE_URL": url,
        "TABLEGRAM_DATA_DIR": str(folder),
        "TABLEGRAM_PORT": str(free_port()),
    }
    subprocess.run([*PROGRAM, "demo", "--filled"], env=environment, check=True, capture_output=True, cwd=HERE.parent)
    server = serve(environment)
    try:
        time.sleep(SETTLED_S)
        size, before = rss_mb(server.pid), processor_s(server.pid)
        time.sleep(IDLE_S)
        return size, (processor_s(server.pid) - before) / IDLE_S * 1_000
    finally:
        server.terminate()
        server.wait(20)


def loaded(url: str, folder: Path, stub_port: int, sends: int) -> Iterator[tuple[int, float]]:
    """Megabytes after so many sends: at the start, at each doubling, and at the end."""
    environment = prepare(url, folder, stub_port)
    server = serve(environment)
    arguments = [environment["TABLEGRAM_PORT"], environment["BENCH_KEY"], CONNECTIONS]
    sent, mark = 0, 10_000
    try:
        yield 0, rss_mb(server.pid)
        while sent < sends:
            sent += int(_generate(arguments, WINDOW_S, environment)["sent"])
            if sent >= mark or sent >= sends:
                yield sent, rss_mb(server.pid)
                mark = sent * 2
    finally:
        server.terminate()
        server.wait(20)


def measure(kind: str, stub_port: int, sends: int) -> Iterator[str]:
    databases: Any = open_databases(kind)
    try:
        print(f"{kind}: an idle server …", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(prefix="tablegram-bench-") as folder:
            size, spent_ms = idle(databases.migrated(), Path(folder))
            yield f"| {kind}, idle with the demo's data | {size:.0f} MB |"
            yield f"| {kind}, the same | {spent_ms:.1f} ms of processor a second |"
        print(f"{kind}: {sends:,} sends …", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(prefix="tablegram-bench-") as folder:
            for sent, size in loaded(databases.migrated(), Path(folder), stub_port, sends):
                yield f"| {kind}, after {sent:,} sends | {size:.0f} MB |"
    finally:
        databases.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer sends")
    parser.add_argument("--db", action="append", choices=["sqlite", "postgresql"], help="only this database")
    parser.add_argument("--sends", type=int, default=0, help="how many; a million unless told, 10,000 with --quick")
    options = parser.parse_args()
    print("| | |\n|---|---|")
    for words in (["--version"], ["--help"]):
        print(f"| `tablegram {words[0]}` | {command_s(*words):.2f} s of processor |", flush=True)
    for text in TEXTS:
        print(f"| *{text}* | {text_ms(text):.2f} ms of processor |", flush=True)
    print("all texts of the tests …", file=sys.stderr, flush=True)
    found = texts_ms()
    print(f"| {len(found):,} texts of the tests, mean | {fmean(found):.2f} ms of processor |", flush=True)
    middle, most = found[len(found) // 2], found[len(found) * 95 // 100]
    print(f"| the same, p50 and p95 | {middle:.2f} ms, {most:.2f} ms |", flush=True)
    stub_port = free_port()
    stub = start("bench.stub_network", str(stub_port), environment=dict(os.environ))
    try:
        for kind in options.db or ["sqlite", "postgresql"]:
            sends = options.sends or (10_000 if options.quick else 1_000_000)
            for line in measure(kind, stub_port, sends):
                print(line, flush=True)
    finally:
        stub.terminate()


if __name__ == "__main__":
    main()
