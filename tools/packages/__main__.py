"""Write and build both client libraries: `python -m tools.packages FOLDER PROGRAMS`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.api.document import document
from tools.packages import writing


def main() -> None:
    folder, programs = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    drawn = document()
    with tempfile.TemporaryDirectory(prefix="tablegram-packages-") as place:
        print(writing.build_python(writing.write_python(drawn, Path(place)), folder))
        print(writing.build_typescript(writing.write_typescript(drawn, Path(place)), folder, programs))


main()
