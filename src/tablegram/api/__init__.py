"""The API: the gate that every call passes, and what turns a request into one call and its answer."""
