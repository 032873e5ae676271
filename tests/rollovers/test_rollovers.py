"""Pots that nobody won: players' money, which the next game of their kind takes, once (TA10)."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from casino.integrity import cursors, verifying
from casino.play import rollover_delivery
from casino.play.models import DayFigures
from casino.rollovers import operations as rollovers
from casino.settlement.subscriber import SETTLEMENT
from casino.subscriptions import tasks
from ledger import journal, money, subscriptions
from ledger.accounts import AccountRef, Kind
from ledger.models import ParkedEvent
from tests.forms import how_often
from tests.settlement.test_settlement_trouble import by_hand
from tests.support import books, builders
from tests.support.at_once import at_once, on_a_file
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
    refused,
    settled,
    state,
    token,
)

if TYPE_CHECKING:
    import uuid
    from pathlib import Path

    from django.test import Client

    from casino.establishments.models import Table
    from casino.rollovers.operations import Lot
    from tests.support.builders import House

GAME = "threes-away"
ROLLED = 'id="rollovers-head"'  # of the start page's section
HELD = AccountRef(Kind.ROLLOVER, GAME)
BY_ROUND: dict[str, Any] = {
    "game": GAME,
    "stake": 20,
    "options": {"progressive": "by_round"},
}


def new_house(*, tables: int = 3) -> House:
    house = builders.house(tables=tables, dice_sets=0)
    for _ in range(tables):
        builders.dice_set(house.establishment, sides=6, count=5)
    return house


@pytest.fixture
def house() -> House:
    return new_house()


def begun(house: House, table: int = 0, **more: Any) -> uuid.UUID:
    return opened(house, table=house.tables[table], **{**BY_ROUND, **more})


def rolls_on(house: House, game: uuid.UUID) -> None:
    """A round that nobody wins: in the first, only a total of 0 would (TA7)."""
    for player, face in zip(state(house, game)["stakes"], (1, 2, 4, 5), strict=False):
        done(house, game, "throw", player=player, dice=[face] * 5, keep=[face] * 5)


def left_behind(house: House, table: int = 0, **more: Any) -> uuid.UUID:
    """A game of two that closes with their two coins of the first round in the pot."""
    game = begun(house, table, **more)
    rolls_on(house, game)
    done(house, game, "close")
    return game


def lots(house: House) -> rollovers.Rollover:
    return rollovers.read(house.id, GAME)


def sources(found: tuple[Lot, ...]) -> list[tuple[str, int]]:
    return [(lot.game, lot.amount) for lot in found]


def events_of(house: House, game: uuid.UUID) -> list[str]:
    return [event.event_type.partition(".")[2] for event in game_of(house, game).events]


def changes(house: House) -> list[str]:
    stream = journal.stream(establishment=house.id, stream=rollovers.stream_of(GAME))
    return [event.event_type.partition(".")[2] for event in stream]


def is_poisoned(house: House, game: uuid.UUID) -> None:
    """An event in the game's stream that settlement cannot book."""
    ada = token(house, game, "Ada")
    data = {
        "player": ada, "amount": 1,
        "payments": [{"from": ada, "to": "pot", "amount": 10_000, "rules": ["TA4"]}],
    }  # fmt: skip
    by_hand(house, f"game/{game}", "threes_away.rollover_arrived", data)


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


