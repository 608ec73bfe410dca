"""Who is in a segment, rule by rule, against a world that is known."""
