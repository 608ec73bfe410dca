"""The suite, folder by folder as the source is; what its processes share stands beside this file."""
