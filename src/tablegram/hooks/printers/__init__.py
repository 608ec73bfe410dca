"""Where printers and print agents call us: one listener for each protocol, behind one door.

door.py       keys, proofs, rates and sizes, the same for all of them
star.py       Star CloudPRNT
epson.py      Epson Server Direct Print
agents.py     our print agent
program.py    the agent itself, as one file to download
"""
