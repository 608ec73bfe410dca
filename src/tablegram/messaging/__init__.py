"""Messages and lines, apart from any network; drivers of networks are in `lines`."""
