"""
The sign-in log as the database keeps it: lines are added, none is changed or taken out (D2).

What a line says of a person is their id and an address; names stand beside it and can be taken away
there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from casino.platform.append_only import WrittenOnce

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
"""Lines that met no house: a table of its own, for they have no house to be keyed by."""

LOGS: Final = (SIGN_INS, STRAYS)
