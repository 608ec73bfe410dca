"""Pages of couriers: who brings what, and who they are."""
