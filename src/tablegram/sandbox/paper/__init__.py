"""Paper in the browser: what a receipt printer would do with the bytes that it is sent."""
