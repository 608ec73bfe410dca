"""A messaging network to try things on: Cloud-API-compatible, local, and honest about failures.

Read it in this order:

    app.py          the ASGI application, under /sandbox; also runs alone
    access.py       who may talk to it (this machine only, unless opened)
    network.py      what the network does: accept, deliver, read, carry a customer's words to a line
    graph/          the business side, in the Cloud API's own wire format
    phones/         the customers' side: phones that a person or a test holds, and what stands behind a bubble
    control.py      lines, counters, faults and the live stream
    faults.py       everything that can be made to go wrong
    delivery/       the bodies that are posted to a line's callback URL, signed, until they are answered 200
    store.py        the network's own SQLite file
    page/           the phone page
    payments/       a payment provider: links with a pay page, and signed signals
    paper/          receipt printers that are pictures: what they are sent, read as a printer reads it

It imports nothing of the gateway but its base values: a simulator that shared code with what it
is there to test would agree with its mistakes.
"""
