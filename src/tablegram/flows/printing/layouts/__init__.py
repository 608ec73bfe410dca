"""How tickets look: what was chosen, who chooses it, and what is answered about it."""
