"""
The sign-in log is append-only: the database lets nobody change or delete a line (D2).

A line has a person's id and an address. Names are in another table, where they can be erased.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from casino.engine.databases.guards import WrittenOnce

SIGN_INS: Final = WrittenOnce(
    table="attendants_signin",
    sql=Path(__file__).parent / "sql",
    installing=0x7369_676E_696E,  # "signin"
)
STRAYS: Final = WrittenOnce(
    table="attendants_straysignin",
    sql=Path(__file__).parent / "sql_strays",
    installing=0x7374_7261_7973,  # "strays"
)
"""Lines that belong to no house: a separate table, because its key has no house."""

LOGS: Final = (SIGN_INS, STRAYS)
