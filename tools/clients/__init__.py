"""Does the OpenAPI document please the programs that read it? Types for TypeScript that compile, two linters, and our own
client libraries, which are written from it (`tools/packages`).

    make clients

The programs come from `package.json`, at the versions of its lock, into a folder beside the virtual environment. The
clients for Python are tests (`tests/clients`); the one that a generator writes is left to this command by the suite.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.api.document import document
from tools.packages import driving

HERE = Path(__file__).parent


def check(programs: Path, folder: Path) -> list[str]:
    """Run every program on the document; the names of those that are not pleased."""
    written, types = folder / "openapi.json", folder / "api.ts"
    written.write_text(json.dumps(document()))
    shutil.copy(HERE / "sample.ts", folder)
    steps: dict[str, Sequence[str]] = {
        "openapi-typescript": ("openapi-typescript", str(written), "-o", str(types)),
        "tsc": ("tsc", "--noEmit", "--strict", "--target", "es2022", "--moduleResolution", "bundler",
                "--module", "esnext", str(folder / "sample.ts")),
        "spectral": ("spectral", "lint", str(written), "--ruleset", str(HERE / "spectral.yaml"), "--fail-severity", "error"),
        "redocly": ("redocly", "lint", "--extends", "recommended", "--format", "stylish", str(written)),
    }  # fmt: skip
    failed = []
    for name, (program, *arguments) in steps.items():
        # Neither of them is to tell anybody that it was used.
        done = subprocess.run(
            [str(programs / "node_modules" / ".bin" / program), *arguments],
            cwd=folder,
            env={"PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin", "REDOCLY_TELEMETRY": "off", "HOME": str(folder)},
            capture_output=True,
            text=True,
            check=False,
        )
        print(f"{name}: {'passed' if done.returncode == 0 else 'FAILED'}", flush=True)
        if done.returncode:
            failed.append(name)
            print(done.stdout + done.stderr)
    return failed


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="tablegram-clients-") as folder:
        programs = Path(sys.argv[1]).resolve()
        failed = check(programs, Path(folder))
        failed += driving.check(document(), programs, Path(folder))
    print(f"{6 - len(failed)} passed, {len(failed)} failed")
    sys.exit(bool(failed))
