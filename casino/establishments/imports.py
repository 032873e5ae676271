"""Carrying out a list that was read: all of its lines, each with its event, or none."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db import transaction

from casino.attendants import permissions
from casino.attendants.models import Role
from casino.attendants.operations import hire
from casino.establishments import configuration, sheets
from casino.establishments.configuration import Adding, Outcome
from casino.establishments.models import Table
from games.refusals import Refused

if TYPE_CHECKING:
    from casino.attendants.models import Attendant
    from casino.establishments import acts
    from casino.establishments.models import Establishment
    from casino.establishments.sheets import Sheet

WORDS: Final = 3
SYLLABLES: Final = ("ba", "de", "fi", "go", "lu", "ma", "ne", "pi", "ro", "su", "ta", "ve", "zo")


class ListIsWrong(Refused):
    code = "list_is_wrong"


@dataclass(frozen=True, slots=True)
class Hired:
    """Somebody new, and the first password that is told once."""

    username: str
    role: str
    password: str


def tables(act: acts.Act, sheet: Sheet, *, reason: str = "") -> Outcome:
    """
    Add every table of a list, in one entry of the ledger.

    :raises ListIsWrong: if anything in it is wrong.
    """
    _whole(sheet)
    new = [
        Table(
            id=configuration.new_id(act, row.line),
            establishment=act.house,
            name=row.values["name"],
            stake_min=_amount(row.values["stake_min"]),
            stake_max=_amount(row.values["stake_max"]),
        )
        for row in sheet.rows
    ]
    return configuration.put(act, *map(Adding, new), reason=reason)


def staff(house: Establishment, sheet: Sheet, *, by: Attendant) -> list[Hired]:
    """
    Take on everybody of a list with a first password each, all or nobody.

    :raises ListIsWrong: if anything in it is wrong.
    :raises NotYours: if the person may not keep the house's things.
    """
    permissions.require(by, "configure", house)
    _whole(sheet)
    with transaction.atomic():
        return [_hired(house, row.values, by) for row in sheet.rows]


def _hired(house: Establishment, values: sheets.Values, by: Attendant) -> Hired:
    password = first_password()
    role = sheets.role(values["role"]) or Role.ATTENDANT
    hire(
        establishment=house,
        username=values["username"],
        first_name=values["first"],
        last_name=values["last"],
        password=password,
        role=role,
        by=by,
    )
    return Hired(values["username"], str(role.label), password)


def first_password() -> str:
    """Three words that can be read out, and a number: some 44 bits."""
    words = ("".join(secrets.choice(SYLLABLES) for _ in range(3)) for _ in range(WORDS))
    return "-".join((*words, f"{secrets.randbelow(900) + 100}"))


def _whole(sheet: Sheet) -> None:
    if sheet.wrong:
        first = sheet.wrong[0]
        raise ListIsWrong(f"Line {first.line} {first.column}: {first.sentence}")


def _amount(written: str) -> int | None:
    return int(written) if written else None
