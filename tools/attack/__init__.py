"""The attacks that the product is built to stand: one file for each below `attacks/`, found by itself.

To add one, write `attacks/<name>.py` with `ATTACK = Attack(...)`, and its row in the table of SECURITY.md. The suite
(`tests/attacks`) then runs its short form, `make attack` its long one.
"""
