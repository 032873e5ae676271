"""
The database's file belongs to its owner alone from the moment it exists.

The files that SQLite keeps beside it (``-wal``, ``-shm``) get the mode of that file.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.db.backends.sqlite3 import base

from casino.engine.processes import private

if TYPE_CHECKING:
    from sqlite3 import Connection


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection:
        if not self.is_in_memory_db():
            # If the folder is missing or the disk is full, SQLite reports that itself.
            with suppress(OSError):
                private.keep_private(Path(self.settings_dict["NAME"]))
        return super().get_new_connection(conn_params)  # type: ignore[no-any-return]
