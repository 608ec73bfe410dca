"""Messages as the network encrypts them between phones, in the protocol's words and back. Pure: no network, no library.

Libraries hold them as protobuf messages of one and the same definition, with names in their own spelling.

    folding.py    such a message as plain values, and back
    people.py     addresses on the network
    inbound.py    what was heard, as events
    outbound.py   what is to be sent
    vcards.py     people as cards
    memory.py     what an engine has to know later of a message that it heard or sent
"""