@pytest.mark.django_db
class TestALotThatIsNotBookedYet:
    def test_the_next_game_opens_all_the_same(self, house: House) -> None:
        left_behind(house)

        following = begun(house)

        assert state(house, following)["pot"] == 2
        assert sources(lots(house).claimed)[0][1] == 2
        assert lots(house).waiting == ()

    def test_it_arrives_visibly_once_it_is_booked(self, house: House) -> None:
        game = left_behind(house)
        following = begun(house)

        tasks.advance_all(house.id)

        arrived = game_of(house, following).events[-1]
        assert arrived.event_type == "threes_away.rollover_arrived"
        assert arrived.provenance.actor == "settlement"
        assert arrived.data["amount"] == 2
        because = next(
            each
            for each in journal.stream(establishment=house.id, stream=f"settlement/{game}")
            if each.event_id == arrived.provenance.causation_id
        )
        assert because.transfers[-1]["credit"] == str(HELD)
        assert state(house, following)["pot"] == 4
        settled(house)
        assert balances(house)[pot_of(following)] == 4
        assert HELD not in balances(house)

    def test_delivered_again_and_again_it_arrives_once(self, house: House) -> None:
        left_behind(house)
        following = begun(house)
        settled(house)

        assert [rollover_delivery.deliver(house.id) for _ in range(3)] == [0, 0, 0]

        assert events_of(house, following).count("rollover_arrived") == 1
        assert changes(house) == ["left", "drawn", "arrived"]

    def test_two_that_deliver_the_same_lot_deliver_it_once(self, house: House) -> None:
        """Both have read the claim before either has appended."""
        left_behind(house)
        following = begun(house)
        subscriptions.advance(SETTLEMENT, establishment=house.id)
        [lot] = lots(house).claimed

        answers = [rollover_delivery._delivered(house.id, GAME, lot) for _ in range(2)]

        assert answers == [True, False]
        assert events_of(house, following).count("rollover_arrived") == 1

    def test_a_sweep_finds_what_a_dead_worker_left(self, house: House) -> None:
        left_behind(house)
        following = begun(house)
        begun(new_house())  # another house, where nothing waits
        assert list(rollover_delivery.houses_waiting()) == [house.id]
        subscriptions.advance(SETTLEMENT, establishment=house.id)  # and there it was killed

        for each in rollover_delivery.houses_waiting():
            tasks.deliver_rollovers(each)

        assert state(house, following)["pot"] == 4
        assert list(rollover_delivery.houses_waiting()) == []

    def test_handed_over_before_settlement_reads_its_own_booking_no_cursor_is_behind(
        self, house: House
    ) -> None:
        left_behind(house)
        begun(house)
        subscriptions.advance(SETTLEMENT, establishment=house.id)  # and is far behind from here on

        assert rollover_delivery.deliver(house.id) == 1

        book = verifying.opened(house.id, now=timezone.now())
        assert [each for step in cursors.check(book, {}) for each in step.findings] == []

    def test_a_second_game_claims_nothing_of_it(self, house: House) -> None:
        left_behind(house)
        first, second = begun(house, 0), begun(house, 1)

        settled(house)

        assert (state(house, first)["pot"], state(house, second)["pot"]) == (4, 2)

    def test_a_game_that_ends_before_gives_its_claim_back(self, house: House) -> None:
        game = left_behind(house)
        hurried = begun(house)
        done(house, hurried, "close")
        assert sources(lots(house).waiting) == [(str(game), 2)]

        settled(house)

        assert "rollover_arrived" not in events_of(house, hurried)
        assert state(house, begun(house))["pot"] == 4
        settled(house)
        books.hold_at_every_moment(house)

    def test_a_parked_giver_stops_nobody(self, house: House) -> None:
        giver = begun(house)
        rolls_on(house, giver)
        is_poisoned(house, giver)
        done(house, giver, "close")
        following = begun(house)

        settled(house)

        parked = ParkedEvent.objects.filter(establishment=house.id)
        assert set(parked.values_list("stream", flat=True)) == {f"game/{giver}"}
        current = state(house, following)
        assert current["pot"] == 2
        assert current["settled_through"] == current["position"]
        assert len(lots(house).claimed) == 1


@pytest.mark.django_db
class TestVoids:
    """G4: never across what another game has drawn, never lost, never doubled."""

    def test_what_still_waits_is_taken_back(self, house: House) -> None:
        game = left_behind(house)
        settled(house)

        closing_voided(house, game)

        assert lots(house).lots == ()
        assert state(house, game)["pot"] == 2 + 2  # the second round's antes are there again
        settled(house)
        assert HELD not in balances(house)
        assert balances(house)[pot_of(game)] == 4
        assert state(house, begun(house, 1))["pot"] == 2

    def test_before_it_is_booked_as_well(self, house: House) -> None:
        game = left_behind(house)

        closing_voided(house, game)
        settled(house)

        assert balances(house)[pot_of(game)] == 4
        assert changes(house) == ["left", "taken_back"]

    def test_closed_again_it_waits_again(self, house: House) -> None:
        game = left_behind(house)
        closing_voided(house, game)
        done(house, game, "close")
        settled(house)

        assert sources(lots(house).waiting) == [(str(game), 2)]
        assert state(house, begun(house))["pot"] == 4

    @pytest.mark.parametrize("booked", [True, False])
    def test_what_another_game_has_is_beyond_reversal(self, house: House, booked: bool) -> None:  # noqa: FBT001 - a row
        game = left_behind(house)
        if booked:
            settled(house)
        begun(house, 1)
        before = state(house, game)

        code = refused(house, game, "void", back_to=closing(house, game), reason="Misheard.")

        assert code == "beyond_reversal"
        assert "void" not in [row["do"] for row in before["offers"]]
        assert changes(house) == ["left", "drawn"]

    def test_a_request_that_was_overtaken_is_not_approved(self, house: House) -> None:
        game = left_behind(house)
        settled(house)
        [requested] = done(house, game, "void", back_to=closing(house, game), reason="Misheard.")
        begun(house, 1)

        supervisor = house.supervisor
        answer = ask(house, game, "approve", by=supervisor, request=requested.data["request"])

        assert answer.refusal is not None
        assert answer.refusal.code == "beyond_reversal"

    def test_an_arrival_that_is_voided_arrives_again(self, house: House) -> None:
        left_behind(house)
        following = begun(house)
        done(house, following, "throw", player="Ada", dice=[1, 1, 1, 1, 1])
        settled(house)
        assert events_of(house, following)[-1] == "rollover_arrived"

        voided(house, following, events_of(house, following).index("dice_thrown") + 1)

        assert state(house, following)["pot"] == 2
        assert lots(house).waiting == ()
        assert rollover_delivery.deliver(house.id) == 0  # the coins are not back in the account yet
        settled(house)
        assert state(house, following)["pot"] == 4
        assert events_of(house, following).count("rollover_arrived") == 2
        assert HELD not in balances(house)
        books.hold_at_every_moment(house)

    def test_what_a_close_gave_back_is_claimed_again(self, house: House) -> None:
        left_behind(house)
        hurried = begun(house)
        done(house, hurried, "close")

        closing_voided(house, hurried)

        assert lots(house).waiting == ()
        assert [lot.claimed_by for lot in lots(house).claimed] == [str(hurried)]
        settled(house)
        assert state(house, hurried)["pot"] == 4

    def test_what_a_close_gave_back_to_another_stays_there(self, house: House) -> None:
        left_behind(house)
        hurried = begun(house)
        done(house, hurried, "close")
        begun(house)

        code = refused(house, hurried, "void", back_to=closing(house, hurried), reason="Misheard.")

        assert code == "beyond_reversal"

    def test_the_opening_s_draw_stands(self, house: House) -> None:
        left_behind(house)
        settled(house)
        following = begun(house)

        assert refused(house, following, "void", back_to=2, reason="?") == "opening_not_voided"


