"""Printing: tickets that orders become, printers, and the one queue of print jobs between them."""
