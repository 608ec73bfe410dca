"""Does the built file install with `pip install` alone, and start?

    make wheel-proof

The wheel is built from the files that are committed or would be, in a folder of their own, installed into a virtual
environment of its own, and started there: pages, styles, words, the demo with its pictures, and a message on a phone.
What it depends on comes at the locked versions.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from pathlib import Path

from tests.ports import free_port
from tests.product import fetch, wait_until
from tests.repository.files import ROOT, repository_files
from tools.docs_site.__main__ import TARGET as SITE

# A first start translates every module, on a machine that may be busy.
START_WITHIN_S = 300.0
PHONE = "905551112277"


def copied(folder: Path) -> Path:
    """The repository without what was made in it: a build takes along whatever lies below `build`."""
    for path in repository_files():
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return folder


def built(folder: Path) -> Path:
    """The wheel, made by the tools that built this environment; with the docs, which no commit holds."""
    source = copied(folder / "source")
    if not SITE.is_file():
        sys.exit("The docs are not built. Run: make docs-site")
    shutil.copy(SITE, source / SITE.relative_to(ROOT))
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "-w", str(folder / "dist"), str(source)], check=True)
    (wheel,) = (folder / "dist").glob("tablegram-*.whl")
    return wheel


def left_out(wheel: Path) -> list[str]:
    packed = set(zipfile.ZipFile(wheel).namelist())
    source = ROOT / "src"
    return sorted(
        name
        for path in repository_files()
        if path.is_relative_to(source) and (name := path.relative_to(source).as_posix()) not in packed
    )


def installed(folder: Path, wheel: Path) -> Path:
    """The program of a new environment that knows nothing of this folder."""
    home = folder / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    # Constraints are the lock without its hashes, which would ask for one of the wheel as well.
    pins = [line.split(" ")[0] for line in (ROOT / "requirements.lock").read_text().splitlines() if line[:1].isalnum()]
    (folder / "pins.txt").write_text("\n".join(pins) + "\n")
    command = [str(home / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*command, "-c", str(folder / "pins.txt"), str(wheel)], check=True, cwd=folder)
    return home / "bin" / "tablegram"


def started(folder: Path, program: Path) -> None:
    """A first start as anybody has it: an empty folder, and no setting but the port."""
    port = free_port()
    home = folder / "home"
    home.mkdir()
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("TABLEGRAM_", "PYTHON"))}
    environment = plain | {"TABLEGRAM_PORT": str(port), "TABLEGRAM_SANDBOX": "1"}
    base = f"http://127.0.0.1:{port}"

    def said(*arguments: str) -> str:
        done = subprocess.run(
            [str(program), *arguments], cwd=home, env=environment, check=True, capture_output=True, text=True
        )
        return done.stdout

    said("demo", "--filled")
    key = (home / ".tablegram" / "demo.key").read_text().strip()
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen([str(program), "serve"], cwd=home, env=environment, stdout=log, stderr=log)
    try:
        wait_until(lambda: answers(f"{base}/readyz"), "the server", START_WITHIN_S)
        for page in ("/panel/sign-in", "/api/v1/docs", "/api/v1/menu", "/sandbox/", "/docs/"):
            with urllib.request.urlopen(base + page, timeout=30) as answer:
                assert answer.status == 200, page
        who = {"Authorization": f"Bearer {key}"}
        body = {"phone": PHONE, "message": "From the wheel"}
        status, sent = fetch(f"{base}/api/v1/messages/send", method="POST", body=body, headers=who)
        assert (status, sent["status"]) == (200, "success"), sent
        wait_until(lambda: on_phone(base), "the message on the phone")
        assert "bad" not in said("doctor").lower().split(), said("doctor")
    except BaseException:
        print((folder / "server.log").read_text(errors="replace"))
        raise
    finally:
        server.terminate()
        server.wait(30)


def answers(url: str) -> bool:
    try:
        return fetch(url)[0] == 200
    except OSError:
        return False


def on_phone(base: str) -> bool:
    _, held = fetch(f"{base}/sandbox/phones/{PHONE}/messages")
    return any("From the wheel" in str(message) for message in held["data"])


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="tablegram-wheel-") as name:
        folder = Path(name)
        wheel = built(folder)
        missing = left_out(wheel)
        if missing:
            sys.exit("The wheel lacks: " + ", ".join(missing))
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, every file of the source is in it.")
        program = installed(folder, wheel)
        print("It installs with pip alone.")
        started(folder, program)
        print("It migrates, loads the demo, serves its pages and sends a message.")


if __name__ == "__main__":
    main()
