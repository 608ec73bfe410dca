"""Money that is asked for by link: links, their life, what providers tell of them, refunds and the ledger of it all.

It knows nothing of orders and tables: what a link is for stands in it as a subject, and flows join the two.
"""
