"""The print agent: a small program beside the restaurant's printers, which fetches tickets from the server and prints them.

Only the standard library is used here, and nothing of the gateway: it runs on any machine with Python, from one file.

    options.py    what is said on the command line, in the environment or in a file
    link.py       the way to the server: asks for a ticket, tells what became of it
    journal.py    what was begun and not yet told, on disk
    working.py    one printer's loop
    devices/      ways to a printer: network, device file, serial line, CUPS
    finding.py    printers in the local network
    taking.py     orders that come as webhooks, without any other link
    slips.py      such an order as bytes for a printer
"""
