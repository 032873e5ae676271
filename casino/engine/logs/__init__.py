"""Log lines: what is in them, and a thread that writes them."""
