"""Photos of dishes and the venue's logo: drawn anew as two small WebP files each, and nothing else is kept."""
