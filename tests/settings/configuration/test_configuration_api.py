"""The API's configuration: what holds, what changed, and changing it, as the pages do."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from casino.house.attendants.models import Role
from casino.house.establishments.models import Establishment, HouseRules, Table
from casino.house.home_throws.models import HomeThrow
from casino.play.dice.models import DiceSet
from ledger import journal
from tests.support import builders

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]


@pytest.fixture
def house() -> House:
    return builders.house()


def change(
    at: House, thing: str, values: dict[str, Any], role: Role = Role.MANAGER, **more: Any
) -> Any:
    body = {"command_id": str(uuid.uuid4()), "thing": thing, "values": values, **more}
    return at.client(role).post(at.url("configuration/"), body)


def test_what_holds_is_read_by_managers_and_auditors(house: House) -> None:
    change(house, "house_rules", {"game": "river", "options": {"min_raise": 2}})

    data = house.client(Role.AUDITOR).get(house.url("configuration/")).json()

    assert data["settings"]["large_prize"] == 500
    assert [(each["game"], each["options"]) for each in data["house_rules"]] == [
        ("river", {"min_raise": 2})
    ]
    assert house.client(Role.SUPERVISOR).get(house.url("configuration/")).status_code == 403


@pytest.mark.long("postgresql")
def test_house_rules_are_read_by_everybody_who_works_there(house: House) -> None:
    change(house, "house_rules", {"game": "river", "text": "No singing."})
    change(house, "house_rules", {"game": "river", "played": False})
    change(house, "house_rules", {"game": "threes-away"})

    def rows(query: str = "") -> Any:
        return house.client().get(house.url(f"house-rules/{query}")).json()["results"]

    assert len(rows()) == 3
    river = {each["version"]: each for each in rows("?game=river")}
    assert {number: each["in_force"] for number, each in river.items()} == {1: False, 2: True}
    assert river[1]["text"] == "No singing."
    assert house.client().get(house.url("house-rules/?game=ludo")).status_code == 400


# fmt: off
CHANGES = [
    ("house", {"large_prize": 900, "cash_threshold": None, "tips_allowed": True}),
    ("house", {"denominations": [{"value": 1, "name": "white"}]}),
    ("table", {"name": "Garden", "stake_min": 5, "stake_max": 50}),
    ("dice_set", {"number": "N-1", "sides": 6, "count": 5}),
    ("dice_set", {"number": "N-2", "sides": None, "count": 5}),
    ("home_throw", {"faces": [6, 1, 3], "story": "The bridge."}),
    ("house_rules", {"game": "stone-hand", "fee": {"kind": "rake", "percent": 5}}),
    ("house_rules", {"game": "stone-hand", "fee": {"kind": "rake", "percent": 5.0}}),
    ("house_rules", {"game": "river", "options": {"min_raise": 2.0}}),
    ("prize_rule", {"ruleset": "river", "kind": "points", "at": 10, "prize": "A bottle"}),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("thing", "values"), CHANGES)
def test_each_thing_is_changed_and_on_record(
    house: House, thing: str, values: dict[str, Any]
) -> None:
    answer = change(house, thing, values, reason="Because.")

    assert answer.status_code == 200, answer.content
    assert answer.json() == {"became": "done", "request": None}
    kind = "establishment" if thing == "house" else thing
    event = journal.last(establishment=house.id, stream=f"record/{kind}")
    assert event is not None
    rows = house.client(Role.AUDITOR).get(house.url("changes/")).json()["results"]
    assert (rows[0]["kind"], rows[0]["reason"]) == (kind, "Because.")


@pytest.mark.long("postgresql")
def test_things_that_are_there_are_changed_by_their_id(house: House) -> None:
    table, dice = str(house.table.pk), str(house.dice.pk)
    change(house, "table", {"stake_max": 50, "in_use": False}, id=table)
    change(house, "table", {"stake_max": None}, id=table)
    change(house, "dice_set", {"withdrawn": True}, id=dice)

    stored = Table.objects.get(pk=table)
    assert (stored.stake_max, stored.in_use) == (None, False)
    assert DiceSet.objects.get(pk=dice).withdrawn


# fmt: off
UNFIT = [
    ("house", {"large_prize": 0},                             "large_prize"),
    ("house", {"large_prize": True},                          "large_prize"),
    ("house", {"secret": "x"},                                "secret"),
    ("house", {"setting_up": "x"},                            "setting_up"),
    ("house", {"time_zone": "Mars"},                          "time_zone"),
    ("house", {"denominations": [{"value": 0, "name": ""}]},  "Row 1"),
    ("table", {"name": "Table 2"},                            "name"),
    ("table", {"name": "X", "stake_min": 9, "stake_max": 5},  "stake_max"),
    ("table", {},                                             "name"),
    ("table", {"name": ["X"]},                                "name"),
    ("dice_set", {"number": "N", "sides": 7, "count": 3},     "sides"),
    ("dice_set", {"number": "N", "sides": None, "count": 3},  "five dice"),
    ("prize_rule", {"ruleset": "river", "kind": "points", "at": 0, "prize": "A cup"}, "at"),
    ("prize_rule", {"ruleset": "ludo", "kind": "points", "at": 1, "prize": "A cup"}, "ruleset"),
    ("home_throw", {"faces": [2, 2, 5]},                      "another scoring throw"),
    ("home_throw", {"faces": [1, 3]},                         "faces"),
    ("home_throw", {"faces": [1, 3, 9]},                      "Faces from 1"),
    ("home_throw", {"faces": [1, 3, 6], "game": "river"},     "game"),
    ("home_throw", {"faces": [1, 3, 6], "effective_from": "2020-01-01T00:00:00Z"}, "passed"),
    ("home_throw", {"faces": [1, 3, 6], "effective_from": "9999-12-31T23:59:59Z"}, "so far ahead"),
    ("house_rules", {"game": "river", "effective_from": "9999-12-31T23:59:59Z"}, "so far ahead"),
    ("home_throw", {"faces": [1, 3, 6], "effective_from": "soon"}, "a moment with its offset"),
    ("home_throw", {"faces": [1, 3, 6], "effective_from": "2999-01-01T00:00:00"}, "offset"),
    ("house_rules", {"game": "ludo"},                         "game"),
    ("house_rules", {},                                       "game"),
    ("house_rules", {"game": "river", "options": {"min_raise": "x"}}, "min_raise"),
    ("house_rules", {"game": "stone-hand", "options": {"homes": "players"}}, "home_throws"),
    ("house_rules", {"game": "river", "fee": {"kind": ["rake"]}}, "fee"),
    ("house_rules", {"game": "stone-hand", "fee": {"kind": "rake", "percent": 5.5}}, "percent"),
    ("house_rules", {"game": "river", "options": {"min_raise": 1e300}}, "min_raise"),
    ("house_rules", {"game": "river", "deviations": "cats"},  "deviations"),
    ("house_rules", {"game": "river", "home_throws": "house"}, "home_throws"),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("thing", "values", "said"), UNFIT)
def test_what_does_not_fit_is_named_and_changes_nothing(
    house: House, thing: str, values: dict[str, Any], said: str
) -> None:
    head = journal.head(establishment=house.id)

    answer = change(house, thing, values)

    assert (answer.status_code, answer.json()["code"]) == (422, "does_not_fit"), answer.content
    assert said in answer.json()["detail"]
    assert journal.head(establishment=house.id) == head


@pytest.mark.parametrize(
    "body",
    [
        {"thing": "table", "values": {"name": "X"}},
        {"thing": "dragon", "values": {}, "command_id": str(uuid.uuid4())},
        {"thing": "table", "values": [], "command_id": str(uuid.uuid4())},
        {"thing": "table", "values": {}, "command_id": str(uuid.uuid4()), "more": 1},
        {"thing": "table", "values": {}, "command_id": str(uuid.uuid4()), "id": "x"},
    ],
)
def test_what_is_no_change_is_malformed(house: House, body: dict[str, Any]) -> None:
    assert house.client(Role.MANAGER).post(house.url("configuration/"), body).status_code == 400


def test_the_same_command_again_changes_nothing_more(house: House) -> None:
    once = str(uuid.uuid4())
    for _ in range(2):
        answer = change(house, "table", {"name": "Garden"}, command_id=once)
        assert answer.json()["became"] == "done"
    other = change(house, "table", {"name": "Loft"}, command_id=once)

    assert (other.status_code, other.json()["code"]) == (409, "command_reused")
    assert Table.objects.filter(establishment=house.id).count() == 3


@pytest.mark.parametrize("role", [Role.ATTENDANT, Role.SUPERVISOR, Role.AUDITOR])
def test_d1_only_a_manager_changes(house: House, role: Role) -> None:
    assert change(house, "table", {"name": "Garden"}, role).status_code == 403


def test_another_house_s_things_are_nowhere(house: House) -> None:
    other = builders.house()

    assert change(house, "table", {"in_use": False}, id=str(other.table.pk)).status_code == 404
    answer = house.client(Role.MANAGER).get(other.url("configuration/"))
    assert answer.status_code == 404
    assert house.client(Role.MANAGER).get(other.url("changes/")).status_code == 404


def test_c1_where_two_configure_it_waits_and_is_approved(house: House) -> None:
    Establishment.objects.filter(pk=house.id).update(two_configure=True)
    without = change(house, "table", {"name": "Garden"})
    assert without.json()["code"] == "reason_missing"

    waiting = change(house, "table", {"name": "Garden"}, reason="The new wing.").json()
    second = builders.client(builders.employed(house.establishment, Role.MANAGER))
    approved = second.post(
        house.url(f"approvals/{waiting['request']}/approve/"), {"command_id": str(uuid.uuid4())}
    )

    assert waiting["became"] == "waiting"
    assert approved.status_code == 200, approved.content
    assert Table.objects.filter(establishment=house.id, name="Garden").exists()


@pytest.mark.long("postgresql")
def test_later_things_begin_at_their_moment(house: House) -> None:
    begins = timezone.now() + timedelta(days=2)
    change(house, "home_throw", {"faces": [1, 3, 6], "effective_from": begins.isoformat()})
    change(house, "house_rules", {"game": "river", "effective_from": begins.isoformat()})

    assert HomeThrow.objects.get().effective_from == begins
    assert HouseRules.objects.get().effective_from == begins
    data = house.client(Role.MANAGER).get(house.url("configuration/")).json()
    assert data["house_rules"] == []


@pytest.mark.parametrize("rest", ["changes/", "house-rules/"])
def test_a_longer_list_takes_no_more_queries(house: House, rest: str) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert house.client(Role.AUDITOR).get(house.url(rest)).status_code == 200
        return len(queries)

    for number in range(4):
        text = f"Version {number}."
        change(house, "house_rules", {"game": "river", "text": text}, reason=text)
        if number == 0:
            asked()  # who asks, and with which token, is looked up anew once
            short = asked()

    assert len(house.client(Role.AUDITOR).get(house.url(rest)).json()["results"]) == 4
    assert asked() == short
