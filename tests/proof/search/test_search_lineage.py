"""Pots' lineage: what came in, less what went out, is what lies there; nothing is guessed."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from casino.engine.processes.queues import house_subscriber
from casino.money.payouts import pot_equation as pots
from casino.play.settlement import rollovers
from casino.play.settlement.models import Payout
from casino.proof.search import pages
from casino.proof.search.models import LotLine
from ledger import journal, money, subscriptions
from tests.proof.search.test_search_rounds import rounds_of
from tests.support import builders
from tests.support.playing import LATER, done, game_of, opened, pot_of, round_played, settled
from tests.support.random_player import RandomPlayer
from tests.support.rolling import GAME, begun, left_behind, new_house, rolls_on

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterator

    from pytest_django import DjangoAssertNumQueries

    from casino.proof.search.pages import Pot
    from tests.support.builders import House

pytestmark = pytest.mark.django_db
QUERIES = 30


def read(house: House) -> None:
    settled(house)
    while subscriptions.advance(house_subscriber.HOUSE, establishment=house.id).lag:
        pass


def held(house: House, game: uuid.UUID) -> int:
    """What the pot's account has, straight from the ledger."""
    return money.balance_at(
        pot_of(game), journal.head(establishment=house.id), establishment=house.id
    )


def everything(pot: Pot) -> Iterator[Pot]:
    yield pot
    for branch in pot.came:
        if branch.pot is not None:
            yield from everything(branch.pot)


def reconciles(house: House, game: uuid.UUID) -> Pot:
    root = pages.lineage_of_pot(house.id, game, depth=50)
    assert sum(pages.leaves(root)) == held(house, game)
    for pot in everything(root):
        equation = pots.of_game(house.id, pot.game)
        assert pot.holds == pot.booked == held(house, pot.game)
        assert pot.rolled_in == equation.rolled_in
        assert pot.rolled_out == equation.rolled_out
        assert pot.put_in - pot.went == (
            equation.contributions - equation.won - equation.fees
            + equation.adjustments + equation.base
        )  # fmt: skip
    # Once more by hand: of all pots in the tree, what players put in less what left every one of
    # them, less what lies in those further back, is what lies in this one.
    tree = list(everything(root))
    names = {pot.game for pot in tree}
    came = sum(pot.put_in - pot.went for pot in tree)
    out = sum(lot.amount for pot in tree for lot in pot.left if lot.taker not in names)
    assert came - out - sum(held(house, pot.game) for pot in tree[1:]) == held(house, game)
    return root


class TestAPot:
    def test_is_made_of_what_players_put_in(self) -> None:
        house = builders.house()
        game = opened(house)
        round_played(house, game)
        read(house)

        root = reconciles(house, game)

        [moved] = root.moved
        assert (moved.coins, moved.round) == (7, 1)
        assert game_of(house, game).facts[moved.cause - 1].payments
        assert list(root.players().values()) == [(7, 0)]

    def test_a_voided_contribution_is_none(self) -> None:
        house = builders.house()
        game = opened(house)
        last = round_played(house, game)
        settled(house)
        [requested] = done(
            house, game, "void", back_to=last.stream_version - 1, reason="Misread.", now=LATER
        )
        done(house, game, "approve", by=house.supervisor, request=requested.data["request"])
        read(house)

        root = reconciles(house, game)
        assert (root.moved, root.voided) == ([], 7)

    def test_rolls_from_the_pot_before_and_that_from_the_one_before_it(self) -> None:
        house = new_house()
        first = left_behind(house)
        settled(house)
        second = begun(house)
        settled(house)
        rolls_on(house, second)
        done(house, second, "close")
        settled(house)
        third = begun(house)
        read(house)

        root = reconciles(house, third)
        [branch] = root.came
        assert branch.pot is not None
        assert branch.pot.game == second
        [deeper] = branch.pot.came
        assert deeper.pot is not None
        assert deeper.pot.game == first
        assert root.since == deeper.lot.since
        assert deeper.lot.event > 0
        assert [lot.taker for lot in deeper.pot.left] == [second]

    def test_that_nobody_has_taken_waits_with_its_lineage(self) -> None:
        house = new_house()
        first = left_behind(house)
        read(house)
        root = reconciles(house, first)
        assert [(lot.state, lot.amount) for lot in root.left] == [("waiting", 2)]

    def test_what_is_not_booked_yet_is_on_its_way(self) -> None:
        house = new_house()
        left_behind(house)
        following_game = begun(house)  # settlement has not been by
        while subscriptions.advance(house_subscriber.HOUSE, establishment=house.id).lag:
            pass
        root = pages.lineage_of_pot(house.id, following_game)
        assert [lot.amount for lot in root.awaited] == [2]
        read(house)
        assert [each.lot.amount for each in reconciles(house, following_game).came] == [2]

    @pytest.mark.long("postgresql")
    def test_further_back_than_is_told_stands_as_one_sum(self) -> None:
        house = new_house()
        left_behind(house)
        for _ in range(3):
            settled(house)
            game = begun(house)
            settled(house)
            rolls_on(house, game)
            done(house, game, "close")
        settled(house)
        last = begun(house)
        read(house)
        shallow = pages.lineage_of_pot(house.id, last, depth=2)
        assert sum(pages.leaves(shallow)) == held(house, last)
        [branch] = shallow.came
        assert branch.pot is not None
        assert all(each.pot is None for each in branch.pot.came)


