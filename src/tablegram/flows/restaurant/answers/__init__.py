"""What is answered about venues, menus, tables and figures: the structs that flows make, pages show, and the API encodes."""
