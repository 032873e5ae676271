"""
The database's file is its owner's alone from the moment it is there.

What SQLite keeps beside it (``-wal``, ``-shm``) bears the mode of the file itself.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.db.backends.sqlite3 import base

from casino.platform import private

if TYPE_CHECKING:
    from sqlite3 import Connection


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection:
        if not self.is_in_memory_db():
            # Where there is no folder, or the disk is full, SQLite says so itself, in its words.
            with suppress(OSError):
                private.kept(Path(self.settings_dict["NAME"]))
        return super().get_new_connection(conn_params)  # type: ignore[no-any-return]
