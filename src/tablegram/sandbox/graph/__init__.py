"""The business side of the network, in the Cloud API's own wire format."""
