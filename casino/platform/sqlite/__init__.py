"""Django's backend for SQLite, with a file that others do not read. Named in the settings."""
