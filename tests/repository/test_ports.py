"""A port that a test was given is its own: nobody beside it is given the same one before its server listens."""

from __future__ import annotations

import socket

import pytest

from tests.ports import free_port, hold


def _server(port: int) -> socket.socket:
    """As every server listens."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen()
    return listener


def test_a_port_is_given_to_one_alone() -> None:
    port = free_port()
    assert hold(port) is None, "a run beside this one would be given it too"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))


def test_a_server_listens_on_it_and_again_after_it_was_stopped() -> None:
    port = free_port()
    for _ in range(2):
        with _server(port) as listener, socket.create_connection(("127.0.0.1", port)) as caller:
            listener.accept()[0].close()
            assert hold(port) is None
            assert caller.recv(1) == b""
    assert hold(port) is None, "between two starts it is still ours"


def test_a_port_that_somebody_listens_on_is_not_held() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        assert hold(listener.getsockname()[1]) is None
