"""Reading, the sentence around dishes: who speaks, what is denied, added, asked for."""
