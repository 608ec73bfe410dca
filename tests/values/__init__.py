"""Values that everything else is made of, and calls over HTTP."""
