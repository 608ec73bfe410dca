"""Paper: what a ticket looks like, as one document, and the bytes, pictures and pages that printers make of it."""
