"""Printers that speak the real protocols, each a process of its own that is led line by line.

A line is a JSON object that says what to do; the answer is one too. Written from the makers' documents, with the standard
library alone, and knowing nothing of the product.
"""
