"""What the network tells, kind by kind: arrivals, what became of messages, persons, and news."""
