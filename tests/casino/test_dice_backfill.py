"""Dice sets whose lives were followed before lives were listed: a migration lists them (F1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from casino.dice.models import DiceStep
from casino.establishments import changes
from casino.play import tasks
from ledger.models import Subscription
from tests.casino import builders, keeping
from tests.casino.playing import done, opened

if TYPE_CHECKING:
    from tests.casino.builders import House

pytestmark = pytest.mark.django_db(transaction=True)

BEFORE, AFTER = ("dice", "0004_life"), ("dice", "0005_lives_so_far")


def migrated(*targets: tuple[str, str]) -> None:
    for target in targets:
        MigrationExecutor(connection).migrate([target])


def lived(house: House) -> None:
    """Every kind of step: under Settings, outside games, and in them, which is not listed."""
    old = house.dice_sets[0]
    done(house, opened(house), "close")
    for values in ({"colour": "amber"}, {"withdrawn": True}, {"withdrawn": False}):
        old.refresh_from_db()
        for name, value in values.items():
            setattr(old, name, value)
        if "withdrawn" in values:
            old.state = "withdrawn" if old.withdrawn else "issued"
        changes.change(old, establishment=house.establishment, by=house.manager, reason="Worn?")
    new = keeping.in_store(house)
    keeping.issued(house, new, house.table)
    keeping.withdrawn(house, new)
    keeping.destroyed(house, new)


def steps(house: House) -> list[dict[str, Any]]:
    rows = DiceStep.objects.filter(establishment=house.id).order_by("position")
    return [dict(row) for row in rows.values()]


def forgotten() -> None:
    DiceStep.objects.all().delete()


def test_it_lists_what_the_follower_would_have_listed() -> None:
    house, other = builders.house(), builders.house()
    for each in (house, other):
        lived(each)
        tasks.read_house(establishment=str(each.id))
    followed = [steps(each) for each in (house, other)]
    assert {step["what"] for step in followed[0]} >= {
        "changed", "withdrawn", "reinstated", "received", "inspected", "issued", "destroyed",
    }  # fmt: skip
    forgotten()

    migrated(BEFORE, AFTER)

    assert [steps(each) for each in (house, other)] == followed


def test_run_again_it_adds_nothing_and_changes_nothing() -> None:
    house = builders.house()
    lived(house)
    tasks.read_house(establishment=str(house.id))
    followed = steps(house)

    migrated(BEFORE, AFTER, BEFORE, AFTER)

    assert steps(house) == followed


def test_what_was_not_followed_yet_it_leaves_to_the_follower() -> None:
    house = builders.house()
    keeping.in_store(house)
    tasks.read_house(establishment=str(house.id))
    seen = Subscription.objects.get(establishment=house.id, name="house").position
    keeping.withdrawn(house, keeping.received(house, "N-2"))
    tasks.read_house(establishment=str(house.id))
    Subscription.objects.filter(establishment=house.id, name="house").update(position=seen)
    forgotten()

    migrated(BEFORE, AFTER)

    assert [step["what"] for step in steps(house)] == ["received", "inspected"]
    assert all(step["position"] <= seen for step in steps(house))


def test_a_house_that_nothing_was_followed_of_has_no_rows() -> None:
    house = builders.house()
    lived(house)
    Subscription.objects.filter(establishment=house.id).delete()
    forgotten()

    migrated(BEFORE, AFTER)

    assert steps(house) == []
