"""The register's rows of rounds: what each game's own report says, at a cost that does not grow."""

from __future__ import annotations

import sys
from itertools import takewhile
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from casino.play.core import rounds
from casino.play.core.models import GameCard, RoundRow
from casino.play.core.projections import PROJECTIONS
from casino.reports.registers import games, history
from games.messages import live
from games.payments import POT, balance
from ledger import journal, subscriptions
from tests.support import builders
from tests.support.playing import game_of, opened, round_played, settled
from tests.support.random_player import GAMES, RandomPlayer
from tests.support.reported import query

if TYPE_CHECKING:
    from casino.house.acts.game_streams.loading import Loaded
    from games.messages import Numbered
    from tests.support.builders import House

pytestmark = pytest.mark.django_db
ACTS = 100


@pytest.mark.long("postgresql")
@pytest.mark.rows(1)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", GAMES)
def test_a_row_says_what_the_whole_game_s_report_says_of_its_round(kind: str, seed: int) -> None:
    """Voids, breaks and the ends of games among it; followed in stints, behind the play."""
    house = builders.house(tables=2)
    builders.dice_for_every_game(house.establishment, sets=2)
    croupier = RandomPlayer(house, Random(seed), (kind,))  # noqa: S311 - of a test
    for number in range(ACTS):
        croupier.does_something()
        if number % 40 == 0:
            settled(house)
    settled(house)

    found = list(RoundRow.objects.filter(establishment=house.id))

    assert found
    for row in found:
        reported = by_its_report(game_of(house, row.game), row.last)
        assert {name: getattr(row, name) for name in reported} == reported
    for card in GameCard.objects.filter(establishment=house.id):
        stood = [fact for _, fact in game_of(house, card.game).live]
        assert card.pot == sum(balance(POT, fact.payments) for fact in stood)
        ended = sum(fact.ends_round for fact in stood)
        assert card.round == ended + (card.status == GameCard.Status.OPEN)


@pytest.mark.rows(1)
@pytest.mark.parametrize("seed", range(2))
def test_what_was_booked_for_rounds_is_what_the_ledger_s_transfers_say(seed: int) -> None:
    """As of any position, whatever was booked late, voided or not booked yet by then."""
    house = builders.house(tables=3)
    builders.dice_for_every_game(house.establishment, sets=3)
    croupier = RandomPlayer(house, Random(seed), GAMES)  # noqa: S311 - of a test
    for number in range(ACTS):
        croupier.does_something()
        if number in {0, 30}:
            settled(house)
    followed(house)
    unbooked = RoundRow.objects.filter(establishment=house.id, booked_at=None).count()
    settled(house)

    head = journal.head(establishment=house.id)
    for through in (head // 3, head // 2, head - 9, head):
        query_then = query(house, through)
        mine = history.rounds(query_then).filter(history.not_void(through))
        long_way = games._look_up(query_then, mine, games.Booked())
        assert games.bookings_of(query_then, mine) == long_way
    left = RoundRow.objects.filter(establishment=house.id, booked_at=None)
    assert unbooked > left.count() == 0


def followed(house: House) -> None:
    """The read models alone: settlement lags."""
    while subscriptions.advance(PROJECTIONS, establishment=house.id).lag:
        pass


def by_its_report(loaded: Loaded, number: int) -> dict[str, Any]:
    """The same of a round from all the events before it and the game's whole report."""
    command = loaded.events[number - 1].provenance.command_id
    same = takewhile(
        lambda each: each.provenance.command_id == command, loaded.events[number - 1 :]
    )
    whole = loaded.history[: number - 1 + len(list(same))]
    standing = live(loaded.history[:number])
    earlier = [each for each, fact in standing[:-1] if fact.ends_round]
    place = len(earlier)
    mine = [(each, fact) for each, fact in standing if each > max(earlier, default=0)]
    homes = _homes(standing, mine[0][0])
    mine += [each for each in whole[number:] if getattr(each[1], "round", None) == place + 1]
    reported = loaded.ruleset.view(whole)["rounds"][place]
    facts = [fact for _, fact in mine]
    points: dict[str, Any] = {}
    for player, more in (each for fact in facts for each in fact.points):
        points[player] = points.get(player, 0) + more
    return {
        "number": reported["round"],
        "first": mine[0][0],
        "began": loaded.events[mine[0][0] - 1].position,
        "throws": sum(fact.is_throw for fact in facts),
        "paying": [each for each, fact in mine if fact.payments],
        "scoring": [each for each, fact in mine if fact.points],
        **rounds.coins_of_facts(facts),
        "carried": reported["carried"],
        "winners": reported["winners"],
        "losers": reported["losers"],
        "points": {player: str(all_of_them) for player, all_of_them in points.items()},
        "homes": homes,
        "undecided": bool(reported.get("void")),
    }


def _homes(standing: list[Numbered], begins: int) -> dict[str, list[int]]:
    counted: dict[Any, list[int]] = {}
    for number, fact in standing:
        settled_now = getattr(fact, "home", None)
        brought = getattr(fact, "homes", ())
        for home in [settled_now] if isinstance(settled_now, tuple) else brought:
            counted.setdefault(home, [0, 0])
        if number >= begins and fact.is_throw and hasattr(fact, "player") and hasattr(fact, "dice"):
            for home, counts in counted.items():
                counts[0] += 1
                counts[1] += tuple(sorted(fact.dice)) == home
    return {"-".join(map(str, home)): counts for home, counts in counted.items() if counts[0]}


@pytest.mark.long("postgresql")
def test_a_round_of_a_long_game_costs_as_much_as_one_of_a_short_game() -> None:
    house = builders.house()
    game = opened(house, stake=10_000)
    cost: list[int] = []
    for number in range(40):
        round_played(house, game)
        settled(house)
        if number in {4, 39}:
            cost.append(_calls(house.id, game_of(house, game)))

    assert cost[0] == cost[1]


def _calls(establishment: Any, loaded: Loaded) -> int:
    """
    How many functions are called to write the row of a game's last round.

    The least of a few times: what the collector of garbage finalizes meanwhile counts as calls too.
    """
    return min(_calls_once(establishment, loaded) for _ in range(3))


def _calls_once(establishment: Any, loaded: Loaded) -> int:
    RoundRow.objects.filter(establishment=establishment, position=loaded.position).delete()
    calls = 0

    def count(_frame: Any, event: str, _of: Any) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        rounds.show(loaded, loaded.events[-1])
    finally:
        sys.setprofile(before)
    return calls
