"""Listeners without a framework: the request, the answer and the refusals of pages that know few addresses, and of hooks."""
