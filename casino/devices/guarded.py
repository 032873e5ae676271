"""The sequence book as the database keeps it: numbers are added, none is changed or taken out."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from casino.platform.append_only import WrittenOnce

SEQUENCES: Final = WrittenOnce(
    table="devices_deviceentry",
    sql=Path(__file__).parent / "sql",
    installing=0x6465_7669_6365,  # "device"
)
