"""Orders that are paid online, as far as the restaurant sees it: what it asks of payments, and what guests are told."""
