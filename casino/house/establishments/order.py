"""Natural sort order of tables: Table 2 before Table 10."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from casino.house.establishments.models import Table


def in_order(name: str) -> tuple[tuple[int, str], ...]:
    """The sort key of a name: numbers in it compare as numbers, capitals like small letters."""
    return tuple(
        (int(part), "") if part.isdecimal() else (-1, part.casefold())
        for part in re.findall(r"\d{1,9}|\D+", name)
    )


def in_list_order(tables: Iterable[Table]) -> list[Table]:
    """Tables in the order in which screens list them."""
    return sorted(tables, key=lambda table: in_order(table.name))
