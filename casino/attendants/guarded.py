"""
The sign-in log as the database keeps it: lines are added, none is changed or taken out (D2).

What a line says of a person is their id and an address; names stand beside it and can be taken away
there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from casino.platform.append_only import WrittenOnce

TABLE: Final = "attendants_signin"
SIGN_INS: Final = WrittenOnce(
    table=TABLE,
    sql=Path(__file__).parent / "sql",
    installing=0x7369_676E_696E,  # "signin"
)

after_migrate = SIGN_INS.after_migrate
install = SIGN_INS.install
missing = SIGN_INS.missing
sqlite_triggers = SIGN_INS.sqlite_triggers
postgresql_triggers = SIGN_INS.postgresql_triggers
