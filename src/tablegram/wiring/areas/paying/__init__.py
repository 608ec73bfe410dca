"""Where payments meet what is paid for."""
