"""Rounds are found by whatever is known of them, at the house that played them and no other."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from casino.engine.processes.queues import house_subscriber
from casino.house.acts.game_streams.loading import GameKey, load
from casino.house.attendants.pseudonyms import tokens
from casino.play.core.subscriptions import tasks
from casino.play.settlement.models import Payout
from casino.proof.disputes.queries import event_of
from casino.proof.search import projections, rounds
from casino.proof.search.models import RoundAmount, RoundLine, RoundPerson
from casino.proof.search.rounds import Key
from casino.words.presenters.rounds import chapters
from games.messages import live
from ledger import journal, subscriptions
from tests.support import builders, module_data
from tests.support.playing import (
    LATER,
    NOW,
    PAIR_1,
    PAIR_4,
    PAIR_7,
    done,
    opened,
    round_played,
    settled,
    state,
    thrown,
    token,
)
from tests.support.random_player import RandomPlayer

if TYPE_CHECKING:
    import uuid

    from pytest_django import DjangoAssertNumQueries

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]
QUERIES = 18


def read(house: House) -> None:
    settled(house)
    while subscriptions.advance(house_subscriber.HOUSE, establishment=house.id).lag:
        pass


def found(house: House, **criteria: Any) -> list[tuple[uuid.UUID, int]]:
    rows = rounds.find(house.establishment, rounds.Criteria(**criteria)).rounds
    return [(row.game, row.round) for row in rows]


def rounds_of(house: House, game: uuid.UUID, count: int) -> None:
    """Each is lost by Bo, who pays 4."""
    for _ in range(2 * count):
        [name, *_] = state(house, game)["next"]["players"]
        thrown(house, game, name, PAIR_1 if name == "Ada" else PAIR_4)


def two_games() -> module_data.Played:
    """Ada and Bo at the first table: 7 coins, then 1; Cy and Dea at the second, an hour later."""
    house = builders.house(tables=2)
    first = opened(house)
    round_played(house, first, ("Ada", PAIR_7), ("Bo", PAIR_4))
    rounds_of(house, first, 1)
    second = opened(
        house, table=house.tables[1], players=["Cy", "Dea"], now=NOW + timedelta(hours=1)
    )
    for name, dice in (("Cy", PAIR_4), ("Dea", PAIR_1)):
        thrown(house, second, name, dice, by=house.supervisor, now=NOW + timedelta(hours=1))
    read(house)
    return module_data.Played(house, (first, second))


played = module_data.shared(two_games)
house = module_data.house_where("two", lambda: builders.house(tables=2))
two = module_data.what_was_played


class TestRoundsAreFound:
    def test_by_nothing_at_all_the_latest_first(self, house: House, two: Any) -> None:
        first, second = two
        assert found(house)[0] == (second, 1)
        assert set(found(house)) == {(first, 1), (first, 2), (second, 1)}

    def test_by_table(self, house: House, two: Any) -> None:
        assert {game for game, _ in found(house, table=house.table.pk)} == {two[0]}

    def test_by_kind_of_game(self, house: House, two: Any) -> None:
        assert {game for game, _ in found(house, ruleset="stone-hand")} == set(two)
        assert found(house, ruleset="river") == []

    def test_by_gaming_day(self, house: House, two: Any) -> None:
        day = load(GameKey(house.id, two[0])).opening.provenance.gaming_day
        assert len(found(house, day=day)) == 3
        assert found(house, day=day - timedelta(days=1)) == []

    def test_by_the_clock_at_the_table(self, house: House, two: Any) -> None:
        late = NOW + timedelta(minutes=30)
        assert {game for game, _ in found(house, since=late)} == {two[1]}
        assert {game for game, _ in found(house, until=late)} == {two[0]}
        assert found(house, since=NOW + timedelta(hours=2)) == []

    def test_by_player(self, house: House, two: Any) -> None:
        bo = token(house, two[0], "Bo")
        assert set(found(house, player=bo)) == {(two[0], 1), (two[0], 2)}

    def test_by_who_recorded_it(self, house: House, two: Any) -> None:
        assert found(house, attendant=str(house.supervisor.pk)) == [(two[1], 1)]
        assert (two[0], 1) in found(house, attendant=str(house.attendant.pk))

    def test_by_player_and_attendant_together(self, house: House, two: Any) -> None:
        bo = token(house, two[0], "Bo")
        assert found(house, player=bo, attendant=str(house.supervisor.pk)) == []
        assert len(found(house, player=bo, attendant=str(house.attendant.pk))) == 2

    def test_by_amount(self, house: House, two: Any) -> None:
        assert found(house, least=7, most=7) == [(two[0], 1)]
        assert found(house, least=5) == [(two[0], 1)]
        assert (two[0], 1) not in found(house, most=6)
        assert found(house, least=6, most=6) == []

    def test_by_receipt_position_event_command_and_game(self, house: House, two: Any) -> None:
        paid = Payout.objects.get(establishment=house.id, amount=7)
        event = load(GameKey(house.id, two[0])).events[paid.cause - 1]
        for receipt in (
            str(paid.position),
            str(event.position),
            str(event.event_id),
            str(event.provenance.command_id),
        ):
            got = rounds.of_event(house.establishment, receipt)
            assert got is not None, receipt
            assert (got[0].game, got[0].round) == (two[0], 1)
        whole = rounds.of_event(house.establishment, str(two[0]))
        assert whole is not None
        assert whole[0].game == two[0]

    def test_at_no_other_house(self, house: House, two: Any) -> None:
        stranger = builders.house()
        assert found(stranger) == []
        event = load(GameKey(house.id, two[0])).events[0]
        assert rounds.of_event(stranger.establishment, str(event.event_id)) is None


class TestOneBox:
    def test_reads_positions_ids_and_addresses(self, house: House, two: Any) -> None:
        def means(text: str) -> list[tuple[str, str]]:
            return [(each.means, each.value) for each in rounds.read(house.establishment, text)]

        paid = Payout.objects.filter(establishment=house.id)[0]
        assert means("12") == means("#12") == means(" # 12 ") == [("event", "12")]
        assert means(str(two[0])) == [("event", str(two[0]))]
        printed = reverse("receipt", args=[paid.game, paid.cause, paid.seq])
        assert means(f"http://x{printed}") == [("payout", f"{paid.game}/{paid.cause}")]
        checked = reverse("ledger-check", args=[house.id, 12, "a" * 64])
        assert means(f"https://dice.example{checked}") == [("event", "12")]

    def test_reads_names_of_tables_players_and_colleagues(self, house: House, two: Any) -> None:
        assert [each.means for each in rounds.read(house.establishment, "table 1")] == ["table"]
        assert rounds.read(house.establishment, "Ada")[0].value == token(house, two[0], "Ada")
        [who] = rounds.read(house.establishment, house.attendant.username)
        assert (who.means, who.value) == ("attendant", str(house.attendant.pk))
        assert rounds.read(house.establishment, "nobody of that name") == []

    @pytest.mark.usefixtures("two")
    def test_knows_nobody_of_another_house(self, house: House) -> None:
        stranger = builders.house(name="Elsewhere")
        assert rounds.read(stranger.establishment, "Ada") == []
        assert rounds.read(stranger.establishment, house.attendant.username) == []

    def test_an_erased_name_finds_nothing_any_more(self, house: House, two: Any) -> None:
        ada = token(house, two[0], "Ada")
        house.establishment.player_set.filter(token=ada).update(name=None)

        assert rounds.read(house.establishment, "Ada") == []
        page = builders.signed_in(house.auditor).get(reverse("games"), {"q": ada})
        assert "Ada" not in page.content.decode()
        assert f"/games/{two[0]}/at/" in page.content.decode()


class TestThePage:
    @pytest.mark.rows(postgresql=4)
    @pytest.mark.parametrize(
        "asked",
        [
            {"q": "Ada"}, {"q": "Table 1"}, {"player": "Ada"}, {"amount": "7"}, {"least": "5"},
            {"day": "2026-11-20", "amount": "7"}, {"game": "stone-hand", "player": "Bo"},
        ],
    )  # fmt: skip
    def test_finds_by_each_key(self, house: House, two: Any, asked: dict[str, str]) -> None:
        page = builders.signed_in(house.attendant).get(reverse("games"), asked)

        assert page.status_code == 200
        assert reverse("floor-round", args=[two[0], 1]) in page.content.decode()
        assert str(two[1]) not in page.content.decode()

    def test_a_receipt_leads_to_its_round_and_to_the_table_then(
        self, house: House, two: Any
    ) -> None:
        paid = Payout.objects.get(establishment=house.id, amount=7)
        for asked in ({"q": f"#{paid.position}"}, {"event": str(paid.position)}):
            text = builders.signed_in(house.auditor).get(reverse("games"), asked).content.decode()
            assert reverse("floor-round", args=[two[0], 1]) in text
            assert reverse("game-at", args=[two[0], paid.cause]) in text
        printed = reverse("receipt", args=[paid.game, paid.cause, paid.seq])
        text = builders.signed_in(house.auditor).get(reverse("games"), {"q": printed})
        assert reverse("floor-round", args=[two[0], 1]) in text.content.decode()

    @pytest.mark.rows(3)
    @pytest.mark.parametrize("q", ["nobody", "999999", "#", "(", "a" * 200, "p-", "''"])
    @pytest.mark.usefixtures("two")
    def test_what_is_nothing_says_what_to_do(self, house: House, q: str) -> None:
        page = builders.signed_in(house.attendant).get(reverse("games"), {"q": q})
        assert page.status_code == 200
        assert 'class="nothing"' in page.content.decode()

    @pytest.mark.parametrize(
        "wrong", [{"before": "x"}, {"before": "9" * 16 + "-1"}, {"least": "-1"}, {"day": "x"}]
    )
    @pytest.mark.usefixtures("two")
    def test_what_is_no_address_of_ours_is_no_error(
        self, house: House, wrong: dict[str, str]
    ) -> None:
        page = builders.signed_in(house.attendant).get(reverse("games"), wrong)
        assert page.status_code == 200

    def test_an_empty_house_is_told_where_to_begin(self, house: House) -> None:
        page = builders.signed_in(house.attendant).get(reverse("games"))
        assert reverse("floor") in page.content.decode()

    @pytest.mark.parametrize("count", [1, 8])
    def test_costs_the_same_however_much_was_played(
        self, house: House, count: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        game = opened(house, stake=200)
        rounds_of(house, game, count)
        read(house)
        client = builders.signed_in(house.auditor)
        client.get(reverse("games"))

        with django_assert_num_queries(QUERIES):
            client.get(reverse("games"), {"table": str(house.table.pk)})


def test_pages_follow_one_another_without_a_gap(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = opened(house, stake=200)
    rounds_of(house, game, 12)
    read(house)
    whole = found(house)
    for page, window in ((2, 2000), (50, 3), (4, 3)):
        monkeypatch.setattr(rounds, "PAGE", page)
        monkeypatch.setattr(rounds, "WINDOW", window)
        got: list[tuple[uuid.UUID, int]] = []
        before: Key | None = None
        while True:
            part = rounds.find(house.establishment, rounds.Criteria(), before=before)
            got += [(row.game, row.round) for row in part.rounds]
            if part.older is None:
                break
            before = Key.parse(str(part.older))
        assert got == whole


@pytest.mark.rows(1)
@pytest.mark.parametrize("seed", range(3))
def test_rows_are_what_the_games_say_whenever_they_are_read(seed: int) -> None:
    """Seeded play of all games with voids; then once more from nothing, with all of it known."""
    house = builders.house(tables=4)
    builders.dice_for_every_game(house.establishment, sets=4)
    chance = Random(seed)  # noqa: S311 - of a test
    croupier = RandomPlayer(house, chance)
    for _ in range(90):
        croupier.does_something()
        if chance.random() < 0.2:
            read(house)
    read(house)

    for game in croupier.games:
        loaded = load(GameKey(house.id, game))
        of = chapters(loaded.facts).of
        standing = dict(live(loaded.history))
        rows = {row.round: row for row in RoundLine.objects.filter(game=game)}
        assert set(rows) == set(of)
        for number, row in rows.items():
            mine = [fact for each, fact in standing.items() if of[each - 1] == number]
            staked, won = projections.coins([pay for fact in mine for pay in fact.payments])
            assert (row.staked, row.won) == (staked, won)
            assert row.throws == sum(fact.is_throw for fact in mine)
            assert row.over == any(fact.ends_round for fact in mine)
            assert loaded.events[row.first - 1].position == row.position
    before = everything(house)
    for model in projections.ROWS:
        model._default_manager.filter(establishment=house.id).delete()
    for event in journal.read(establishment=house.id, limit=10_000):
        projections.handle(event)
    assert everything(house) == before


def everything(house: House) -> list[Any]:
    return [
        sorted(map(repr, model._default_manager.filter(establishment=house.id).values()))
        for model in projections.ROWS
    ]


def test_a_void_takes_its_coins_out_of_the_round(house: House) -> None:
    game = opened(house)
    last = round_played(house, game)
    read(house)
    assert RoundLine.objects.get(game=game, round=1).staked == 7

    [requested] = done(
        house, game, "void", back_to=last.stream_version - 1, reason="Misread.", now=LATER
    )
    done(house, game, "approve", by=house.supervisor, request=requested.data["request"])
    read(house)

    row = RoundLine.objects.get(game=game, round=1)
    assert (row.staked, row.over) == (0, False)
    assert RoundAmount.objects.filter(position=row.position, amount=7).exists()
    assert RoundPerson.objects.filter(position=row.position).exists()


def test_what_is_a_players_is_found_by_the_players_token_alone(house: House, two: Any) -> None:
    known = {row.who for row in RoundPerson.objects.filter(establishment=house.id)}
    assert {each for each in known if tokens.is_token(each)} == {
        token(house, two[0], name) for name in ("Ada", "Bo")
    } | {token(house, two[1], name) for name in ("Cy", "Dea")}
    assert event_of(house.establishment, "999999") is None
    assert tasks.SUBSCRIBERS
