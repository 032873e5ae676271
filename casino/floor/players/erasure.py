"""
Erases a player's name, by an act with an event; after it the name is stored nowhere.

Only the random id in the ledger stays. Proofs need it, and it says nothing about the person. If the
same person comes back, they are a new player.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from casino.floor.players import cash
from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.house.attendants.pseudonyms.models import Player, Text
from casino.house.establishments.gaming_day import current
from casino.money.cash.models import Owed
from casino.play.exclusions import operations as exclusions
from games.fees import coins
from games.refusals import Refused
from ledger import journal
from ledger.models import Account

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

ERASED = "player.erased"
BATCH = 500  # texts that are searched or updated at once


class StillExcluded(Refused):
    code = "still_excluded"


class MoneyOwed(Refused):
    code = "money_owed"


class StillSeated(Refused):
    code = "still_seated"


class ErasedAlready(Refused):
    code = "erased_already"


def erase(act: acts.Act, *, player: str, reason: str) -> journal.Receipt:
    """
    Erase a player's name, and every text of the house that contains it.

    This appends an event. The projection erases when it reads the event, each time it reads it.

    :raises NotYours: if the person may not configure the house.
    :raises NoSuchPlayer: if the house has no player of that id.
    :raises StillSeated: while the player sits at a table under that name.
    :raises StillExcluded: while the name is needed to refuse the player a seat (P1).
    :raises MoneyOwed: while the house owes the player money, which would belong to nobody (P3).
    :raises ErasedAlready: if the name was erased before.
    """
    if act.by is not None:
        permissions.require(act.by, "configure", act.house)

    def decide() -> acts.Done:
        _erasable(act, player)
        stream = pseudonyms.player_stream(player)
        guards = journal.versions(establishment=act.house.pk, streams=[stream, exclusions.STREAM])
        data = {
            "player": player,
            "reason": pseudonyms.keep(act.house.pk, reason) if reason.strip() else "",
        }
        event = journal.NewEvent(stream=stream, event_type=ERASED, schema_version=1, data=data)
        return acts.Done(guards=guards, events=[event])

    fields = {"do": "erase", "player": player, "reason": reason}
    return acts.perform(replace(act, request=fields), decide)


def _erasable(act: acts.Act, player: str) -> None:
    house = act.house
    known = Player.objects.filter(establishment=house, token=player).first()
    if known is None:
        raise exclusions.NoSuchPlayer(f"This house knows no player {player}.")
    if known.name is None:
        raise ErasedAlready(f"The name of {player} is erased already.")
    bar = exclusions.exclusion_state_of(house.pk).bars.get(player)
    if bar is not None and (bar.until is None or bar.until >= current(house, act.now)):
        raise StillExcluded(
            f"{player} is excluded: without the name nobody could refuse them a seat. Readmit"
            " them first. P1"
        )
    if cash.game_of_player(house, player) is not None:
        raise StillSeated(f"{player} sits at a table: they leave the game first.")
    if cash.prizes_owed(house).filter(player=player).exists():
        raise MoneyOwed(f"A prize of {player} has not been handed out: do that first. P3")
    if owed := _money_owed(house.pk, player):
        raise MoneyOwed(
            f"The house owes {player} {coins(owed)}: cash out, or hand out the prize, first. P3"
        )


def _money_owed(establishment: UUID, player: str) -> int:
    """What the house owes a player, from the ledger's accounts; `Owed` rows say which accounts."""
    names = Owed.objects.filter(establishment=establishment, player=player)
    keys = [(each.kind, each.name) for each in names] + [("prizes_owed", player)]
    rows = (
        Account.objects.filter(establishment=establishment, kind=kind, name=name).first()
        for kind, name in set(keys)
    )
    return sum(row.credits - row.debits for row in rows if row)


def forget(establishment: UUID, player: str) -> None:
    """Erase a name and its texts, for each event of an erasure; does nothing if they are gone."""
    rows = Player.objects.filter(establishment_id=establishment, token=player)
    name = rows.values_list("name", flat=True).first()
    if name is None:
        return
    for texts in _with_name(establishment, name):
        # Without the salt nobody can test guesses against the text's hash in the ledger.
        Text.objects.filter(establishment_id=establishment, token__in=texts).update(
            text=None, salt=b""
        )
    rows.update(name=None, shown=Player.Shown.SHORT)


def _with_name(establishment: UUID, name: str) -> Iterator[list[str]]:
    """The texts that contain a name as whole words, ignoring case, spacing and Unicode form."""
    named = re.compile(rf"(?<!\w){re.escape(_plain(name))}(?!\w)")
    texts = Text.objects.filter(establishment_id=establishment, text__isnull=False)
    found: list[str] = []
    for token, text in texts.values_list("token", "text").iterator(chunk_size=BATCH):
        if named.search(_plain(text or "")):
            found.append(token)
    for start in range(0, len(found), BATCH):
        yield found[start : start + BATCH]


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
