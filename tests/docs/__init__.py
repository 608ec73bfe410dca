"""The pages of docs: their commands run, and their links lead somewhere."""
