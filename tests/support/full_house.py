"""A house in which everything has happened that a subscriber reads: no table of rows is empty."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING
from uuid import UUID

import pytest

from casino.floor.players import waiting
from casino.house.acts import changes
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals import operations as approvals
from casino.kit.approvals import requests
from casino.money.cash import balance_snapshots, slips, tips
from casino.play.exclusions import limits
from casino.play.exclusions import operations as exclusions
from casino.proof.search import events as search_events
from ledger import journal
from tests.support import builders, dice_acts, late_tablet, watching
from tests.support.cashier import fee_taken, prize_won
from tests.support.cashing import act
from tests.support.dayend import TODAY
from tests.support.playing import (
    NOW,
    ask_open,
    done,
    opened,
    opening,
    round_played,
    settled,
    state,
    thrown,
)
from tests.support.random_player import RandomPlayer
from tests.support.staff import Staff

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House

EVENTS = 128


@contextmanager
def marked_often() -> Iterator[None]:
    """What is written once in so many positions is written in a house of so few, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(balance_snapshots, "WINDOW", 128)
        patch.setattr(search_events, "BLOCK", 64)
        yield


def house(seed: int = 5, *, events: int = EVENTS) -> House:
    """At two of its tables happens what must, at the others whatever may."""
    chance = Random(seed)  # noqa: S311 - of a test
    made = builders.house(tables=5, counts_floats=True, large_prize=15, tips_allowed=True)
    builders.dice_for_every_game(made.establishment, sets=4)
    croupier = RandomPlayer(replace(made, tables=made.tables[2:4]), chance)
    staff = Staff(made, chance, croupier)
    staff.opens_the_house()
    made.table.stake_max = 500
    changes.change(made.table, establishment=made.establishment, by=made.manager)
    dice_acts.issued(made, dice_acts.in_store(made))
    prize_won(made, 5)
    done(made, fee_taken(made, table=made.tables[2]), "close")
    _held(made)
    _turned_away(made)
    late_tablet.game_with_late_entries(made, table=made.tables[3], now=NOW)
    _filled(made)
    more = _rolled_over(made) + _waited(made) + _limited(made)
    watched = _watched(made)
    tips.take(act(made, made.supervisor), table=made.table, attendant=made.attendant.pk, amount=5)
    while journal.head(establishment=made.id) < events + watched + more:
        staff.does_something()
        croupier.does_something()
        settled(made)
    return made


def _held(made: House) -> None:
    """A large prize without a witness (A7); its last throws come to the book two days late (E3)."""
    game = opened(made, table=made.tables[1])
    for _ in range(2):
        round_played(made, game)
    thrown(made, game, "Ada", (2, 2, 7), occurred_at=(NOW - timedelta(days=2)).isoformat())
    thrown(made, game, "Bo", (2, 2, 4))
    settled(made)
    done(made, game, "dispute", round=1, reason="Ada says it was a one.")


def _watched(made: House) -> int:
    """
    Loaded dice raise alarms; other dice lie sealed, and are never shown (F2). How many events that
    took.
    """
    before = journal.head(establishment=made.id)
    events = watching.loaded_dice(made, table=made.tables[4])
    done(made, UUID(events[0].stream.partition("/")[2]), "close")
    game = opened(made, table=made.tables[4], game="river", price=5)
    done(made, game, "start_round")
    done(made, game, "seal", player="Ada")
    settled(made)
    return journal.head(establishment=made.id) - before


def _filled(made: House) -> None:
    """A fill is asked for and approved (B2)."""
    request_act = act(made, made.attendant)
    slips.ask(request_act, kind="fill", table=made.table, sheet={"5": 10}, reason="Low on fives.")
    request = requests.id_of(made.id, request_act.command_id)
    approvals.decide(act(made, made.manager), request, approve=True)


def _rolled_over(made: House) -> int:
    """A pot that nobody won waits for the next game of its kind (TA10); how many events it took."""
    before = journal.head(establishment=made.id)
    game = opened(
        made, table=made.tables[2], game="threes-away", options={"progressive": "by_round"}
    )
    for player, face in zip(state(made, game)["stakes"], (1, 2), strict=True):
        done(made, game, "throw", player=player, dice=[face] * 5, keep=[face] * 5)
    done(made, game, "close")
    return journal.head(establishment=made.id) - before


def _waited(made: House) -> int:
    """Three wait for a seat; one is called, one taken off the list. How many events it took."""
    for name in ("Ida", "Jon", "Kai"):
        entry = waiting.enter(act(made, made.attendant), name=name, game="river").entry
    waiting.call(act(made, made.attendant), entry=UUID(entry), table=made.table)
    entry = waiting.read_list(made.id, NOW).entries[0].entry
    waiting.take_off(act(made, made.attendant), entry=UUID(entry))
    return 5


def _limited(made: House) -> int:
    """Somebody limits what they pay in. How many events it took."""
    player = tokens.player_tokens(made.id, ["Fay"], new=True)["Fay"]
    wanted = {"day": 50, "week": 200, "month": 500}
    limits.limit(act(made, made.supervisor), player=player, wanted=wanted, paid=lambda _since: {})
    return 2


def _turned_away(made: House) -> None:
    """Somebody excluded asks for a seat (P1)."""
    player = tokens.player_tokens(made.id, ["Eve"], new=True)["Eve"]
    exclusions.exclude(
        act(made, made.supervisor), player=player, since=TODAY, until=None, reason="Asked for it."
    )
    ask_open(made, opening(players=["Eve", "Bo"]), table=made.tables[2])
