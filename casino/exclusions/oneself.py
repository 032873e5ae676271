"""A player excludes themselves (P1), on the guests' page: at once, and only for longer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.utils import translation
from django.utils.translation import gettext as _

from casino.establishments.gaming_day import current
from casino.exclusions.operations import EXCLUDED, AlreadyExcluded, WrongPeriod
from casino.exclusions.standing import STREAM, Bar, standing
from casino.operations import acts
from casino.pseudonyms import tokens as pseudonyms
from ledger import journal

if TYPE_CHECKING:
    from datetime import date


def exclude_oneself(act: acts.Act, *, until: date | None) -> Bar:
    """
    Exclude the player whose act it is, from now on.

    An exclusion that they have is never shortened: the two become one that ends with the later.

    :param until: the last gaming day; None: until the house readmits them.
    :raises WrongPeriod: if that day has passed.
    :raises AlreadyExcluded: if they are excluded for as long already.
    """
    player = act.guest

    def decide() -> acts.Done:
        seen, day = standing(act.house.pk), current(act.house, act.now)
        if until is not None and until < day:
            raise WrongPeriod("The exclusion would end before it begins. P1")
        bar, had = Bar(day, until), seen.bars.get(player)
        if had is not None and (had.until is None or had.until >= day):
            ends = None if None in {until, had.until} else max(filter(None, (until, had.until)))
            if had.since <= day and ends == had.until:
                raise AlreadyExcluded(f"{player} is excluded for as long already. P1")
            bar = Bar(min(day, had.since), ends)
        with translation.override(act.house.language or None):
            reason = _("Asked for by themselves, on the guests' page.")
        data = {
            "player": player,
            "since": bar.since.isoformat(),
            "until": bar.until.isoformat() if bar.until else None,
            "reason": pseudonyms.keep(act.house.pk, reason),
        }
        event = journal.NewEvent(stream=STREAM, event_type=EXCLUDED, schema_version=1, data=data)
        return acts.Done(guards={STREAM: seen.version}, events=[event])

    fields = {"do": "exclude_oneself", "until": until}
    acts.perform(replace(act, request=fields), decide)
    return standing(act.house.pk).bars[player]