@pytest.mark.long("postgresql")
@pytest.mark.rows(1)
@pytest.mark.parametrize("seed", range(4))
def test_a6_every_pot_of_seeded_play_is_the_sum_of_its_leaves(seed: int) -> None:
    """All games, voids, late settlement and rollovers over several games; lots as the rules say."""
    house = builders.house(tables=4)
    builders.dice_for_every_game(house.establishment, sets=4)
    chance = Random(seed)  # noqa: S311 - of a test
    croupier = RandomPlayer(house, chance, (GAME, GAME, GAME, "dice-breaker", "stone-hand"))
    for _ in range(110):
        croupier.does_something()
        if chance.random() < 0.5:
            settled(house)
        if chance.random() < 0.1 and croupier.running:  # so that pots roll
            game = chance.choice(croupier.running)
            if any(each["do"] == "close" for each in _offers(house, game)):
                done(house, game, "close")
    read(house)

    for game in croupier.games:
        reconciles(house, game)
    for ruleset in rollovers.kinds(house.id):
        lots = {
            (str(lot.game), lot.event): (lot.amount, lot.state, lot.taker and str(lot.taker))
            for lot in LotLine.objects.filter(ruleset=ruleset, state__in=("waiting", "claimed"))
        }
        assert lots == {
            lot.source: (lot.amount, "claimed" if lot.claimed_by else "waiting", lot.claimed_by)
            for lot in rollovers.read(house.id, ruleset).lots
        }


def _offers(house: House, game: uuid.UUID) -> Any:
    from casino.play.core import queries  # noqa: PLC0415

    return queries.state(game_of(house, game))["offers"]


@pytest.mark.long("postgresql")
class TestThePage:
    def test_each_coin_leads_to_its_event(self) -> None:
        house = new_house()
        first = left_behind(house)
        settled(house)
        second = begun(house)
        read(house)

        text = builders.signed_in(house.attendant).get(
            reverse("pot-lineage", args=[second])
        ).content.decode()  # fmt: skip

        for row in Payout.objects.filter(game=first, payee="pot"):
            assert reverse("game-at", args=[first, row.cause]) in text
            assert f"{reverse('floor-round', args=[first, row.round])}?step={row.cause}" in text
        [lot] = LotLine.objects.all()
        assert reverse("game-at", args=[first, lot.event]) in text
        assert reverse("pot-lineage", args=[first]) in text
        assert "adds up" in text
        assert "Ada" in text

    def test_the_pots_page_leads_to_it(self) -> None:
        house = new_house()
        first = left_behind(house)
        settled(house)
        second = begun(house)
        other = left_behind(house, table=1)
        read(house)
        text = builders.signed_in(house.attendant).get(reverse("pots")).content.decode()
        assert reverse("pot-lineage", args=[second]) in text
        assert reverse("pot-lineage", args=[other]) in text
        assert first != other

    def test_an_erased_name_is_on_it_no_more(self) -> None:
        house = builders.house()
        game = opened(house)
        round_played(house, game)
        read(house)
        house.establishment.player_set.update(name=None)
        page = builders.signed_in(house.manager).get(reverse("pot-lineage", args=[game]))
        assert ">Ada<" not in page.content.decode()

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize("rounds", [1, 6])
    def test_costs_the_same_however_much_came_in(
        self, rounds: int, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        house = builders.house()
        game = opened(house, stake=200)
        rounds_of(house, game, rounds)
        read(house)
        client = builders.signed_in(house.auditor)
        client.get(reverse("pot-lineage", args=[game]))
        with django_assert_max_num_queries(QUERIES):
            client.get(reverse("pot-lineage", args=[game]))
