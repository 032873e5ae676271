"""Carrying out a list that was read: all of its lines, with their events, or none."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from casino.house.attendants import permissions
from casino.house.attendants.models import Role
from casino.house.establishments.models import Table
from casino.office.onboarding import csv_lists
from casino.settings.configuration import operations as configuration
from casino.settings.configuration.operations import Adding, Outcome
from casino.settings.staff.operations import hire
from games.refusals import Refused

if TYPE_CHECKING:
    from casino.house.acts import acts
    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.office.onboarding.csv_lists import CsvList, Row

WORDS: Final = 3
SYLLABLES: Final = ("ba", "de", "fi", "go", "lu", "ma", "ne", "pi", "ro", "su", "ta", "ve", "zo")


class ListIsWrong(Refused):
    code = "list_is_wrong"


@dataclass(frozen=True, slots=True)
class Hired:
    """A new person, with the first password, which is shown once."""

    username: str
    role: str
    password: str


def tables(act: acts.Act, listed: CsvList, *, reason: str = "") -> Outcome:
    """
    Add every table of a list, in one entry of the ledger.

    :raises ListIsWrong: if the list has an error.
    :raises NotYours, ReasonMissing, NoLongerFits, CommandReused: as `configuration.put`.
    """
    if (
        before := configuration.earlier_outcome(act)
    ) is not None:  # else its own names count as taken
        return before
    _whole(listed)
    new = [
        Table(
            id=configuration.new_id(act, row.line),
            establishment=act.house,
            name=row.values["name"],
            stake_min=csv_lists.amount(row.values["stake_min"]),
            stake_max=csv_lists.amount(row.values["stake_max"]),
        )
        for row in listed.rows
    ]
    return configuration.put(act, *map(Adding, new), reason=reason)


def staff(house: Establishment, listed: CsvList, *, by: Attendant) -> list[Hired]:
    """
    Hire everybody on a list, each with a first password; all of them or nobody.

    :raises ListIsWrong: if the list has an error.
    :raises NotYours: if the person may not configure the house.
    """
    permissions.require(by, "configure", house)
    _whole(listed)
    with transaction.atomic():
        return [_hire(house, row, by) for row in listed.rows]


def _hire(house: Establishment, row: Row, by: Attendant) -> Hired:
    """:raises ListIsWrong: if the user name was taken a moment ago, or is not valid after all."""
    values, password = row.values, first_password()
    role = csv_lists.role(values["role"]) or Role.ATTENDANT
    try:
        hire(
            establishment=house,
            username=values["username"],
            first_name=values["first"],
            last_name=values["last"],
            password=password,
            role=role,
            by=by,
        )
    except ValidationError as invalid:
        raise ListIsWrong(f"Line {row.line}: {' '.join(invalid.messages)}") from None
    except IntegrityError:
        raise ListIsWrong(
            f"Line {row.line}, username: somebody took this name a moment ago. Look at it again."
        ) from None
    return Hired(values["username"], str(role.label), password)


def first_password() -> str:
    """A random first password: three pronounceable words and a number, about 44 bits."""
    words = ("".join(secrets.choice(SYLLABLES) for _ in range(3)) for _ in range(WORDS))
    return "-".join((*words, f"{secrets.randbelow(900) + 100}"))


def _whole(listed: CsvList) -> None:
    if listed.wrong:
        raise ListIsWrong(str(listed.wrong[0]))
