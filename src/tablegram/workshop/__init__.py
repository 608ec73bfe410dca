"""Work on what strangers sent, in child processes with limits, by turns between accounts. It knows no domain."""
