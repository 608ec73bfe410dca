"""The agent's ways to a printer: what is on paper, what surely is not, and what nobody knows are told apart."""

from __future__ import annotations

import os
import pty
import socket
import stat
import threading
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablegram.printagent.devices.cups import CupsPrinter
from tablegram.printagent.devices.files import FilePrinter
from tablegram.printagent.devices.network import NetworkPrinter
from tablegram.printagent.devices.opening import WrongDevice, open_device
from tablegram.printagent.devices.state import OFFLINE, UNKNOWN, Broken, State, Unreachable, read
from tablegram.printagent.finding import find, neighbours
from tests.printing.fakes.leading import Fake, fake

TICKET = b"\x1b@2 x \x80ay\n\x1dV\x42\x00" * 40


@pytest.fixture
def printer() -> Iterator[Fake]:
    with fake("raw") as made:
        yield made


def at(printer: Fake) -> NetworkPrinter:
    # Patient, because the machine may be slow; an answer that never comes is tried with little patience below.
    return NetworkPrinter("127.0.0.1", printer.ask("port")["port"], connect_s=20, answer_s=20)


def test_a_network_printer_is_asked_before_and_after(printer: Fake) -> None:
    assert at(printer).state() == State(True)
    assert at(printer).print(TICKET) == State(True)
    printer.ask("set", paper="low")
    assert at(printer).print(TICKET) == State(True, "", True)
    assert printer.ask("wait", papers=2)["there"]
    assert printer.papers() == [TICKET, TICKET]
    for change, error in (({"paper": "out"}, "paper_out"), ({"paper": "ok", "cover": "open"}, "cover_open")):
        printer.ask("set", **change)
        assert at(printer).print(TICKET).error == error
        assert at(printer).state().error == error
    assert len(printer.papers()) == 2


def test_what_a_network_printer_leaves_open_is_in_doubt(printer: Fake) -> None:
    printer.ask("set", hangs_up=True)
    with pytest.raises(Broken):
        at(printer).print(TICKET)
    assert printer.papers() == [TICKET]
    printer.ask("set", hangs_up=False, cut_after=20)
    with pytest.raises(Broken):
        at(printer).print(TICKET * 200)
    printer.ask("set", cut_after=0, dead=True)
    with pytest.raises(Unreachable):
        at(printer).print(TICKET)
    assert at(printer).state() == OFFLINE


def test_a_printer_that_answers_no_questions_prints_all_the_same(printer: Fake) -> None:
    printer.ask("set", deaf=True)
    deaf = NetworkPrinter("127.0.0.1", printer.ask("port")["port"], connect_s=20, answer_s=0.3)
    assert deaf.state() == UNKNOWN
    assert deaf.print(TICKET) == UNKNOWN
    assert printer.ask("wait", papers=1)["there"]
    assert printer.papers() == [TICKET]


