"""Pots that nobody won: players' money, which the next game of their kind takes, once (TA10)."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from casino.play.core import rollover_delivery
from casino.play.core.models import DayFigures
from casino.play.settlement import rollovers
from casino.play.settlement.subscriber import SETTLEMENT
from ledger import journal, money, subscriptions
from ledger.accounts import Kind
from tests.forms import how_often
from tests.support import books, builders
from tests.support.playing import (
    ask,
    ask_open,
    balances,
    done,
    game_of,
    nothing_parked,
    opened,
    opening,
    pot_of,
    settled,
    state,
)
from tests.support.rolling import (
    BY_ROUND,
    GAME,
    HELD,
    begun,
    changes,
    left_behind,
    lots,
    new_house,
    rolls_on,
    sources,
)

if TYPE_CHECKING:
    import uuid

    from django.test import Client

    from tests.support.builders import House

ROLLED = 'id="rollovers-head"'  # of the start page's section


@pytest.fixture
def house() -> House:
    return new_house()


@pytest.mark.django_db
class TestALotThatIsBooked:
    def test_it_is_the_players_money_and_nobody_elses(self, house: House) -> None:
        game = left_behind(house)

        settled(house)

        assert balances(house)[HELD] == 2
        assert pot_of(game) not in balances(house)
        assert sources(lots(house).waiting) == [(str(game), 2)]
        books.hold_at_every_moment(house)

    def test_the_next_game_starts_with_it(self, house: House) -> None:
        game = left_behind(house)
        settled(house)

        following = begun(house)

        assert state(house, following)["pot"] == 2 + 2
        settled(house)
        assert HELD not in balances(house)
        assert balances(house)[pot_of(following)] == 4
        [drawn] = [
            each
            for each in journal.stream(establishment=house.id, stream=lots(house).stream)
            if each.event_type == rollovers.DRAWN
        ]
        assert drawn.data["game"] == str(following)
        assert [(lot["game"], lot["amount"]) for lot in drawn.data["lots"]] == [(str(game), 2)]

    def test_it_is_taken_once(self, house: House) -> None:
        left_behind(house)
        settled(house)

        first, second = begun(house, 0), begun(house, 1)

        assert (state(house, first)["pot"], state(house, second)["pot"]) == (4, 2)

    def test_all_that_waits_is_taken_together(self, house: House) -> None:
        given = [begun(house, table) for table in (0, 1)]
        for game in given:
            rolls_on(house, game)
            done(house, game, "close")
        settled(house)

        following = begun(house)

        assert state(house, following)["pot"] == 4 + 2
        last = journal.last(establishment=house.id, stream=lots(house).stream)
        assert last is not None
        assert [lot["game"] for lot in last.data["lots"]] == [str(game) for game in given]

    def test_games_of_another_kind_leave_it(self, house: House) -> None:
        left_behind(house)
        settled(house)
        builders.dice_set(house.establishment)

        opened(house, table=house.tables[1])
        settled(house)

        assert balances(house)[HELD] == 2
        assert len(lots(house).waiting) == 1

    def test_an_opening_that_is_refused_leaves_it(self, house: House) -> None:
        left_behind(house)
        settled(house)

        answer = ask_open(house, opening(**{**BY_ROUND, "players": ["Ada"]}))

        assert answer.refusal is not None
        assert len(lots(house).waiting) == 1

    def test_an_opening_asked_twice_takes_it_once(self, house: House) -> None:
        left_behind(house)
        settled(house)
        raw = opening(**BY_ROUND)

        first, again = ask_open(house, raw), ask_open(house, raw)

        assert first.key == again.key
        assert state(house, first.key.game)["pot"] == 4
        assert changes(house) == ["left", "drawn"]

    def test_it_may_roll_on_and_on(self, house: House) -> None:
        for game in range(1, 5):
            left_behind(house)
            settled(house)
            assert balances(house)[HELD] == 2 * game


@pytest.mark.long("postgresql")
@pytest.mark.django_db
class TestShownAsPlayersMoney:
    """A6: what rolls, since when, from which games, and who is to have it."""

    def test_by_the_api(self, house: House) -> None:
        game = left_behind(house)
        settled(house)

        [body] = house.client().get(house.url("rollovers/")).json()["results"]

        closed = game_of(house, game)
        assert body == {
            "game": GAME,
            "amount": 2,
            "booked": 2,
            "lots": [
                {
                    "game": str(game),
                    "event": closed.version,
                    "amount": 2,
                    "since": closed.events[-1]
                    .provenance.occurred_at.isoformat()
                    .replace("+00:00", ".000000Z"),
                    "claimed_by": None,
                }
            ],
        }

    def test_with_the_game_that_awaits_it(self, house: House) -> None:
        left_behind(house)
        following = begun(house)

        [body] = house.client().get(house.url("rollovers/")).json()["results"]

        assert (body["amount"], body["booked"]) == (2, 0)
        assert [lot["claimed_by"] for lot in body["lots"]] == [str(following)]

    def test_on_the_office_s_first_page(self, house: House, client: Client) -> None:
        client.force_login(house.manager)
        assert ROLLED not in client.get(reverse("start")).text
        left_behind(house)
        assert "waits for the next game" in client.get(reverse("start")).text

        begun(house, 1)

        page = client.get(reverse("start")).text
        assert ROLLED in page
        assert "arrives at Table 2" in page
        settled(house)
        assert ROLLED not in client.get(reverse("start")).text

    def test_it_is_neither_staked_nor_paid(self, house: House) -> None:
        left_behind(house)
        settled(house)
        day = DayFigures.objects.get(establishment=house.establishment)
        before = (day.staked, day.paid)

        begun(house)
        settled(house)

        day.refresh_from_db()
        assert before == (2 + 2, 2)  # two rounds of antes, the second's given back
        assert (day.staked, day.paid) == (2 + 2 + 2, 2)


class Evening:
    """Tables that open, roll, close and void as chance has it, with settlement now and then."""

    def __init__(self, house: House, chance: Random) -> None:
        self.house, self.chance = house, chance
        self.games: list[uuid.UUID] = []
        self.running: dict[int, uuid.UUID] = {}

    def goes_on(self) -> None:
        acts = (self.opens, self.opens, self.rolls, self.closes, self.closes, self.voids)
        self.chance.choice((*acts, self.settles, self.delivers))()

    def opens(self) -> None:
        free = [table for table in range(3) if table not in self.running]
        if free:
            table = self.chance.choice(free)
            self.running[table] = begun(self.house, table)
            self.games.append(self.running[table])

    def rolls(self) -> None:
        if self.running:
            game = self.chance.choice(list(self.running.values()))
            if state(self.house, game)["next"]["players"][:1] == ["Ada"]:
                rolls_on(self.house, game)

    def closes(self) -> None:
        if self.running:
            table = self.chance.choice(list(self.running))
            done(self.house, self.running.pop(table), "close")

    def voids(self) -> None:
        """Any event of any game; a table where another game runs by now refuses it."""
        if not self.games:
            return
        game = self.chance.choice(self.games)
        house = self.house
        back_to = self.chance.randint(2, game_of(house, game).version)
        answer = ask(house, game, "void", back_to=back_to, reason="Misheard.")
        if answer.refusal is None:
            [event] = answer.events()
            if event.event_type == "game.void_requested":
                request = event.data["request"]
                ask(house, game, "approve", by=house.supervisor, request=request)
        self.notes_what_runs()

    def notes_what_runs(self) -> None:
        running = [game for game in self.games if not game_of(self.house, game).closed]
        tables = [str(table.pk) for table in self.house.tables]
        self.running = {
            tables.index(game_of(self.house, game).place["table"]): game for game in running
        }

    def settles(self) -> None:
        batch = self.chance.choice((1, 3, 50))
        subscriptions.advance(SETTLEMENT, establishment=self.house.id, batch=batch)

    def delivers(self) -> None:
        rollover_delivery.deliver(self.house.id)


def each_lot_is_in_one_place(house: House) -> None:
    found = Counter(lot.source for lot in lots(house).lots)
    assert set(found.values()) <= {1}


@pytest.mark.long("postgresql")
@pytest.mark.django_db
@settings(
    max_examples=how_often(25, short=3),
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a seed does not get simpler
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 2**32))
def test_however_tables_follow_each_other_no_coin_is_lost_or_doubled(seed: int) -> None:
    house = new_house()
    evening = Evening(house, Random(seed))  # noqa: S311 - a test's chance
    for _ in range(40):
        evening.goes_on()
        books.hold_at_every_moment(house)
        each_lot_is_in_one_place(house)

    settled(house)

    assert nothing_parked(house)
    books.are_the_rules_result(house, evening.games)
    left = lots(house)
    assert all(rollovers.booking(house.id, lot) for lot in left.lots)
    assert balances(house).get(HELD, 0) == rollovers.total(left.lots)
    assert left.claimed == ()
    paid_in = sum(
        coins
        for account, coins in money.balances(establishment=house.id).items()
        if account.kind == Kind.FLOAT
    )
    assert paid_in == 40 * len(evening.games)
