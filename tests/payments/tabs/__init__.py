"""Bills that are paid by link."""
