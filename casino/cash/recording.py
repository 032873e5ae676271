"""Who acts on the house's cash: a person, by name, who may record there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.approvals import staff
from casino.attendants import permissions
from games.refusals import Refused

if TYPE_CHECKING:
    from casino.attendants.models import Attendant
    from casino.establishments.models import Table
    from casino.operations.acts import Act


class OwnPrize(Refused):
    code = "own_prize"


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


def not_ones_own(act: Act, player: str) -> dict[str, int]:
    """
    Nobody hands out what they have won themselves (C1, D1b).

    :param player: whose it is, by token.
    :return: a guard: who is said to be that player meanwhile must not be missed.
    :raises OwnPrize: if whoever acts is that player.
    """
    seen = staff.version(act.house.pk)
    if act.actor in staff.who_play(act.house.pk, [player]):
        raise OwnPrize("You have won this yourself: somebody else hands it out. C1, D1b")
    return seen
