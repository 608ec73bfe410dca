"""`python -m tablegram.printagent`, and the one file that is copied to a restaurant's machine."""

from __future__ import annotations

import sys

from tablegram.printagent.program import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], "print-agent"))
