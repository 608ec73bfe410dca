"""Pages of people and the account: coming in, security, team, audit log, usage."""
