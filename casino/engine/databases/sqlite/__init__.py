"""Django's backend for SQLite, with a file that others cannot read. The settings name it."""
