"""House rules in force: what openings take from the house, what they may not say otherwise."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from casino.house.acts import changes
from casino.house.attendants.models import Role
from casino.house.attendants.permissions import NotYours
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.house.establishments.models import HouseRules, Table
from casino.house.home_throws import house_rules
from casino.house.home_throws.operations import set_home_throw
from casino.play.dice.models import DiceSet
from casino.words.presenters.registered import OPENINGS
from ledger import journal
from tests.support import builders

if TYPE_CHECKING:
    from datetime import datetime

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

RAKE = {"kind": "rake", "percent": 5, "cap": 3}
SEAT = {"kind": "seat", "amount": 1}


@pytest.fixture
def house() -> House:
    house = builders.house()
    builders.dice_for_every_game(house.establishment, sets=2)
    return house


def publish(at: House, game: str = "stone-hand", **more: Any) -> HouseRules:
    now: datetime = more.pop("now", timezone.now())
    return house_rules.publish(
        **{
            "establishment": at.establishment,
            "game": game,
            "effective_from": now,
            "by": at.manager,
            "now": now,
            **more,
        }
    )


def opened(at: House, role: Role = Role.ATTENDANT, **more: Any) -> Any:
    """The data of the opening event, or the problem."""
    answer = at.client(role).post(builders.GAMES, builders.opening(at.table, **more))
    if answer.status_code != 201:
        return answer.json()
    (event, *_) = journal.stream(establishment=at.id, stream=f"game/{answer.json()['id']}")
    return event.data


def test_what_an_opening_leaves_out_the_house_fills_in_and_the_opening_pins(house: House) -> None:
    """A4: options, fee and version stand in the opening event."""
    rules = publish(house, options={"runs": "straight", "rethrow": 1}, fee=RAKE)

    data = opened(house)

    assert (data["options"]["runs"], data["options"]["rethrow"]) == ("straight", 1)
    assert data["options"]["mode"] == "pool"
    assert {name: data["fee"][name] for name in RAKE} == RAKE
    assert data["house_rules"] == {"id": str(rules.pk), "version": 1}


def test_without_rules_a_house_opens_as_the_command_says(house: House) -> None:
    data = opened(house, options={"rethrow": 2}, fee=SEAT)

    assert (data["options"]["rethrow"], data["fee"]["amount"]) == (2, 1)
    assert "house_rules" not in data


@pytest.mark.parametrize("game", OPENINGS)
def test_a4_a_game_without_published_rules_does_not_open(house: House, game: str) -> None:
    type(house.establishment).objects.update(publishes_rules=True)

    refused = opened(house, game=game)

    assert refused["code"] == "rules_not_published"
    assert "Settings" in refused["detail"]


def test_a_game_that_the_house_does_not_have_does_not_open(house: House) -> None:
    publish(house, played=False)

    assert opened(house)["code"] == "not_played_here"


# fmt: off
FEES = [
    # the house's, the command's, the outcome
    (RAKE, {"fee": RAKE},                        "rake"),
    (RAKE, {"fee": {"kind": "rake", "percent": 6, "cap": 3}}, "fee_not_announced"),
    (RAKE, {"fee": SEAT},                        "fee_not_announced"),
    (None, {"fee": SEAT},                        "fee_not_announced"),
    (None, {},                                   None),
    (SEAT, {"options": {"mode": "drinks"}, "stake": 0}, None),  # no money, no fee
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("announced", "asked", "outcome"), FEES)
@pytest.mark.parametrize("role", [Role.ATTENDANT, Role.MANAGER])
def test_a5_the_fee_is_the_house_s_whoever_opens(
    house: House, announced: Any, asked: dict[str, Any], outcome: str | None, role: Role
) -> None:
    publish(house, fee=announced, deviations="anybody")

    data = opened(house, role, **asked)

    if outcome and "not" in outcome:
        assert data["code"] == outcome
    else:
        assert (data["fee"] or {}).get("kind") == outcome


# fmt: off
DEVIATIONS = [
    ("nobody",     Role.MANAGER,    False),
    ("nobody",     Role.ATTENDANT,  False),
    ("supervisor", Role.ATTENDANT,  False),
    ("supervisor", Role.SUPERVISOR, True),
    ("supervisor", Role.MANAGER,    True),
    ("anybody",    Role.ATTENDANT,  True),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("allowed", "role", "opens"), DEVIATIONS)
@pytest.mark.parametrize(
    "asked", [{"options": {"runs": "wrap"}}, {"home_throw_policy": "attendant"}]
)
def test_who_may_play_otherwise(
    house: House, allowed: str, role: Role, *, opens: bool, asked: dict[str, Any]
) -> None:
    publish(house, options={"runs": "straight"}, deviations=allowed)

    data = opened(house, role, **asked)

    if opens:
        assert "rules_version" in data
    else:
        assert data["code"] == "not_the_houses_rules"
        assert "rules 1" in data["detail"]


def test_naming_the_house_s_own_values_is_no_deviation(house: House) -> None:
    publish(house, options={"runs": "straight"}, deviations="nobody")

    data = opened(house, options={"runs": "straight", "mode": "pool"}, home_throw_policy="none")

    assert data["options"]["runs"] == "straight"


# fmt: off
HOME_THROWS = [
    # the house's, the command's (who may), homes, policy, option
    ("house",     {},                                 [[1, 3, 6]], "fixed",     "house"),
    ("house",     {"home_throw_policy": "none"},      [],          "fixed",     "house"),
    ("house",     {"home_throw_policy": "attendant"}, [],          "attendant", "house"),
    ("house",     {"home_throw": [2, 4, 7]},          [[2, 4, 7]], "fixed",     "house"),
    ("attendant", {},                                 [],          "attendant", "house"),
    ("players",   {},                                 [],          "fixed",     "players"),
    ("none",      {},                                 [],          "fixed",     "house"),
    ("none",      {"home_throw_policy": "fixed"},     [[1, 3, 6]], "fixed",     "house"),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("rule", "asked", "homes", "policy", "option"), HOME_THROWS)
def test_home_throws_come_from_where_the_house_takes_them(  # noqa: PLR0913, PLR0917 - a row
    house: House, rule: str, asked: Any, homes: Any, policy: str, option: str
) -> None:
    set_home_throw(
        establishment=house.establishment,
        faces=(1, 3, 6),
        effective_from=timezone.now() - timedelta(days=1),
        by=house.manager,
    )
    publish(house, home_throws=rule, deviations="anybody")

    data = opened(house, **asked)

    assert (data["homes"], data["home_throw_policy"], data["options"]["homes"]) == (
        homes, policy, option,
    )  # fmt: skip


def test_a_version_holds_from_its_moment_until_the_next(house: House) -> None:
    now = timezone.now()
    first = publish(house, now=now - timedelta(days=2))
    later = publish(house, effective_from=now + timedelta(days=3), now=now, options={"rethrow": 1})
    between = publish(house, now=now - timedelta(days=1), options={"rethrow": 2})

    def at(days: float) -> HouseRules | None:
        return house_rules.in_force(
            establishment=house.establishment, game="stone-hand", at=now + timedelta(days=days)
        )

    assert [at(-3), at(-1.5), at(-0.5), at(4)] == [None, first, between, later]
    assert [first.version, later.version, between.version] == [1, 2, 3]


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("options", {"options": {"runs": "backwards"}}),
        ("options", {"options": {"luck": 3}}),
        ("fee", {"fee": {"kind": "rake", "percent": 11}}),
        ("fee", {"fee": {"kind": "tithe"}}),
        ("fee", {"fee": SEAT, "options": {"mode": "drinks"}}),
        ("effective_from", {"effective_from": timezone.now() - timedelta(hours=1)}),
        ("game", {"game": "ludo"}),
        ("home_throws", {"game": "river", "home_throws": "house"}),
        ("deviations", {"deviations": "the-cat"}),
    ],
)
def test_rules_that_cannot_be_are_refused_by_field(
    house: House, field: str, wrong: dict[str, Any]
) -> None:
    with pytest.raises(ValidationError) as refused:
        publish(house, **wrong)

    assert field in refused.value.message_dict
    assert not HouseRules.objects.exists()


def test_c2_publishing_is_on_record_with_the_text_beside_the_ledger(house: House) -> None:
    rules = publish(house, text="No singing, says Mr Quill.")

    event = journal.last(establishment=house.id, stream="record/house_rules")
    assert event is not None
    assert event.event_type == "house_rules.created"
    assert event.data["after"]["version"] == 1
    assert b"Quill" not in event.body
    assert pseudonyms.resolve(house.id, rules.text) == "No singing, says Mr Quill."


@pytest.mark.parametrize("role", [Role.ATTENDANT, Role.SUPERVISOR, Role.AUDITOR])
def test_only_a_manager_publishes(house: House, role: Role) -> None:
    with pytest.raises(NotYours):
        publish(house, by=house.people[role])


# fmt: off
RUNNING: dict[str, dict[str, Any]] = {
    "stone-hand":    {"options": {"runs": "straight"}},
    "cinnabar-gate": {"options": {"junk_rethrows": 1}},
    "river":         {"options": {"min_raise": 2}, "price": 5},
    "threes-away":   {"options": {"zero": 4}},
    "dice-breaker":  {"options": {"ante": 3}},
}
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("game", OPENINGS)
def test_a4_nothing_changes_in_a_game_that_runs(house: House, game: str) -> None:
    """Every option, fee, limit and home throw changed meanwhile: state, offers and events stay."""
    publish(house, game, options=RUNNING[game]["options"], fee=SEAT, deviations="anybody")
    more = {name: each for name, each in RUNNING[game].items() if name != "options"}
    running = builders.opened(house, game=game, stake=50, **more)
    before = house.client().get(f"{builders.GAMES}{running}/").json()
    data = journal.stream(establishment=house.id, stream=f"game/{running}")[0].data

    every = {option.name: other(option) for option in OPENINGS[game].options}
    for name, value in every.items():
        publish(house, game, options={name: value})
    publish(house, game, played=False)
    table = Table.objects.get(pk=house.table.pk)
    table.stake_min, table.stake_max, table.in_use = 1000, 2000, False
    changes.change(table, establishment=house.establishment, by=house.manager)
    establishment = type(house.establishment).objects.get(pk=house.id)
    establishment.large_prize, establishment.currency_symbol = 1, "q"
    changes.change(establishment, establishment=establishment, by=house.manager)
    set_home_throw(
        establishment=house.establishment,
        faces=(2, 4, 7),
        effective_from=timezone.now(),
        by=house.manager,
    )

    assert house.client().get(f"{builders.GAMES}{running}/").json() == before
    assert journal.stream(establishment=house.id, stream=f"game/{running}")[0].data == data


def other(option: Any) -> Any:
    """A value that is not the option's default."""
    named = [choice.value for choice in option.choices if choice.value != option.default]
    return named[0] if named else option.numbers.least + 1


