"""The program: `tablegram …`, or `python -m tablegram …`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tablegram.cli import tablegram
from tablegram.cli.output import run


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code."""
    return run(tablegram, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
