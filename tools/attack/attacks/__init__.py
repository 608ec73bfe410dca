"""One file for each attack, with `ATTACK`."""