def test_of_two_openings_one_sees_the_new_rules(house: House) -> None:
    """An opening rests on the version of the rules it read: a change in between decides it anew."""
    publish(house, options={"rethrow": 1})
    assert opened(house)["options"]["rethrow"] == 1
    publish(house, options={"rethrow": 2})
    DiceSet.objects.update(withdrawn=False)
    at = house.tables[1]
    answer = house.client().post(builders.GAMES, builders.opening(at))

    (event, *_) = journal.stream(establishment=house.id, stream=f"game/{answer.json()['id']}")
    assert (event.data["options"]["rethrow"], event.data["house_rules"]["version"]) == (2, 2)


@pytest.mark.long("postgresql")
class TestOnTheFloor:
    def page(self, at: House, **sent: Any) -> Any:
        browser = builders.signed_in(at.attendant)
        address = reverse("floor-open", args=[at.table.pk])
        return browser.post(address, sent, format="multipart") if sent else browser.get(address)

    def sent(self, **more: Any) -> dict[str, Any]:
        return {
            "command_id": str(uuid.uuid4()),
            "game": "stone-hand",
            "player": ["Ada", "Bo"],
            "stake": "25",
            "home_throw": "none",
            **more,
        }

    def test_the_form_starts_from_the_house_s_rules(self, house: House) -> None:
        publish(
            house,
            options={"runs": "straight", "triad_pay": 4},
            fee=RAKE,
            text="Cash only, Mr Quill.",
        )

        page = self.page(house).content.decode()

        assert "House rules 1" in page
        assert "Cash only, Mr Quill." in page
        assert "a rake of 5 percent, at most 3\N{NO-BREAK SPACE}r" in page
        assert '<option value="straight" selected>' in page
        assert 'name="fee"' not in page

    def test_a_form_left_as_it_is_opens_by_the_house_s_rules(self, house: House) -> None:
        publish(house, options={"runs": "straight"}, fee=RAKE, deviations="nobody")
        usual = {"option-mode": "pool", "option-runs": "straight"}

        answer = self.page(house, **self.sent(**usual))

        assert answer.status_code == 302, answer.content
        opening = journal.read(establishment=house.id, limit=50)
        data = next(event.data for event in opening if event.stream.startswith("game/"))
        assert data["options"]["runs"] == "straight"
        assert data["fee"]["percent"] == 5

    @pytest.mark.parametrize("other", [{"option-runs": "wrap"}, {"home_throw": "attendant"}])
    def test_what_the_house_does_not_allow_is_said(self, house: House, other: Any) -> None:
        """The rules' usual value is a deviation where the house has another: it is said, too."""
        publish(house, options={"runs": "straight"}, deviations="nobody")
        usual = {"option-mode": "pool", "option-runs": "straight"}

        answer = self.page(house, **self.sent(**usual | other))

        assert answer.status_code == 422
        said = answer.content.decode()
        runs = "7-8-1 and 8-1-2: here “are runs”, the house plays “are not runs”"
        assert (runs in said) == ("option-runs" in other)
        assert ("Home throw: here “Thrown by the attendant”" in said) == ("home_throw" in other)

    def test_only_games_of_the_house_are_offered(self, house: House) -> None:
        type(house.establishment).objects.update(publishes_rules=True)
        publish(house, "river")
        publish(house, "threes-away")
        publish(house, "threes-away", played=False)

        page = self.page(house).content.decode()

        assert "River at Table 1" in page
        assert "Threes" not in page
