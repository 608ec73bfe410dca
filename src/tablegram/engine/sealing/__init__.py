"""What becomes of everything sealed when the installation gets another secret key."""
