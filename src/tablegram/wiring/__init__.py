"""The composition root: one file for each part of the product, the list of them, and the product that walks over it."""

from tablegram.wiring.product import Product

__all__ = ["Product"]
