"""A payment provider to try things on: links with a pay page, and signals about them, signed and posted until answered.

desk.py      what a payment can become, and the rows of it
telling.py   posts the signals, and notices what has expired
routes.py    the merchant's side: make, ask, cancel, pay back
page.py      the payer's side
"""
