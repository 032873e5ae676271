"""Who acts on the house's cash: a person, by name, who may record there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.attendants import permissions

if TYPE_CHECKING:
    from casino.attendants.models import Attendant
    from casino.establishments.acts import Act
    from casino.establishments.models import Table


def person(act: Act, does: str, *, table: Table | None = None) -> Attendant:
    """
    Whose act it is.

    :param does: what only a person does, with its control: ``counts, by name. B1``.
    :param table: where: one of the house.
    :raises NotYours: if nobody acts, or not at this house, or their role does not let them record.
    """
    if act.by is None or (table is not None and table.establishment_id != act.house.pk):
        raise permissions.NotYours(f"Somebody of the house {does}")
    permissions.require(act.by, "record", act.house)
    return act.by
