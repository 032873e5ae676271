"""Several people configure the house in the same instant, on both databases."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from casino.house.acts import acts
from casino.house.attendants.models import Role
from casino.house.establishments.models import Establishment, HouseRules, Table
from casino.house.home_throws import house_rules
from casino.kit.approvals import operations as approvals
from casino.play.core import operations
from casino.settings.configuration import operations as configuration
from casino.settings.configuration.operations import Adding, Changing
from games.refusals import Refused
from ledger import journal
from tests.support import builders
from tests.support.at_once import at_once, on_a_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with on_a_file(tmp_path):
        yield builders.house()


def act(at: House, by: Attendant | None = None, command_id: uuid.UUID | None = None) -> acts.Act:
    return acts.Act(
        house=at.establishment,
        by=by or at.manager,
        device="office",
        now=timezone.now(),
        command_id=command_id or uuid.uuid4(),
        request={"do": "configure"},
    )


def tried(ask: Any) -> str:
    """done, or why not."""
    try:
        return str(ask().became)
    except (Refused, ValidationError) as refused:
        return type(refused).__name__


def test_two_publish_and_both_have_a_version_of_their_own(house: House) -> None:
    def publish(number: int) -> str:
        def ask() -> configuration.ChangeOutcome:
            rules = house_rules.draft_rules(
                establishment=house.establishment,
                game="stone-hand",
                effective_from=timezone.now(),
                by=house.manager,
                now=timezone.now() - timedelta(seconds=1),
                options={"rethrow": number % 3},
            )
            return configuration.put(act(house), Adding(rules))

        return tried(ask)

    answers = at_once(4, publish)

    rows = HouseRules.objects.filter(establishment=house.id)
    assert sorted(rows.values_list("version", flat=True)) == list(range(1, rows.count() + 1))
    assert answers.count("done") == rows.count() >= 1
    events = journal.stream(establishment=house.id, stream="record/house_rules")
    assert [event.data["after"]["version"] for event in events] == list(range(1, len(events) + 1))


def test_one_name_is_one_table(house: House) -> None:
    def add(_number: int) -> str:
        garden = Table(establishment=house.establishment, name="Garden")
        return tried(lambda: configuration.put(act(house), Adding(garden)))

    answers = at_once(4, add)

    assert answers.count("done") == 1
    assert Table.objects.filter(establishment=house.id, name="Garden").count() == 1
    assert len(journal.stream(establishment=house.id, stream="record/table")) == 1


def test_the_same_act_twice_is_one(house: House) -> None:
    once = act(house)

    def add(_number: int) -> str:
        garden = Table(
            id=configuration.new_id(once), establishment=house.establishment, name="Garden"
        )
        return tried(lambda: configuration.put(once, Adding(garden)))

    answers = at_once(4, add)

    assert set(answers) == {"done"}
    assert len(journal.stream(establishment=house.id, stream="record/table")) == 1


def test_two_columns_changed_at_once_are_both_changed(house: House) -> None:
    def change(number: int) -> str:
        table = Table.objects.get(pk=house.table.pk)
        values = {"stake_min": 2} if number % 2 else {"stake_max": 50}
        return tried(lambda: configuration.put(act(house), Changing(table, values)))

    assert at_once(2, change) == ["done", "done"]

    table = Table.objects.get(pk=house.table.pk)
    assert (table.stake_min, table.stake_max) == (2, 50)


def test_two_approve_one_change(house: House) -> None:
    Establishment.objects.filter(pk=house.id).update(two_configure=True)
    change = Changing(Table.objects.get(pk=house.table.pk), {"stake_max": 50})
    request = configuration.put(act(house), change, reason="Quiet.").request
    assert request is not None
    seconds = [builders.employed(house.establishment, Role.MANAGER) for _ in range(3)]

    def approve(number: int) -> str:
        try:
            approvals.decide(act(house, seconds[number]), request, approve=True)
        except Refused as refused:
            return refused.code
        return "done"

    answers = at_once(3, approve)

    assert sorted(answers) == ["already_decided", "already_decided", "done"]
    assert len(journal.stream(establishment=house.id, stream="record/table")) == 1


def test_an_opening_beside_a_change_is_by_one_version_or_the_other(house: House) -> None:
    """A4: what an opening pins is what was in force when it was appended."""

    def publish(rethrow: int) -> None:
        now = timezone.now()
        house_rules.publish(
            establishment=house.establishment, game="stone-hand", effective_from=now,
            by=house.manager, now=now, options={"rethrow": rethrow},
        )  # fmt: skip

    publish(1)

    def both(number: int) -> None:
        if number:
            publish(2)
            return
        operations.open_game(
            by=house.attendant,
            table=house.table,
            raw={"command_id": str(uuid.uuid4()), "game": "stone-hand", "players": ["Ada", "Bo"],
                 "stake": 5},
            now=timezone.now(),
            device="floor",
        )  # fmt: skip

    at_once(2, both)

    events = journal.read(establishment=house.id, limit=50)
    opening = next(event for event in events if event.event_type == "stone_hand.game_opened")
    published = [event for event in events if event.stream == "record/house_rules"]
    before = [event for event in published if event.position < opening.position]
    pinned = opening.data["house_rules"]["version"]
    assert opening.data["options"]["rethrow"] == pinned
    assert pinned in {1, before[-1].data["after"]["version"]}
