"""How a game, a table, a pot and the house stood at any event: as it was seen then."""

from __future__ import annotations

import copy
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from casino.engine.processes.queues import house_subscriber
from casino.house.acts.accounts import table_float
from casino.house.acts.game_streams.loading import GameKey, load
from casino.money.payouts import pot_equation as pots
from casino.play.core import stories
from casino.proof.search import as_of
from casino.proof.search.game_pages import game_at_event
from games.refusals import NoGame
from ledger import journal, money, subscriptions
from ledger.models import Transfer
from tests.play.core.test_sealed_hands import FACES, HOLE, SALT, SEALED, goes_on_to
from tests.proof.search.test_search_rounds import rounds_of
from tests.support import builders
from tests.support.builders import command
from tests.support.playing import LATER, NOW, done, game_of, opened, round_played, settled
from tests.support.random_player import GAMES, RandomPlayer
from tests.support.staff import Staff

if TYPE_CHECKING:
    import uuid

    from pytest_django import DjangoAssertNumQueries

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]
GAME_QUERIES, TABLE_QUERIES, HOUSE_QUERIES, POT_QUERIES = 18, 40, 40, 30


@pytest.fixture
def house() -> House:
    return builders.house(tables=2)


def read(house: House) -> None:
    settled(house)
    while subscriptions.advance(house_subscriber.HOUSE, establishment=house.id).lag:
        pass


def seen(house: House, game: uuid.UUID) -> Any:
    """What the board says of a game now."""
    loaded = load(GameKey(house.id, game))
    return copy.deepcopy((dict(loaded.view), loaded.state.inner))


