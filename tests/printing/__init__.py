"""Tickets, print jobs and printers."""
