"""Types of lines, messages and automatic replies."""
