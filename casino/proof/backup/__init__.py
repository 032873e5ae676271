"""
Backups: a copy of the database that can be restored, with a manifest that says what is in it.

Holds a backup of PostgreSQL and of SQLite, the manifest with its check values, reading a backup
before it is trusted, old backups that are deleted, and the commands `backup` and `restore`.
Uses `signing` (a restored ledger is compared with its copies outside) and `engine`.
Begin with `backups.make` and `management/commands/restore.py`. See `docs/how-to/backup.md`.
"""