class TestAGame:
    @pytest.mark.rows(3)
    @pytest.mark.parametrize("kind", GAMES)
    def test_stands_as_it_was_seen_live_and_as_its_rules_fold_it(self, kind: str) -> None:
        house = builders.house(tables=2)
        builders.dice_for_every_game(house.establishment, sets=3)
        croupier = RandomPlayer(house, Random(len(kind)), (kind,))  # noqa: S311 - of a test
        live: dict[tuple[uuid.UUID, int], Any] = {}
        for _ in range(45):
            croupier.does_something()
            for game in croupier.running:
                live[game, game_of(house, game).version] = seen(house, game)
        read(house)

        assert len(live) > 20
        for (game, number), (view, state) in live.items():
            loaded = game_of(house, game)
            then = stories.game_through(loaded, number)
            assert then.view == view
            assert then.state.inner == state
            folded = loaded.ruleset.decider.initial
            for fact in loaded.facts[:number]:
                folded = loaded.ruleset.decider.evolve(folded, fact)
            assert then.state.inner == folded.inner

    @pytest.mark.rows(2)
    @pytest.mark.parametrize("kind", GAMES)
    def test_every_event_has_a_page(self, kind: str) -> None:
        house = builders.house(tables=1)
        builders.dice_for_every_game(house.establishment, sets=2)
        croupier = RandomPlayer(house, Random(7), (kind,))  # noqa: S311 - of a test
        for _ in range(25):
            croupier.does_something()
        read(house)
        client = builders.signed_in(house.attendant)
        game = croupier.games[0]
        for number in range(1, game_of(house, game).version + 1):
            page = client.get(reverse("game-at", args=[game, number]))
            assert page.status_code == 200, number
            assert page.context["moment"]["number"] == number

    def test_is_told_of_nothing_that_came_later(self, house: House) -> None:
        """All that the page is drawn from is the same whether the game went on or not."""
        game = opened(house)
        round_played(house, game)
        version = game_of(house, game).version
        before = game_at_event(house.establishment, game_of(house, game), version)
        done(house, game, "close")
        after = game_at_event(house.establishment, game_of(house, game), version)

        for name in ("seats", "figures", "next", "line"):
            assert before["moment"][name] == after["moment"][name]
        assert before["of_round"]["steps"] == after["of_round"]["steps"]
        assert (before["status"], after["moment"]["of"] - before["moment"]["of"] > 0) == (
            after["status"], True,
        )  # fmt: skip

    def test_rv2_sealed_dice_stay_sealed_before_their_reveal(self) -> None:
        house = builders.house(dice_sets=0)
        builders.dice_set(house.establishment, sides=None, count=5)
        game = builders.opened(house, game="river", players=["Ada", "Bruno"], stake=30, price=5)
        builders.put(
            house, game, command("start_round"), command("seal", player="Ada", commitment=SEALED)
        )
        goes_on_to(house, game, "revealing")
        builders.put(house, game, command("reveal", player="Ada", dice=HOLE, salt=SALT))
        read(house)
        loaded = game_of(house, game)  # type: ignore[arg-type]
        revealed = next(
            number for number, event in enumerate(loaded.events, 1) if SALT.encode() in event.body
        )
        faces = "-".join(map(str, FACES))
        client = builders.signed_in(house.auditor)

        for number in range(1, loaded.version + 1):
            page = client.get(reverse("game-at", args=[game, number]))
            text = page.content.decode()
            assert SALT not in text
            drawn = repr([page.context["moment"], page.context["of_round"]])
            assert (repr(list(FACES)) in drawn or faces in drawn or repr(FACES) in drawn) == (
                number >= revealed
            ), number

    def test_what_a_void_took_back_is_shown_as_such(self, house: House) -> None:
        game = opened(house)
        last = round_played(house, game)
        settled(house)
        [requested] = done(
            house, game, "void", back_to=last.stream_version - 1, reason="Misread.", now=LATER
        )
        done(house, game, "approve", by=house.supervisor, request=requested.data["request"])
        void = game_of(house, game).version
        client = builders.signed_in(house.attendant)

        then = client.get(reverse("game-at", args=[game, last.stream_version]))
        assert then.context["void"]["number"] == void
        assert reverse("game-at", args=[game, void]) in then.content.decode()
        assert "voided later" in then.content.decode()
        assert client.get(reverse("game-at", args=[game, 1])).context["void"] is None
        assert client.get(reverse("game-at", args=[game, void])).context["void"] is None
        assert then.context["slider"]["voided"]

    def test_the_slider_is_a_form_whose_steps_have_addresses(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        client, version = builders.signed_in(house.attendant), game_of(house, game).version
        form = reverse("game-at-any", args=[game])

        for query, leads in (
            ("2", 2), ("", version), ("0", 1), ("999", version), ("x", version), ("-1", version),
        ):  # fmt: skip
            answer = client.get(form, {"number": query})
            assert answer.headers["Location"] == reverse("game-at", args=[game, leads])
        position = game_of(house, game).events[1].position
        answer = client.get(form, {"position": str(position)})
        assert answer.headers["Location"] == reverse("game-at", args=[game, 2])
        text = client.get(reverse("game-at", args=[game, 2])).content.decode()
        assert 'rel="prev"' in text
        assert 'rel="next"' in text
        assert 'type="range"' in text

    def test_an_event_it_does_not_have_is_nowhere(self, house: House) -> None:
        game = opened(house)
        client = builders.signed_in(house.attendant)
        for number in (0, 99):
            assert client.get(reverse("game-at", args=[game, number])).status_code == 404

    def test_another_house_s_is_nowhere(self, house: House) -> None:
        game = opened(house)
        stranger = builders.signed_in(builders.house().manager)
        for name, args in (
            ("game-at", [game, 1]), ("game-at-any", [game]), ("pot-at", [game]),
            ("pot-lineage", [game]), ("table-at", [house.table.pk]),
        ):  # fmt: skip
            assert stranger.get(reverse(name, args=args)).status_code == 404
        with pytest.raises(NoGame):
            load(GameKey(builders.house().id, game))

    @pytest.mark.parametrize("rounds", [1, 5])
    def test_costs_the_same_however_long_it_was(
        self, house: House, rounds: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        game = opened(house, stake=200)
        rounds_of(house, game, rounds)
        read(house)
        client = builders.signed_in(house.auditor)
        address = reverse("game-at", args=[game, game_of(house, game).version])
        client.get(address)

        with django_assert_num_queries(GAME_QUERIES):
            client.get(address)


class TestATable:
    def test_says_which_game_was_on_and_what_float_there_was(self, house: House) -> None:
        before = journal.head(establishment=house.id)
        game = opened(house)
        round_played(house, game)
        during = journal.head(establishment=house.id)
        done(house, game, "close")
        read(house)
        after = journal.head(establishment=house.id)

        def then(position: int) -> as_of.TableThen:
            return as_of.table(house.id, house.table, position)

        on = then(during).game
        assert on is not None
        assert on.key.game == game
        assert on.view == stories.game_through(game_of(house, game), on.version).view
        assert not on.closed
        assert then(max(before, 0)).game is None
        assert then(after).game is None
        client = builders.signed_in(house.auditor)
        for position in range(after + 1):
            page = client.get(reverse("table-at", args=[house.table.pk]), {"position": position})
            held = money.balance_at(
                table_float(str(house.table.pk)), position, establishment=house.id
            )
            assert page.context["float"] == held
            assert page.context["event"].position == position

    def test_knows_what_its_index_has_not_taken_in_yet(self, house: House) -> None:
        game = opened(house)
        read(house)
        done(house, game, "close")  # nobody has read that
        head = journal.head(establishment=house.id)
        assert as_of.table(house.id, house.table, head).game is None

    def test_says_who_had_its_money(self) -> None:
        house = builders.house(counts_floats=True)
        chance = Random(1)  # noqa: S311 - of a test
        staff = Staff(house, chance, RandomPlayer(house, chance))
        staff.opens_the_house()
        read(house)
        head = journal.head(establishment=house.id)
        then = as_of.table(house.id, house.table, head).custody
        assert then.shift is not None
        page = builders.signed_in(house.auditor).get(reverse("table-at", args=[house.table.pk]))
        assert page.context["custody"]["stands"] == "open"
        assert as_of.table(house.id, house.table, 0).custody.shift is None

    @pytest.mark.parametrize("count", [1, 6])
    def test_costs_the_same_however_much_happened(
        self, house: House, count: int, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        for _ in range(count):
            game = opened(house)
            done(house, game, "close")
        game = opened(house)
        read(house)
        client = builders.signed_in(house.auditor)
        address = reverse("table-at", args=[house.table.pk])
        client.get(address)
        with django_assert_max_num_queries(TABLE_QUERIES):
            client.get(address)


class TestAPot:
    def test_a1_its_equation_holds_at_every_position(self) -> None:
        house = builders.house(tables=3)
        builders.dice_for_every_game(house.establishment, sets=3)
        croupier = RandomPlayer(house, Random(11))  # noqa: S311 - of a test
        for _ in range(80):
            croupier.does_something()
            settled(house)
        read(house)
        head = journal.head(establishment=house.id)

        for position in range(0, head + 1, 7):
            then = pots.at_position(house.id, croupier.games, position)
            for game in croupier.games:
                moved = Transfer.objects.filter(establishment=house.id, position__lte=position)
                came = sum(moved.filter(credit_kind="pot", credit_name=str(game)).values_list(
                    "amount", flat=True))  # fmt: skip
                went = sum(moved.filter(debit_kind="pot", debit_name=str(game)).values_list(
                    "amount", flat=True))  # fmt: skip
                assert then[game].balance == came - went >= 0
                assert then[game].adds_up
        now = pots.at_position(house.id, croupier.games, head)
        assert now == {game: pots.of_game(house.id, game) for game in croupier.games}

    def test_its_page_says_so(
        self, house: House, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        game = opened(house)
        round_played(house, game)
        read(house)
        client = builders.signed_in(house.attendant)
        page = client.get(reverse("pot-at", args=[game]))
        assert [t["coins"] for t in page.context["terms"] if t["name"] == "balance"] == [7]
        first = client.get(reverse("pot-at", args=[game]), {"position": 0})
        assert [t["coins"] for t in first.context["terms"] if t["name"] == "balance"] == [0]
        with django_assert_max_num_queries(POT_QUERIES):
            client.get(reverse("pot-at", args=[game]))


class TestTheHouse:
    def test_its_open_games_pots_and_money_are_those_of_then(self) -> None:
        house = builders.house(tables=3)
        builders.dice_for_every_game(house.establishment, sets=3)
        croupier = RandomPlayer(house, Random(5))  # noqa: S311 - of a test
        seen_then: dict[int, Any] = {}
        for _ in range(50):
            croupier.does_something()
            settled(house)
            running = {
                (game, game_of(house, game).version)
                for game in croupier.games
                if not game_of(house, game).closed
            }
            balances = sum(
                held
                for account, held in money.balances(establishment=house.id).items()
                if account.kind == "pot"
            )
            seen_then[journal.head(establishment=house.id)] = (running, balances)
        read(house)
        client = builders.signed_in(house.auditor)

        for position, (running, balances) in list(seen_then.items())[::6]:
            then = as_of.house(house.establishment, position)
            assert {(each.key.game, each.version) for each in then.games.values()} == running
            page = client.get(reverse("house-at"), {"position": position})
            assert sum(each["pot"] for each in page.context["running"]) == balances
            assert page.context["chart"].position == position

    def test_at_a_time_it_is_what_was_recorded_by_then(self, house: House) -> None:
        opened(house)
        read(house)
        client = builders.signed_in(house.manager)
        early = (NOW - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")
        assert client.get(reverse("house-at"), {"time": early}).context["position"] == 0
        late = (NOW + timedelta(days=9000)).strftime("%Y-%m-%dT%H:%M")
        head = journal.head(establishment=house.id)
        assert client.get(reverse("house-at"), {"time": late}).context["position"] == head

    def test_who_may(self, house: House) -> None:
        opened(house)
        for who, status in (
            (house.attendant, 403), (house.supervisor, 403),
            (house.manager, 200), (house.auditor, 200),
        ):  # fmt: skip
            assert builders.signed_in(who).get(reverse("house-at")).status_code == status

    def test_an_empty_house_has_no_past(self, house: House) -> None:
        assert builders.signed_in(house.manager).get(reverse("house-at")).status_code == 404

    @pytest.mark.parametrize("count", [1, 2])
    def test_costs_the_same_however_many_play(
        self, house: House, count: int, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        for table in house.tables[:count]:
            round_played(house, opened(house, table=table))
        read(house)
        client = builders.signed_in(house.auditor)
        client.get(reverse("house-at"))
        with django_assert_max_num_queries(HOUSE_QUERIES):
            client.get(reverse("house-at"))
