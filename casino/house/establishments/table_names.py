"""Names of tables: Table 2 before Table 10, and the name that a table had at an earlier moment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from casino.house.establishments.models import Change

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from casino.house.establishments.models import Establishment, Table

Place = tuple[str, int]
"""A table by id, and a position in the house's ledger."""


def names_at(house: Establishment, places: Collection[Place]) -> dict[Place, str]:
    """The name of each table as of each position. Two queries, however many."""
    now = {str(pk): name for pk, name in house.tables.values_list("pk", "name")}
    changes: dict[str, list[tuple[int, str, str]]] = {}
    rows = Change.objects.filter(
        establishment=house, kind="table", thing__in={table for table, _position in places}
    )
    for table, position, before, after in rows.order_by("position").values_list(
        "thing", "position", "before", "after"
    ):
        names = (before or {}).get("name", ""), (after or {}).get("name", "")
        changes.setdefault(table, []).append((position, *names))
    return {
        (table, position): _name(changes.get(table, ()), position) or now.get(table, "?")
        for table, position in places
    }


def _name(changes: Collection[tuple[int, str, str]], position: int) -> str:
    """The last name given before the position, or the first one that was changed after it."""
    earlier = [after for changed, _before, after in changes if changed < position]
    later = [before for changed, before, _after in changes if changed > position]
    return earlier[-1] if earlier else later[0] if later else ""


# --- The order of tables --------------------------------------------------------------------------


def in_order(name: str) -> tuple[tuple[int, str], ...]:
    """The sort key of a name: numbers in it compare as numbers, capitals like small letters."""
    return tuple(
        (int(part), "") if part.isdecimal() else (-1, part.casefold())
        for part in re.findall(r"\d{1,9}|\D+", name)
    )


def in_list_order(tables: Iterable[Table]) -> list[Table]:
    """Tables in the order in which screens list them."""
    return sorted(tables, key=lambda table: in_order(table.name))
