"""Paper in dots: drawn by children of the workshop, for printers that are to print any script."""
