"""Measures, traces and the trail of a request."""
