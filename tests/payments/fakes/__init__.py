"""Payment providers on loopback, written from their documents: real HTTP, their own checks, and failures on demand.

They know nothing of the product, and would refuse it where the real ones would.
"""
