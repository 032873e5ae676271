"""Other coins and chips of a house, checked against the amounts that are set there (G11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.house.establishments.denominations import can_make, smallest
from casino.house.establishments.models import Establishment, HouseRules, Table
from casino.house.house_rules import operations as house_rules
from casino.house.house_rules import pieces
from casino.play.settlement.models import PrizeRule
from casino.words.languages.amounts import money
from casino.words.presenters import TITLES
from casino.words.presenters.opening.fields import UNIT
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any


def check(house: Establishment, changed: Mapping[str, Any]) -> None:
    """
    Check that the house's new pieces make what is set at it.

    Other decimals change amounts and pieces alike, so these are checked where decimals change.

    :param house: with its new values; `changed`: those.
    :raises ValidationError: naming what the pieces do not make.
    """
    if "denominations" not in changed or "coin_digits" in changed:
        return
    was = Establishment.objects.get(pk=house.pk).denominations
    if was != house.denominations and (where := ", ".join(_amounts_left(house, smallest(was)))):
        sentence = _("These pieces do not make what is set: %(where)s. Change that first. G11")
        raise ValidationError({"denominations": sentence % {"where": where}})


def _amounts_left(house: Establishment, smallest_before: int) -> Iterator[str]:
    now, listed = timezone.now(), house.denominations
    coming = HouseRules.objects.filter(establishment=house, effective_from__gt=now)
    for rules in (*house_rules.all_in_force(house, now).values(), *coming):
        point = rules.options.get(UNIT, smallest_before)
        if rules.played and not _holds(house, rules, point):
            words = {"game": TITLES[rules.game], "point": money(point)}
            yield _("%(game)s, where a point is worth %(point)s") % words
    for table in Table.objects.filter(establishment=house):
        if any(not can_make(listed, each or 0) for each in (table.stake_min, table.stake_max)):
            yield str(table)
    for prize in PrizeRule.objects.filter(establishment=house, active=True):
        if not can_make(listed, prize.amount):
            yield str(prize.prize)


def _holds(house: Establishment, rules: HouseRules, point: int) -> bool:
    """Whether rules mean the same as before with the new pieces, which make their amounts."""
    if pieces.unit(house, rules.options) != point:
        return False
    try:
        pieces.check_terms(house, rules.options, rules.fee)
    except Refused:
        return False
    return True
