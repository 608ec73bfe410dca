"""From what stands on a ticket to a document, as its station wants it, in the words of its language."""
