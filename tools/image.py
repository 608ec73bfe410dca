"""Build the container image without a registry, and start it once as it is meant to run.

    make image-parts    what goes into it, into dist/image
    make image          that, a base from Debian's packages, the image, and a start (as root: buildah, podman, runc, debootstrap)

The start is as sealed as the files below `deploy/` have it: not root, nothing but /data and /tmp to write to, no
capability, no network but its own loopback.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from tests.product import wait_until
from tests.repository.files import ROOT
from tools.wheel_proof import built

PARTS = ROOT / "dist" / "image"
FILE = ROOT / "deploy" / "container" / "Containerfile"
BASE = "localhost/tablegram-base"
# Python for the program, its venv module for the build; certificates, to call out.
PACKAGES = "python3,python3-venv,ca-certificates"
# Nobody reads these inside a container.
NOT_READ = (
    "usr/share/doc",
    "usr/share/man",
    "usr/share/locale",
    "usr/share/info",
    "var/lib/apt/lists",
    "var/cache/apt",
    "var/log",
)
# A first start on a machine that may be busy.
START_WITHIN_S = 300.0
ENGINE = ("podman", "--runtime", "runc", "--cgroup-manager", "cgroupfs")
SEND = """
import json, sys, urllib.request
body = json.dumps({"phone": "905551112299", "message": "From the image"}).encode()
head = {"Authorization": "Bearer " + sys.argv[1], "Content-Type": "application/json"}
call = urllib.request.Request("http://127.0.0.1:8000/api/v1/messages/send", body, head)
print(urllib.request.urlopen(call, timeout=30).read().decode())
"""


def run(*command: str) -> str:
    # Layers as folders: slow, and at home on every file system.
    told = {**os.environ, "STORAGE_DRIVER": "vfs"}
    done = subprocess.run(command, env=told, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def parts() -> None:
    """The program and what it needs as wheels, each checked against the lock's hashes."""
    shutil.rmtree(PARTS, ignore_errors=True)
    wheels = PARTS / "wheels"
    wheels.mkdir(parents=True)
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps")
    # With what several servers call each other by, which is small; the engine for phones has another licence and stays out.
    run(*pip, "--require-hashes", "-w", str(wheels), "-r", str(ROOT / "requirements-nats.lock"))
    with tempfile.TemporaryDirectory(prefix="tablegram-image-") as folder:
        shutil.copy(built(Path(folder)), wheels)
    print(f"{len(list(wheels.iterdir()))} wheels in {PARTS.relative_to(ROOT)}")


def base() -> None:
    """Debian with Python, from its packages; made once."""
    if (
        subprocess.run(
            [*ENGINE, "image", "exists", BASE], env={**os.environ, "STORAGE_DRIVER": "vfs"}, check=False
        ).returncode
        == 0
    ):
        return
    print("Making a base from Debian's packages.")
    with tempfile.TemporaryDirectory(prefix="tablegram-base-") as name:
        root = Path(name) / "root"
        run("debootstrap", "--variant=minbase", f"--include={PACKAGES}", "bookworm", str(root))
        for unread in NOT_READ:
            shutil.rmtree(root / unread, ignore_errors=True)
            (root / unread).mkdir(parents=True)
        working = run("buildah", "from", "scratch")
        run("buildah", "add", "--quiet", working, str(root), "/")
        run("buildah", "commit", "--quiet", working, BASE)
        run("buildah", "rm", working)


def build(tag: str) -> None:
    run(
        *("buildah", "bud", "--isolation=chroot", "--pull-never", "--format=docker", f"--build-arg=BASE={BASE}"),
        *(f"--file={FILE}", f"--tag={tag}", str(PARTS)),
    )
    size = int(run(*ENGINE, "image", "inspect", "--format={{.Size}}", tag))
    print(f"Built {tag}: {size / 1e6:.0f} MB.")


def started(tag: str) -> None:
    open_files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    sealed = (
        "--read-only",
        "--cap-drop=all",
        "--security-opt=no-new-privileges",
        "--network=none",
        "--tmpfs=/tmp:size=256m",
    )
    limits = (f"--ulimit=nofile={open_files}:{open_files}", "--ulimit=nproc=4096:4096")
    # Without systemd nobody would ask after its health; it is asked by hand below.
    name = run(
        *(*ENGINE, "run", "--detach", "--no-healthcheck", *sealed, *limits, "--env=TABLEGRAM_SANDBOX=1", tag),
    )

    def inside(*command: str) -> str:
        return run(*ENGINE, "exec", name, *command)

    def healthy() -> bool:
        check = json.loads(run(*ENGINE, "image", "inspect", "--format={{json .HealthCheck.Test}}", tag))
        command = [*ENGINE, "exec", name, *check[1:]]
        return (
            subprocess.run(
                command, env={**os.environ, "STORAGE_DRIVER": "vfs"}, capture_output=True, check=False
            ).returncode
            == 0
        )

    try:
        wait_until(healthy, "its own health check", START_WITHIN_S)
        assert inside("id", "-u") == "10001"
        written = subprocess.run(
            [*ENGINE, "exec", name, "touch", "/srv/tablegram/new"],
            env={**os.environ, "STORAGE_DRIVER": "vfs"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Read-only file system" in written.stderr, written
        key = json.loads(inside("tablegram", "demo", "--json"))["key"]
        answer = json.loads(inside("python", "-c", SEND, key))
        assert answer["status"] == "success", answer
        run(*ENGINE, "stop", "--time=60", name)
        code = int(run(*ENGINE, "inspect", "--format={{.State.ExitCode}}", name))
        assert code in (0, 143), f"it ended with {code}"
    except BaseException:
        print(run(*ENGINE, "logs", name))
        raise
    finally:
        run(*ENGINE, "rm", "--force", "--volumes", name)
    print("It starts sealed, is healthy, sends a message, and ends when it is told to.")


def main() -> None:
    if sys.argv[1:] == ["parts"]:
        parts()
        return
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    tag = f"localhost/tablegram:{version}"
    if sys.argv[1:] != ["start"]:
        parts()
        base()
        build(tag)
    started(tag)


if __name__ == "__main__":
    main()
