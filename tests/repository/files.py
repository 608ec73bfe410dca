"""The files of the repository, as a clone would have them."""

from __future__ import annotations

import functools
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


@functools.cache
def repository_files() -> tuple[Path, ...]:
    """Every file that is or would be committed. Git is asked, because it knows what is ignored."""
    # A checkout that belongs to another user is common in containers; reading it is harmless.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return tuple(path for name in sorted(listed.split("\0")) if name and (path := ROOT / name).is_file())


@functools.cache
def texts() -> list[tuple[str, str]]:
    """Name and content of every text file."""
    found = []
    for path in repository_files():
        try:
            found.append((str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue
    return found
