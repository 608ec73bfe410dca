"""Each maker's language, and those of pages and plain text: a document in, bytes out."""
