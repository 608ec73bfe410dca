"""Ways to a printer, one file each; `opening` chooses by how a device is written."""
