"""People who sign in: passwords, second factors, sessions and invitations."""
