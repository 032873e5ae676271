"""
How public screens name players: wall boards, the waiting list, scoreboards, the guests' page.

Each is named as they allow (`Player.shown`), and no further than the house does (`wall_names`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.utils.translation import gettext as _

from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.house.attendants.pseudonyms.models import Player
from casino.play.exclusions.operations import NoSuchPlayer
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from casino.house.establishments.models import Establishment

SHOWN: Final = "player.shown"
NUMBERS: Final = 9000  # of four digits


class NameErased(Refused):
    code = "erased_already"


def public_names(house: Establishment, players: Iterable[str]) -> dict[str, str]:
    """What players are called on public screens, by token: a name, or their number at the house."""
    numbers = numbers_of(players).items()
    called = {each: _("number %(number)s") % {"number": number} for each, number in numbers}
    return {**called, **screen_names(house, called)}


def screen_names(house: Establishment, players: Collection[str]) -> dict[str, str]:
    """
    The names of players on public screens, by token, without those who show none; one query.

    Who reads like another one there has their number behind the name.
    """
    if not house.wall_names or not players:
        return {}
    known = Player.objects.filter(establishment=house, token__in=players, name__isnull=False)
    named = known.exclude(shown=Player.Shown.NUMBER).values_list("token", "name", "shown")
    shown = {
        token: name if how == Player.Shown.FULL else short_name(name)
        for token, name, how in named
        if name
    }
    many, numbers = Counter(shown.values()), numbers_of(shown)
    return {
        token: name if many[name] == 1 else f"{name} {numbers[token]}"
        for token, name in shown.items()
    }


def number_of(player: str) -> int:
    """A player's number at the house, of four digits: always the same, and it says nothing else."""
    return int.from_bytes(sha256(player.encode()).digest()[:8]) % NUMBERS + 1000


def numbers_of(players: Iterable[str]) -> dict[str, str]:
    """
    The numbers of players on one screen, each another one: whoever shares the four digits with
    somebody there has as many digits more, always the same, as tell them apart.
    """
    whole = {each: f"{number_of(each)}{_more_digits(each)}" for each in players}
    found, length = dict[str, str](), 4
    while left := whole.keys() - found.keys():
        many = Counter(whole[each][:length] for each in left)
        found |= {each: whole[each][:length] for each in left if many[whole[each][:length]] == 1}
        length += 1
    return found


def _more_digits(player: str) -> str:
    return f"{int.from_bytes(sha256(player.encode()).digest()[8:]):058d}"


def short_name(name: str) -> str:
    """The first word of a name, and the first letter of its last: Ada L."""
    first, *others = name.split() or [""]
    return f"{first} {others[-1][0]}." if others else first


def choose(act: acts.Act, *, player: str, shown: str) -> None:
    """
    Set how public screens name a player, as they ask for it at the desk or at a table.

    :raises NotYours: if the person may not record at the house.
    :raises NoSuchPlayer: if the house has no player of that id; `NameErased`: if it has no name.
    """
    if act.by is not None:
        permissions.require(act.by, "record", act.house)
    rows = Player.objects.filter(establishment=act.house, token=player)

    def decide() -> acts.Done:
        known = rows.select_for_update(of=("self",), no_key=True).first()
        if known is None:
            raise NoSuchPlayer(f"This house knows no player {player}.")
        if known.name is None:
            raise NameErased(f"The name of {player} is erased: no screen shows it.")
        stream = tokens.player_stream(player)
        data = {"player": player, "before": known.shown, "shown": shown}
        event = journal.NewEvent(stream=stream, event_type=SHOWN, schema_version=1, data=data)
        return acts.Done(
            guards=journal.versions(establishment=act.house.pk, streams=[stream]), events=[event]
        )

    request = {"do": "choose_shown", "player": player, "shown": shown}
    refusal: Refused | None = None
    with transaction.atomic():  # the row and its event together; a refusal is recorded, too
        try:
            receipt = acts.perform(replace(act, request=request), decide)
        except Refused as refused:
            refusal = refused
        else:
            if not receipt.repeated:
                rows.update(shown=shown)
    if refusal is not None:
        raise refusal
