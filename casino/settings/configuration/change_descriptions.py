"""
What a change of the house's records changed, column by column, in words and with people's names
(C2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict
from uuid import UUID

from casino.house.attendants.models import Attendant
from casino.settings.configuration import columns as configured
from casino.settings.configuration import descriptions, history

if TYPE_CHECKING:
    from collections.abc import Iterable

    from casino.house.establishments.models import Change

PERSON_COLUMNS = ("attendant_id", "set_by_id", "invited_by_id", "accepted_by_id")


class ChangedColumn(TypedDict):
    """`nothing` is how a column without a value reads."""

    name: str
    before: str
    after: str
    nothing: str


def columns(row: Change, people: dict[str, str]) -> list[ChangedColumn]:
    return [
        {
            "name": configured.word(row.kind, name),
            "before": people.get(
                str(before), descriptions.in_words(row.kind, name, row.before or {})
            ),
            "after": people.get(str(after), descriptions.in_words(row.kind, name, row.after or {})),
            "nothing": descriptions.value(None),
        }
        for name, before, after in history.differing(row)
    ]


def names(rows: Iterable[Change]) -> dict[str, str]:
    """The names of the people in some changes, by id."""
    spoken: set[object] = set()
    for row in rows:
        for data in (row.before or {}), (row.after or {}):
            spoken |= {data.get(column) for column in PERSON_COLUMNS}
        spoken |= {row.actor, row.asked_by}
    ids = {known for each in spoken if (known := _id(each))}
    return {str(each.pk): str(each) for each in Attendant.objects.filter(pk__in=ids)}


def _id(written: object) -> UUID | None:
    """The value as an id; None if the actor is the program itself, or nobody."""
    try:
        return UUID(str(written))
    except ValueError:
        return None
