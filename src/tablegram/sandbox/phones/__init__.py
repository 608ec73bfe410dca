"""The customers' side of the network: phones, what they hold and what they write."""
