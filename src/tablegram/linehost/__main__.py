"""`python -m tablegram.linehost ENGINE [LINE]`: one line's host, over the socket that it was started with.

The line's number is for people who look at the list of processes.
"""

from __future__ import annotations

import os
import socket
import sys

from tablegram.linehost.engines import ENGINES, open_engine
from tablegram.linehost.host import Host
from tablegram.linehost.wire import Wire
from tablegram.linehost.words import SOCKET_NAME

# Exit codes that the server reads: wrongly called, and the engine is not installed.
WRONG, NOT_INSTALLED = 64, 69


def main(arguments: list[str]) -> int:
    number = os.environ.get(SOCKET_NAME, "")
    if len(arguments) not in (1, 2) or arguments[0] not in ENGINES or not number.isdecimal():
        sys.stderr.write(f"usage: {SOCKET_NAME}=FD python -m tablegram.linehost {{{','.join(ENGINES)}}} [LINE]\n")
        return WRONG
    try:
        engine = open_engine(arguments[0])
    except ImportError as error:
        sys.stderr.write(f"the engine {arguments[0]} cannot be loaded: {error}\n")
        return NOT_INSTALLED
    with socket.socket(fileno=int(number)) as peer:
        return Host(Wire(peer), engine).run()


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stderr.flush()
    # Threads of a native library do not keep a host that has nothing more to do.
    os._exit(code)
