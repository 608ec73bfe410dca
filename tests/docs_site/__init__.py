"""The site that is built of docs."""
