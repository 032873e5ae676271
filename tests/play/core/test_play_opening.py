"""Opening a game through the operation: its place, its limits, its home throw."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from casino.house.acts.game_streams import occupancy
from casino.house.attendants.pseudonyms import tokens
from casino.house.home_throws import operations as home_throws
from casino.house.home_throws.operations import set_home_throw
from ledger import journal
from tests.support import builders
from tests.support.playing import (
    NOW,
    ask_open,
    done,
    game_of,
    new_id,
    opened,
    opening,
    state,
)

if TYPE_CHECKING:
    from typing import Any

    from casino.play.core import core
    from casino.play.dice.models import DiceSet
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house(tables=3, dice_sets=3)


def refusal(answer: core.Answer) -> str | None:
    return answer.refusal.code if answer.refusal else None


@pytest.mark.long("postgresql")
def test_a_game_claims_its_table_and_its_dice(house: House) -> None:
    game = opened(house)

    assert occupancy.occupant(house.id, f"table/{house.table.pk}") == (str(game), 1)
    assert occupancy.occupant(house.id, f"dice/{house.dice.pk}") == (str(game), 1)
    day, *events = journal.read(establishment=house.id, limit=10)
    assert day.event_type == "day.opened"
    assert [event.event_type for event in events] == [
        "stone_hand.game_opened",
        "table.game_opened",
        "dice.placed",
    ]
    assert len({event.provenance.command_id for event in events}) == 1


@pytest.mark.long("postgresql")
def test_what_a_game_is_played_under_stands_in_its_opening_event(house: House) -> None:
    house.table.stake_min, house.table.stake_max = 5, 50
    house.table.save()
    game = opened(house, options={"rethrow": 1}, fee={"kind": "seat", "amount": 1}, first="Bo")

    data = game_of(house, game).opening.data

    assert data["table"] == str(house.table.pk)
    assert data["dice_set"] == str(house.dice.pk)
    assert (data["stake_min"], data["stake_max"]) == (5, 50)
    assert data["rules_version"] == 1
    assert data["options"]["rethrow"] == 1
    assert data["fee"]["amount"] == 1


@pytest.mark.long("postgresql")
def test_without_free_dice_nothing_is_opened() -> None:
    house = builders.house(tables=2, dice_sets=1)
    builders.dice_set(house.establishment, sides=6, count=5)
    builders.dice_set(house.establishment, withdrawn=True)
    builders.dice_set(builders.house().establishment)
    opened(house)

    assert refusal(ask_open(house, table=house.tables[1])) == "no_dice"


@pytest.mark.long("postgresql")
def test_dice_that_do_not_fit_are_refused(house: House) -> None:
    elsewhere = builders.house().dice
    six_sided = builders.dice_set(house.establishment, sides=6, count=5)
    withdrawn = builders.dice_set(house.establishment, withdrawn=True)

    for unfit in (elsewhere, six_sided, withdrawn):
        assert refusal(ask_open(house, dice_set=unfit)) == "dice_unfit"
    assert journal.head(establishment=house.id) == -1


@pytest.mark.long("postgresql")
def test_the_refusal_says_what_the_game_needs_and_what_the_set_is(house: House) -> None:
    six_sided = builders.dice_set(house.establishment, number="B-7", sides=6, count=5)
    one_of_each = builders.dice_set(house.establishment, number="R-1", sides=None, count=5)

    def detail(unfit: DiceSet) -> str:
        answer = ask_open(house, dice_set=unfit)
        assert answer.refusal is not None
        return str(tokens.resolve(house.id, answer.refusal.detail))

    assert detail(six_sided) == "Set B-7 is 5d6; stone-hand needs 3d8: take another."
    assert detail(one_of_each) == "Set R-1 is one of each size; stone-hand needs 3d8: take another."


@pytest.mark.long("postgresql")
def test_the_smallest_set_that_will_do_is_taken() -> None:
    """Large boxes are left for the games that need them."""
    house = builders.house(tables=1, dice_sets=0)
    builders.dice_set(house.establishment, number="A", count=12)
    small = builders.dice_set(house.establishment, number="B", count=4)

    game = opened(house)

    assert game_of(house, game).place["dice_set"] == str(small.pk)


# fmt: off
DICE: list[tuple[str, dict[str, Any], str]] = [  # game, options, the set it takes of those below
    ("stone-hand",    {},                 "3d8"),
    ("cinnabar-gate", {},                 "3d8"),
    ("river",         {},                 "one of each size"),
    ("threes-away",   {},                 "5d6"),
    ("dice-breaker",  {},                 "10d6"),  # five for each of two
    ("dice-breaker",  {"mode": "battle"}, "15d6"),  # a trump and four at the corners
]
# G10, at a table of 5 to 50: what is played for, and whether it is taken there.
PLAYED_FOR: list[tuple[str, dict[str, Any], str | None]] = [
    ("threes-away",  {"options": {"ante": 4}},  "outside_table_limits"),
    ("threes-away",  {"options": {"ante": 5}},  None),
    ("dice-breaker", {"options": {"ante": 51}, "stake": 60}, "outside_table_limits"),
    ("dice-breaker", {"options": {"ante": 0}},  None),  # no money is played
    ("river",        {"price": 51, "stake": 99}, "outside_table_limits"),
    ("river",        {"price": 50, "stake": 99}, None),
    ("cinnabar-gate", {"stake": 51},            "outside_table_limits"),
    ("cinnabar-gate", {"options": {"variant": "arcade"}, "stake": 0}, None),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("game", "options", "dice"), DICE)
def test_each_game_finds_its_dice(game: str, options: dict[str, Any], dice: str) -> None:
    house = builders.house(dice_sets=0)
    for sides, count in ((8, 3), (6, 5), (6, 10), (6, 15), (None, 5)):
        builders.dice_set(house.establishment, sides=sides, count=count)

    key = opened(house, game=game, options=options)

    taken = house.establishment.dice_sets.get(pk=game_of(house, key).place["dice_set"])
    assert taken.dice == dice


@pytest.mark.long("postgresql")
def test_a_box_with_too_few_dice_is_refused(house: House) -> None:
    box = builders.dice_set(house.establishment, number="B-1", sides=6, count=14)
    battle = opening(game="dice-breaker", options={"mode": "battle"})

    answer = ask_open(house, battle, dice_set=box)

    assert answer.refusal is not None
    sentence = tokens.resolve(house.id, answer.refusal.detail)
    assert sentence == "Set B-1 is 14d6; dice-breaker needs 15d6: take another."


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("game", "told", "code"), PLAYED_FOR)
def test_a_tables_limits_hold_for_what_is_played_for(
    game: str, told: dict[str, Any], code: str | None
) -> None:
    house = builders.house()
    builders.dice_for_every_game(house.establishment, sets=1)
    house.table.stake_min, house.table.stake_max = 5, 50
    house.table.save()

    assert refusal(ask_open(house, opening(game=game, **told))) == code


@pytest.mark.long("postgresql")
def test_a_table_out_of_use_takes_no_game(house: House) -> None:
    house.table.in_use = False
    house.table.save()

    assert refusal(ask_open(house)) == "table_not_in_use"


# fmt: off
LIMITS = [
    # G10: a table may have a least and a greatest stake.
    ( 4, "outside_table_limits"),
    ( 5, None),
    (50, None),
    (51, "outside_table_limits"),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("stake", "code"), LIMITS)
def test_a_table_keeps_its_limits(house: House, stake: int, code: str | None) -> None:
    house.table.stake_min, house.table.stake_max = 5, 50
    house.table.save()

    assert refusal(ask_open(house, opening(stake=stake))) == code


@pytest.mark.long("postgresql")
def test_limits_changed_later_do_not_reach_a_running_game(house: House) -> None:
    game = opened(house, stake=20)
    house.table.stake_min = 30
    house.table.save()

    done(house, game, "throw", player="Ada", dice=[2, 2, 7])

    assert game_of(house, game).opening.data["stake_min"] is None


@pytest.mark.long("postgresql")
class TestHomeThrow:
    """H1, H2: where a game's home throw comes from."""

    @staticmethod
    def set(house: House, *faces: int, days_ago: int = 1, **more: Any) -> None:
        assert len(faces) == 3
        low, middle, high = faces
        set_home_throw(
            establishment=house.establishment,
            faces=(low, middle, high),
            effective_from=NOW - timedelta(days=days_ago),
            by=house.manager,
            **more,
        )

    def test_the_houses_own_in_force_is_taken(self, house: House) -> None:
        self.set(house, 1, 3, 6, days_ago=9)
        self.set(house, 2, 4, 7, days_ago=2)
        self.set(house, 3, 5, 8, days_ago=-1)  # not yet

        game = opened(house, home_throw_policy="fixed")

        assert state(house, game)["home_throws"] == [[2, 4, 7]]

    @pytest.mark.parametrize("own_first", [True, False])
    def test_the_one_for_the_game_goes_before_the_one_for_every_game(
        self,
        house: House,
        own_first: bool,  # noqa: FBT001 - a row
    ) -> None:
        """H3: whichever was set later; the other one stays in force for the other games."""
        self.set(house, 2, 4, 7, days_ago=9 if own_first else 2, game="stone-hand")
        self.set(house, 1, 3, 6, days_ago=2 if own_first else 9)

        game = opened(house, home_throw_policy="fixed")

        assert state(house, game)["home_throws"] == [[2, 4, 7]]
        played = home_throws.of_each_game(house.establishment, NOW)
        assert {game: throw and throw.faces for game, throw in played.items()} == {
            "stone-hand": (2, 4, 7),
            "cinnabar-gate": (1, 3, 6),
        }

    def test_the_one_of_the_moment_is_taken(self, house: House) -> None:
        self.set(house, 1, 3, 6, days_ago=9)
        self.set(house, 2, 4, 7, days_ago=2)

        game = opened(house, home_throw_policy="fixed", now=NOW - timedelta(days=3))

        assert state(house, game)["home_throws"] == [[1, 3, 6]]

    def test_a_later_one_does_not_reach_a_running_game(self, house: House) -> None:
        self.set(house, 1, 3, 6, days_ago=9)
        game = opened(house, home_throw_policy="fixed")

        self.set(house, 2, 4, 7, days_ago=2)

        assert state(house, game)["home_throws"] == [[1, 3, 6]]

    def test_one_that_is_named_comes_before_the_houses(self, house: House) -> None:
        self.set(house, 1, 3, 6)

        game = opened(house, home_throw_policy="fixed", home_throw=[6, 2, 8])

        assert state(house, game)["home_throws"] == [[2, 6, 8]]

    def test_one_that_scores_is_played_where_the_house_overrides(self, house: House) -> None:
        self.set(house, 3, 3, 3, override_reason="The founder's throw.")

        game = opened(house, home_throw_policy="fixed")

        opening_event = game_of(house, game).opening
        assert opening_event.data["homes"] == [[3, 3, 3]]
        assert opening_event.data["home_override"] is True

    def test_an_attendant_cannot_override(self, house: House) -> None:
        self.set(house, 3, 3, 3, override_reason="The founder's throw.")

        answer = ask_open(house, opening(home_throw=[4, 4, 4]))

        assert refusal(answer) == "home_throw_scores"

    def test_players_may_name_their_own_at_a_house_that_has_one(self, house: House) -> None:
        self.set(house, 1, 3, 6)
        seats = [{"name": "Ada", "home_throw": [2, 4, 7]}, {"name": "Bo"}]

        game = opened(house, players=seats, home_throw_policy="fixed", options={"homes": "players"})

        assert state(house, game)["home_throws"] == [[2, 4, 7]]

    def test_the_attendant_throws_for_it(self, house: House) -> None:
        game = opened(house, home_throw_policy="attendant")

        done(house, game, "throw_home", dice=[2, 2, 7])
        events = done(house, game, "throw_home", dice=[6, 1, 3])

        assert [event.event_type for event in events] == [
            "stone_hand.home_dice_thrown",
            "stone_hand.home_throw_settled",
        ]
        assert events[0].data["place"] == game_of(house, game).place
        assert state(house, game)["home_throws"] == [[1, 3, 6]]


@pytest.mark.long("postgresql")
def test_an_opening_asked_again_when_others_have_the_table_by_now(house: House) -> None:
    raw = opening()
    first = ask_open(house, raw)
    done(house, first.key.game, "close")
    other = opened(house)

    again = ask_open(house, raw)

    assert (again.key, again.refusal) == (first.key, None)
    assert occupancy.occupant(house.id, f"table/{house.table.pk}")[0] == str(other)


@pytest.mark.long("postgresql")
def test_a_refused_opening_stays_refused_when_the_table_is_free_again(house: House) -> None:
    game = opened(house)
    raw = opening()
    ask_open(house, raw)
    done(house, game, "close")

    assert refusal(ask_open(house, raw)) == "table_taken"
    assert refusal(ask_open(house, {**raw, "command_id": new_id()})) is None


@pytest.mark.long("postgresql")
def test_the_same_opening_at_another_table_is_another_request(house: House) -> None:
    raw = opening()
    ask_open(house, raw)

    with pytest.raises(journal.CommandReused):
        ask_open(house, raw, table=house.tables[1])
    with pytest.raises(journal.CommandReused):
        ask_open(house, raw, dice_set=house.dice_sets[1])
