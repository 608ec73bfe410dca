"""Flows of printing: orders become tickets, printers and tickets are managed, and the clock looks after what waits."""
