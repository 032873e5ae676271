"""The sequence log is append-only: the database lets nobody change or delete a row."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from casino.engine.databases.guards import WrittenOnce

SEQUENCES: Final = WrittenOnce(
    table="devices_deviceentry",
    sql=Path(__file__).parent / "sql",
    installing=0x6465_7669_6365,  # "device"
)
