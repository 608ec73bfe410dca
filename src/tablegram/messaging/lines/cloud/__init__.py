"""The line to the Cloud API: what is sent, what comes back, what it means."""
