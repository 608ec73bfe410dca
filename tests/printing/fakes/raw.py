"""A network printer: takes raw bytes over TCP and answers DLE EOT, as ESC/POS printers on port 9100 do.

port              where it listens
set               `paper` ok, low or out; `cover` open or closed; `deaf` (answers no question); `hangs_up` (prints, and ends
                  the connection when it is asked afterwards); `cut_after` (resets the connection after so many bytes of a
                  ticket, which count as printed in part); `dead` (takes no connection)
papers            what came out
wait              waits until so many `papers` are out
"""

from __future__ import annotations

import base64
import json
import socket
import struct
import sys
import threading
from typing import Any

state: dict[str, Any] = {
    "paper": "ok",
    "cover": "closed",
    "deaf": False,
    "hangs_up": False,
    "cut_after": 0,
    "dead": False,
}
papers: list[bytes] = []
out = threading.Condition()
listener = socket.socket()


def listen(port: int) -> None:
    global listener
    listener = _bound(port)
    listener.listen(8)
    threading.Thread(target=accept, args=(listener,), daemon=True).start()


def _bound(port: int) -> socket.socket:
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind(("127.0.0.1", port))
    return made


def accept(own: socket.socket) -> None:
    while True:
        try:
            link, _ = own.accept()
        except OSError:
            return
        threading.Thread(target=serve, args=(link,), daemon=True).start()


def answer(question: int) -> int:
    empty, opened = state["paper"] == "out", state["cover"] == "open"
    if question == 1:
        return 0x12 | (0x08 if empty or opened else 0)
    if question == 2:
        return 0x12 | (0x04 if opened else 0) | (0x20 if empty else 0)
    if question == 3:
        return 0x12
    return 0x12 | (0x0C if state["paper"] in ("low", "out") else 0) | (0x60 if empty else 0)


def serve(link: socket.socket) -> None:
    ticket, rest = b"", b""
    while True:
        try:
            got = link.recv(4096)
        except OSError:
            break
        if not got:
            break
        rest += got
        while rest:
            at = rest.find(b"\x10\x04")
            if at == 0 and len(rest) >= 3:
                if state["hangs_up"] and ticket:
                    keep(ticket)
                    link.close()
                    return
                if not state["deaf"]:
                    link.sendall(bytes([answer(rest[2])]))
                rest = rest[3:]
            elif at == 0 or (at < 0 and rest.endswith(b"\x10")):
                break
            else:
                part = rest if at < 0 else rest[:at]
                ticket, rest = ticket + part, rest[len(part) :]
                if state["cut_after"] and len(ticket) >= state["cut_after"]:
                    keep(ticket[: state["cut_after"]])
                    link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    link.close()
                    return
    if ticket:
        keep(ticket)
    link.close()


def keep(ticket: bytes) -> None:
    with out:
        papers.append(ticket)
        out.notify_all()


def do(what: str, more: dict[str, Any]) -> dict[str, Any]:
    if what == "port":
        return {"port": port}
    if what == "set":
        state.update(more)
        if more.get("dead") is True:
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        elif more.get("dead") is False:
            listen(port)
        return {}
    if what == "wait":
        with out:
            there = out.wait_for(lambda: len(papers) >= more["papers"], more.get("within_s", 60))
        return {"there": there}
    return {"papers": [base64.b64encode(one).decode() for one in papers]}


# Stays bound and never listens, so that nobody is given the port while the printer is dead.
place = _bound(0)
port = int(place.getsockname()[1])
listen(port)
for line in sys.stdin:
    order = json.loads(line)
    try:
        said = do(order.pop("do"), order)
    except Exception as error:
        said = {"raised": repr(error)}
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()
