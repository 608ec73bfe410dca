"""The version of the client: the API's, and a number of its own."""

__version__ = "1.4.0"
