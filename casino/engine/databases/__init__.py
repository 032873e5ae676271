"""The database backends, keys within a house, append-only tables, migrations, storage failures."""
