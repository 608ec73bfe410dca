"""Message templates: what one may hold, how it is written for the network, and what is known of each."""
