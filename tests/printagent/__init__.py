"""The program that prints beside a printer."""
