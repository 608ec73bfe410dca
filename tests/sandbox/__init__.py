"""The network for playing: that it behaves as the real one."""