def closing(house: House, game: uuid.UUID) -> int:
    return events_of(house, game).index("table_closed") + 1


def closing_voided(house: House, game: uuid.UUID) -> None:
    voided(house, game, closing(house, game))


def voided(house: House, game: uuid.UUID, back_to: int) -> None:
    """By the attendant alone where that may be, else with a second person."""
    [event] = done(house, game, "void", back_to=back_to, reason="Misheard.")
    if event.event_type == "game.void_requested":
        done(house, game, "approve", by=house.supervisor, request=event.data["request"])


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


@pytest.mark.django_db(transaction=True)
class TestAtTheSameMoment:
    """The streams' guards decide, on connections of their own."""

    def test_of_many_tables_that_open_one_takes_it(self, tmp_path: Path) -> None:
        house = new_house(tables=4)
        game = left_behind(house)
        settled(house)

        with on_a_file(tmp_path):
            answers = at_once(4, lambda number: ask_open_at(house, house.tables[number]))
            pots = sorted(state(house, answer.key.game)["pot"] for answer in answers)

            assert pots == [2, 2, 2, 4]
            assert lots(house).lots == ()
            assert changes(house) == ["left", "drawn"]
            settled(house)
            books.hold_at_every_moment(house)
            assert refused(house, game, "void", back_to=5, reason="?") == "beyond_reversal"

    def test_of_many_that_open_one_awaits_what_is_not_booked(self, tmp_path: Path) -> None:
        house = new_house(tables=4)
        left_behind(house)

        with on_a_file(tmp_path):
            answers = at_once(4, lambda number: ask_open_at(house, house.tables[number]))
            settled(house)
            pots = sorted(state(house, answer.key.game)["pot"] for answer in answers)

            assert pots == [2, 2, 2, 4]
            assert changes(house) == ["left", "drawn", "arrived"]

    def test_either_the_void_or_the_opening_has_it(self, tmp_path: Path) -> None:
        house = new_house(tables=2)
        game = left_behind(house)
        [event] = done(house, game, "void", back_to=closing(house, game), reason="Misheard.")
        request = event.data["request"]

        def asked(number: int) -> Any:
            if number:
                return ask_open_at(house, house.tables[1])
            return ask(house, game, "approve", by=house.supervisor, request=request)

        with on_a_file(tmp_path):
            approved, opened_at = at_once(2, asked)
            settled(house)

            back = approved.refusal is None
            assert (state(house, game)["pot"], state(house, opened_at.key.game)["pot"]) == (
                (4, 2) if back else (0, 4)
            )
            books.hold_at_every_moment(house)

    def test_many_workers_deliver_it_once(self, tmp_path: Path) -> None:
        house = new_house()
        left_behind(house)
        following = begun(house)
        subscriptions.advance(SETTLEMENT, establishment=house.id)

        with on_a_file(tmp_path):
            delivered = at_once(4, lambda _number: rollover_delivery.deliver(house.id))

            assert sum(delivered) == 1
            assert events_of(house, following).count("rollover_arrived") == 1


def ask_open_at(house: House, table: Table) -> Any:
    return ask_open(house, opening(**BY_ROUND), table=table)


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
