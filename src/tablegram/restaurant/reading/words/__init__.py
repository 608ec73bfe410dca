"""Reading, word by word: what words mean, and the menu's own."""
