"""What networks and printers call. A network's request is verified, kept in the inbox, and answered; a printer's is answered."""
