"""
Players' names: how public screens say them, suggestions for a seat, and erasing a name.

On public screens (wall boards, the waiting list, scoreboards, the guests' page) each is named as
they allow (`Player.shown`), and no further than the house does (`wall_names`).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.utils.translation import gettext as _

from casino.floor.players import cash
from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import similar_names, tokens
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.house.attendants.pseudonyms.models import FIRST, FirstLetters, Player, Text
from casino.house.establishments.gaming_day import current
from casino.money.cash.models import Owed
from casino.play.exclusions import operations as exclusions
from casino.play.exclusions.operations import NoSuchPlayer
from casino.words.languages import names as lookalikes
from games.fees import coins
from games.refusals import Refused
from ledger import journal
from ledger.models import Account

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import date
    from uuid import UUID

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


# Suggests known players by the first letters of a name, to whoever seats people.
#
# It never lists everybody: with fewer than two letters only players who sat at this table lately
# are searched, so that no page shows all names of a house. Excluded players are left out (P1), and
# erased names cannot be found.


OFFERED_MOST: Final = 8  # people can find one of so many buttons at a glance


@dataclass(frozen=True, slots=True)
class Regular:
    """
    A player with the name that the house knows.

    :param lately: whether they sat at this table lately.
    """

    token: str
    name: str
    lately: bool


def suggest(
    establishment: UUID,
    letters: str,
    *,
    lately: Sequence[str],
    seated: Iterable[str] = (),
    day: date,
) -> list[Regular]:
    """
    At most eight players who match the letters, those who sat at the table lately first.

    :param letters: what was typed; with fewer than two letters only `lately` is searched.
    :param lately: tokens, the latest first; found by any word of their name.
    :param seated: tokens of players who sit there now; they are not suggested.
    :param day: the gaming day on which the player would be seated.

    It takes at most three queries: names, exclusions, and the names of excluded players.
    """
    sought = lookalikes.read_name(letters)
    names = _names(establishment, letters, lately)
    order = [token for token in lately if token in names and _means(names[token], sought)]
    if len(letters.strip()) >= FIRST:
        known = set(order)
        starting = [
            token
            for token, name in names.items()
            if token not in known and lookalikes.read_name(name).startswith(sought)
        ]
        order += sorted(starting, key=lambda token: lookalikes.read_name(names[token]))
    away = set(seated)
    order = [token for token in order if token not in away]
    # More players than are shown are looked at, so that an excluded one leaves no gap.
    likely = order[: 2 * OFFERED_MOST]
    barred = {hit.named for hit in exclusions.hits(establishment, likely, day)[0]}
    free = [token for token in likely if token not in barred][:OFFERED_MOST]
    recent = set(lately)
    return [Regular(token, names[token], token in recent) for token in free]


def names_beginning_with(establishment: UUID, letters: str, most: int) -> list[tuple[str, str]]:
    """
    Token and name of players whose name begins with letters, excluded ones too, in one query.

    With fewer than two letters nobody is found, so that no page shows all names of a house.
    """
    sought = lookalikes.read_name(letters)
    if not sought or not similar_names.spellings(letters):
        return []
    found = [
        (token, name)
        for token, name in _names(establishment, letters, ()).items()
        if lookalikes.read_name(name).startswith(sought)
    ]
    return sorted(found, key=lambda one: lookalikes.read_name(one[1]))[:most]


def namesakes(establishment: UUID, names: Mapping[str, str]) -> dict[str, list[str]]:
    """
    For each given player, the other players of the house with names that look the same.

    :param names: names by token.
    :returns: the names of the others, by token; a player without namesakes is left out.
    """
    alike = lookalikes.namesakes(similar_names.add_similar(establishment, names))
    return {token: alike[token] for token in names if token in alike}


def _means(name: str, sought: str) -> bool:
    """Whether the name, from the beginning of any of its words on, begins with what is sought."""
    words = name.split()
    return any(
        lookalikes.read_name("".join(words[place:])).startswith(sought)
        for place in range(len(words))
    )


def _names(establishment: UUID, letters: str, tokens: Iterable[str]) -> dict[str, str]:
    """The names that begin with letters, and those of tokens, in one query that uses the index."""
    rows = Player.objects.filter(establishment_id=establishment, name__isnull=False)
    found = rows.filter(token__in=set(tokens))
    if starts := similar_names.spellings(letters):
        found |= rows.alias(first=FirstLetters("name")).filter(first__in=starts)
    return {token: name or "" for token, name in found.values_list("token", "name")}


# Erases a player's name, by an act with an event; after it the name is stored nowhere.
#
# Only the random id in the ledger stays. Proofs need it, and it says nothing about the person. If
# the same person comes back, they are a new player.


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


def erase_name(act: acts.Act, *, player: str, reason: str) -> journal.Receipt:
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