def test_a_serial_printer_answers_on_its_line() -> None:
    """The other end of a pseudo-terminal plays the printer."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    path = os.ttyname(theirs)
    got, status = bytearray(), {4: 0x12}

    def play() -> None:
        rest = b""
        while True:
            try:
                rest += os.read(ours, 4096)
            except OSError:
                return
            while (at := rest.find(b"\x10\x04")) >= 0 and len(rest) >= at + 3:
                got.extend(rest[:at])
                os.write(ours, bytes([status.get(rest[at + 2], 0x12)]))
                rest = rest[at + 3 :]

    threading.Thread(target=play, daemon=True).start()
    try:
        assert isinstance(open_device(f"serial:{path}@115200"), FilePrinter)
        line = FilePrinter(path, "115200", write_s=30, answer_s=20)
        assert line.print(TICKET) == State(True)
        assert bytes(got) == TICKET
        status[4] = 0x12 | 0x60
        assert line.print(TICKET).error == "paper_out"
        assert line.state().error == "paper_out"
        assert bytes(got) == TICKET
    finally:
        os.close(theirs)
        os.close(ours)


def test_a_device_file_that_is_not_there_or_takes_nothing(tmp_path: Path) -> None:
    gone = FilePrinter(str(tmp_path / "lp0"))
    assert gone.state() == OFFLINE
    with pytest.raises(Unreachable):
        gone.print(TICKET)
    # A pipe that nobody reads takes some and then no more, as a printer without paper does.
    pipe = tmp_path / "lp1"
    os.mkfifo(pipe)
    with pytest.raises(Broken):
        FilePrinter(str(pipe), write_s=0.5, answer_s=0.1).print(TICKET * 5_000)


def test_cups_takes_the_bytes_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With stand-ins for its two commands, which note how they were called."""

    def command(name: str, text: str) -> None:
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    command("lpstat", 'echo "printer $2 is idle.  enabled"')
    command("lp", f'echo "$@" > {tmp_path}/called; cat > {tmp_path}/paper')
    kitchen = open_device("cups:kitchen")
    assert isinstance(kitchen, CupsPrinter)
    assert kitchen.print(TICKET) == UNKNOWN
    assert (tmp_path / "paper").read_bytes() == TICKET
    assert (tmp_path / "called").read_text().split() == ["-d", "kitchen", "-o", "raw", "-s"]
    command("lp", "exit 1")
    with pytest.raises(Unreachable):
        kitchen.print(TICKET)
    command("lpstat", 'echo "printer $2 disabled since today"')
    assert kitchen.print(TICKET) == State(True, "stopped")
    command("lpstat", "exit 1")
    assert kitchen.print(TICKET) == OFFLINE


def test_devices_are_named_in_four_ways_and_no_other() -> None:
    for text in ("tcp://192.168.1.50", "192.168.1.50:9101", "printer.lan", "tcp://[fe80::1]:9100", "/dev/usb/lp0",
                 "serial:/dev/ttyUSB0", "serial:/dev/ttyUSB0@38400", "cups:Kitchen_1"):  # fmt: skip
        assert open_device(text, told=True), text
    for text in ("", "tcp://", "tcp://a b", "http://x/", "cups:", "cups:-o", "cups:a b", "serial:x@9600", "serial:/dev/ttyUSB0@7",
                 "/dev/../etc/passwd", "/etc/passwd", "host:0", "host:99999", "host:9100/x"):  # fmt: skip
        with pytest.raises(WrongDevice):
            open_device(text)
    # A server that was broken into does not reach other files or services of the restaurant by its agent.
    for text in ("/dev/sda", "/dev/mem", "serial:/dev/sda", "192.168.1.1:80", "localhost:22"):
        assert open_device(text)
        with pytest.raises(WrongDevice):
            open_device(text, told=True)


def test_the_state_is_read_from_four_answers() -> None:
    fine = b"\x12\x12\x12\x12"
    assert read(fine) == State(True)
    for at_byte, byte, wanted in (
        (0, 0x1A, State(True, "offline")), (1, 0x16, State(True, "cover_open")), (1, 0x32, State(True, "paper_out")),
        (2, 0x1A, State(True, "cutter")), (2, 0x32, State(True, "broken")), (2, 0x52, State(True, "fault")),
        (3, 0x1E, State(True, "", True)), (3, 0x7E, State(True, "paper_out", True)),
    ):  # fmt: skip
        assert read(fine[:at_byte] + bytes([byte]) + fine[at_byte + 1 :]) == wanted, (at_byte, byte)
    for nonsense in (b"", b"\x12", b"\x12\x12\x12", b"HTTP", b"\x00\x00\x00\x00", b"\xff" * 4):
        assert read(nonsense) == UNKNOWN


def test_only_the_own_private_network_is_looked_through(printer: Fake) -> None:
    assert len(neighbours("192.168.1.17")) == 253
    assert "192.168.1.17" not in neighbours("192.168.1.17")
    for address in ("8.8.8.8", "127.0.0.1", "0.0.0.0", "", "x", "::1"):
        assert neighbours(address) == []
    port = printer.ask("port")["port"]
    with socket.socket() as closed:
        closed.bind(("127.0.0.9", 0))
        assert find(["127.0.0.1", "127.0.0.9"], port, answer_s=20) == ["127.0.0.1"]
