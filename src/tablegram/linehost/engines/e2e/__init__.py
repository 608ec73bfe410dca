"""Messages as the network encrypts them between phones, in the protocol's words and back. No network, no library.

Libraries hold them as protobuf messages of one and the same definition, with names in their own spelling.

    folding.py    such a message as plain values, and back
    people.py     addresses on the network
    inbound.py    what was heard, as events
    history.py    what was written before the link
    outbound.py   what is to be sent
    vcards.py     people as cards
    refusals.py   what errors of the libraries mean
    memory.py     what an engine has to know later of a message that it heard or sent
    telling.py    what the server is told of a device and by it
    session.py    a device's keys: a file while the line runs, and a copy for the server to keep
"""
