"""Checks who acts on the house's cash: a named person who may record at the house."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.house.attendants import permissions
from casino.kit.approvals import staff
from games.refusals import Refused

if TYPE_CHECKING:
    from casino.house.acts.acts import Act
    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Table


class OwnPrize(Refused):
    code = "own_prize"


def person(act: Act, says: str, *, table: Table | None = None) -> Attendant:
    """
    The person whose act this is, if they may record at the house.

    :param says: that only a person does it, with its control, as a whole sentence.
    :param table: the table of the act, which must be one of the house.
    :raises NotYours: if no person acts, the table is another house's, or the person may not record.
    """
    if act.by is None or (table is not None and table.establishment_id != act.house.pk):
        raise permissions.NotYours(says)
    permissions.require(act.by, "record", act.house)
    return act.by


def not_ones_own(act: Act, player: str) -> dict[str, int]:
    """
    Check that nobody hands out what they have won themselves (C1, D1b).

    :param player: token of the player who has won it.
    :returns: a guard: the append fails if a record of employment, which may name a person as that
        player, changes meanwhile.
    :raises OwnPrize: if the person who acts is that player.
    """
    seen = staff.version(act.house.pk)
    if act.actor in staff.who_play(act.house.pk, [player]):
        raise OwnPrize("You have won this yourself: somebody else hands it out. C1, D1b")
    return seen
