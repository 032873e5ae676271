"""The pot equation: base, what came in, what left and what lies there, of every pot (A1, A2)."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from casino.house.acts import acts
from casino.money.payouts import pot_equation as pots
from casino.money.payouts.pot_equation import Equation
from casino.play.core.models import GameCard
from casino.play.core.projections import PROJECTIONS
from casino.play.settlement.subscriber import SETTLEMENT
from ledger import journal, money, subscriptions
from ledger.accounts import AccountRef, Kind
from tests.forms import LONG_FORM, how_often
from tests.support import builders
from tests.support.dayend import act
from tests.support.playing import NOW, done, new_id, opened, pot_of, round_played, settled, state
from tests.support.pot_equation import equation, void
from tests.support.random_player import GAMES, RandomPlayer
from tests.support.rolling import begun, left_behind
from tests.support.rolling import new_house as rolling_house

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]


@pytest.fixture
def house() -> House:
    return builders.house(tables=2)


class TestAnEquation:
    def test_a1_a_game_nobody_has_staked_in_has_an_empty_pot(self, house: House) -> None:
        assert equation(house, opened(house)) == Equation()

    def test_a1_what_players_put_in_lies_there(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        settled(house)

        assert equation(house, game) == Equation(contributions=7, balance=7)

    def test_a1_what_is_won_has_left(self, house: House) -> None:
        """Closing shares the pot out, which is to players as any win."""
        game = opened(house)
        round_played(house, game)
        done(house, game, "close")
        settled(house)

        assert equation(house, game) == Equation(contributions=7, won=7)

    def test_a1_what_is_held_is_won(self) -> None:
        """A7: it is out of the pot, and the player's, wherever it waits."""
        house = builders.house(large_prize=15)
        game = opened(house, stake=20)
        for _ in range(3):
            round_played(house, game)
        settled(house)
        held = money.balances(establishment=house.id, kinds=[Kind.HELD])

        assert sum(held.values()) > 15
        assert equation(house, game) == Equation(contributions=20, won=20)

    def test_a1_a_voided_stake_is_no_contribution(self, house: House) -> None:
        """G4: the reversal counts back where the coins came from."""
        game = opened(house)
        last = round_played(house, game)
        settled(house)

        void(house, game, last.stream_version)

        assert equation(house, game) == Equation()

    def test_a1_a_voided_win_is_no_win(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        closed = done(house, game, "close")
        settled(house)

        void(house, game, closed[0].stream_version)

        assert equation(house, game) == Equation(contributions=7, balance=7)

    def test_a1_the_announced_rake_is_a_fee(self, house: House) -> None:
        """A3, A5: the only thing out of a pot that is the house's."""
        game = opened(house, fee={"kind": "rake", "percent": 10, "cap": 3})
        for _ in range(3):
            round_played(house, game)
        settled(house)

        assert equation(house, game) == Equation(contributions=20, won=18, fees=2)

    def test_a1_what_rolls_over_leaves_one_pot_and_comes_into_the_next(self) -> None:
        """TA10: never counted as put in twice. The antes of the round that began went back."""
        house = rolling_house()
        first = left_behind(house)
        settled(house)
        following = begun(house)
        settled(house)

        assert equation(house, first) == Equation(contributions=4, won=2, rolled_out=2)
        assert equation(house, following) == Equation(rolled_in=2, contributions=2, balance=4)

    def test_a1_what_the_house_puts_in_is_base(self, house: House) -> None:
        """No act does so yet; the ledger lets it, and it would not pass for players' money."""
        game = opened(house)
        bank = AccountRef(Kind.BANK, "house")
        by_hand(house, journal.NewTransfer(
            debit=bank, credit=pot_of(game), amount=50, reason="announced", event=0
        ))  # fmt: skip

        assert equation(house, game) == Equation(base=50, balance=50)

    def test_a1_whatever_else_moves_is_told_as_an_adjustment(self, house: House) -> None:
        game = opened(house)
        owed = AccountRef(Kind.RECEIVABLE, "p")
        by_hand(house, journal.NewTransfer(
            debit=owed, credit=pot_of(game), amount=5, reason="set right", event=0
        ))  # fmt: skip

        assert equation(house, game) == Equation(adjustments=5, balance=5)

    def test_another_house_has_no_part_in_it(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        settled(house)

        assert pots.of_game(builders.house().id, game) == Equation()


def test_a2_a_pot_is_not_the_houses_to_take(house: House) -> None:
    """The game's own bookings are refused the same way: the CHECK is the database's."""
    game = opened(house)
    round_played(house, game)
    settled(house)

    for kind in (Kind.BANK, Kind.CAGE, Kind.PRIZES_OWED, Kind.RECEIVABLE, Kind.OVER_SHORT):
        with pytest.raises(journal.PotFalls, match="A2"):
            by_hand(house, journal.NewTransfer(
                debit=pot_of(game), credit=AccountRef(kind, "house"), amount=1,
                reason="taken", event=0,
            ))  # fmt: skip

    assert equation(house, game).balance == 7


def by_hand(house: House, transfer: journal.NewTransfer) -> None:
    """An entry that no code of the house's writes."""
    stream = f"test/{new_id()}"
    event = journal.NewEvent(stream=stream, event_type="test.moved", schema_version=1, data={})
    acts.perform(
        act(house), lambda: acts.Done(guards={stream: 0}, events=[event], transfers=[transfer])
    )


class TestOpenPots:
    def test_a_house_without_games_has_none(self, house: House) -> None:
        assert pots.open_pots(house.id) == []

    def test_a1_running_games_the_oldest_first_and_no_closed_one(self, house: House) -> None:
        first = opened(house, now=NOW - timedelta(hours=1))
        second = opened(house, table=house.tables[1])
        round_played(house, second)
        settled(house)

        found = pots.open_pots(house.id)

        assert [pot.game for pot in found] == [first, second]
        assert [pot.equation.balance for pot in found] == [0, 7]
        assert (found[1].table, found[1].round, found[1].running) == (house.tables[1].pk, 2, True)
        for game in (first, second):
            done(house, game, "close")
        settled(house)
        assert pots.open_pots(house.id) == []

    def test_a1_one_that_still_holds_something_stays(self, house: House) -> None:
        """Closed, and settlement has not booked it yet."""
        game = opened(house)
        round_played(house, game)
        settled(house)
        done(house, game, "close")
        subscriptions.rebuild(PROJECTIONS, establishment=house.id)

        [pot] = pots.open_pots(house.id)

        assert (pot.running, pot.equation.balance) == (False, 7)

    def test_one_whose_card_is_gone_stays_too(self, house: House) -> None:
        """Cards are made anew at times; players' money is there all the same."""
        game = opened(house)
        round_played(house, game)
        settled(house)
        [before] = pots.open_pots(house.id)
        GameCard.objects.all().delete()

        assert pots.open_pots(house.id) == [before]
        assert before.game == game

    def test_they_come_to_their_accounts(self, house: House) -> None:
        for table in house.tables:
            round_played(house, opened(house, table=table))
        settled(house)

        whole = pots.together(pot.equation for pot in pots.open_pots(house.id))

        assert whole == Equation(contributions=14, balance=14)

    def test_no_query_crosses_houses(self, house: House) -> None:
        round_played(house, opened(house))
        settled(house)

        assert pots.open_pots(builders.house().id) == []

    def test_it_asks_as_much_for_many_as_for_one(
        self, house: House, django_assert_max_num_queries: Any
    ) -> None:
        for table in house.tables:
            round_played(house, opened(house, table=table))
        settled(house)

        with django_assert_max_num_queries(4):
            assert len(pots.open_pots(house.id)) == 2


STEPS = 40 if LONG_FORM else 20
EXAMPLES = how_often(4)  # of each game


@pytest.mark.long("postgresql")
@pytest.mark.rows(2)
@pytest.mark.parametrize("game", GAMES)
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a seed does not get simpler
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 2**32))
def test_a1_the_equation_holds_after_every_event(game: str, seed: int) -> None:
    """Whatever is played, held and voided, and however far settlement has come."""
    chance = Random(seed)  # noqa: S311 - dice of a test
    house = builders.house(tables=2, dice_sets=0, large_prize=10)
    builders.dice_for_every_game(house.establishment, sets=2)
    croupier = RandomPlayer(house, chance, (game,))

    for _ in range(STEPS):
        croupier.does_something()
        behind = chance.randint(0, 3)  # events that settlement takes now, one by one
        for _ in range(behind):
            subscriptions.advance(SETTLEMENT, establishment=house.id, batch=1)
            all_add_up(house, croupier.games)
        all_add_up(house, croupier.games)

    settled(house)
    all_add_up(house, croupier.games)
    for each in croupier.games:
        assert equation(house, each).balance == state(house, each)["pot"]
    assert_open_pots_are_all_of_it(house)


def all_add_up(house: House, games: list[uuid.UUID]) -> None:
    for game in games:
        found = equation(house, game)
        assert found.adds_up, found
        assert found.comes_to == money.balance(pot_of(game), establishment=house.id)
        assert min(found.terms().values()) >= 0
        assert (found.base, found.adjustments) == (0, 0)


def assert_open_pots_are_all_of_it(house: House) -> None:
    held = money.balances(establishment=house.id, kinds=[Kind.POT])
    body = {pot_of(pot.game): pot.equation.balance for pot in pots.open_pots(house.id)}
    assert {pot: coins for pot, coins in body.items() if coins} == {
        pot: coins for pot, coins in held.items() if coins
    }
