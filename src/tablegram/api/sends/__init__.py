"""From the body of a send to the message it asks for."""
