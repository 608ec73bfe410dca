"""Reading, letter by letter: typing errors and endings."""
