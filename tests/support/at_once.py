"""Several people at the same instant, each on a connection of their own."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import TYPE_CHECKING, Any

from django.db import connection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@contextmanager
def on_a_file(folder: Path) -> Iterator[None]:
    """Writers cannot wait for each other in SQLite's memory: let all threads use a file."""
    if connection.vendor != "sqlite":
        yield
        return
    path = folder / "house.sqlite3"
    connection.ensure_connection()
    with sqlite3.connect(path) as copy:
        connection.connection.backup(copy)
        # As a house's file is when people come: of several that turn it into one at the same
        # instant, SQLite lets none wait for the other.
        copy.execute("PRAGMA journal_mode=WAL")
    copy.close()
    inner, name = connection.connection, connection.settings_dict["NAME"]
    connection.connection, connection.settings_dict["NAME"] = None, str(path)
    try:
        yield
    finally:
        connection.close()
        connection.connection, connection.settings_dict["NAME"] = inner, name


def at_once(many: int, ask: Callable[[int], Any]) -> list[Any]:
    """The answers of threads that ask at the same time."""
    ready = Barrier(many)

    def asking(number: int) -> Any:
        try:
            ready.wait(10)
            return ask(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(many) as threads:
        return list(threads.map(asking, range(many)))
