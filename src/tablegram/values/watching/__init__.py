"""What a process keeps for those who watch it: how long things take, and which request they belong to."""
