"""What networks call: a request is verified, kept in the inbox, and answered."""
