"""Each attack of a stranger in its short form, against one running product."""
