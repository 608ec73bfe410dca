"""The SQL of the pool: contacts and their names, the words that find them, automatic replies."""
