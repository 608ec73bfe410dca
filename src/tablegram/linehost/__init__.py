"""The other end of a linked line: a process for each phone number, with the library that speaks to its network.

Only the standard library is used here, and nothing of the gateway: a host stays small, and one in another language
needs no more than `docs/reference/line-protocol.md`.

    words.py      the protocol's constants
    wire.py       frames over the socket
    journal.py    what the server has not taken yet, on disk
    host.py       obeys the server, and stops by itself when it hears nothing of it
    orders.py     what the server orders, as calls of an engine
    engines/      who speaks to a network
    checking/     tries any host against the protocol
"""
