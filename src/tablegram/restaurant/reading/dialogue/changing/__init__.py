"""What a guest changes of a draft or an order: how it is said, taken apart into clauses, and done to the lines one after the other."""
