"""How tickets reach printers: what each kind of printer says and is told, as plain functions; and the way to one that we call.

verdicts.py    what a printer's answer means for its job
cloudprnt.py   Star CloudPRNT
epson.py       Epson Server Direct Print
agents.py      our own print agent
proofs.py      Basic and Digest authentication of printers
direct.py      ESC/POS over TCP, for printers that the installation itself reaches
    calling.py     the drain of those
    browser.py     an open page, and the person before it
"""
