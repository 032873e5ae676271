"""What changes at a house leaves an event with before and after, and who did it (C2)."""

from __future__ import annotations

import json
from datetime import time, timedelta
from typing import TYPE_CHECKING

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from casino.demo import house as demo
from casino.house.acts import changes
from casino.house.attendants.models import Attendant, Employment, Role
from casino.house.attendants.permissions import NotYours
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.models import Establishment, Table
from casino.house.home_throws.operations import in_force, set_home_throw
from casino.play.dice.models import DiceSet
from casino.play.settlement.models import PrizeRule
from casino.settings.staff.operations import dismiss, employ
from ledger import journal
from tests.support import builders
from tests.support.playing import NOW

if TYPE_CHECKING:
    from typing import Any

    from django.db.models import Model

    from casino.house.home_throws.models import HomeThrow
    from ledger.wire import StoredEvent
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


def last_record(house: House, kind: str) -> StoredEvent:
    event = journal.last(establishment=house.id, stream=f"record/{kind}")
    assert event is not None
    return event


def things(house: House) -> dict[str, Model]:
    """One new thing of each kind that a manager keeps."""
    own = {"establishment": house.establishment}
    return {
        "table": Table(name="Garden", **own),
        "dice_set": DiceSet(number="N-1", sides=8, count=3, **own),
        "prize_rule": PrizeRule(kind=PrizeRule.Kind.POINTS, at=10, prize="A bottle", **own),
        "employment": Employment(attendant=builders.person(), role=Role.ATTENDANT, **own),
    }


@pytest.mark.parametrize("kind", ["table", "dice_set", "prize_rule", "employment"])
def test_a_new_thing_is_recorded(house: House, kind: str) -> None:
    thing = things(house)[kind]

    changes.create(thing, establishment=house.establishment, by=house.manager)

    event = last_record(house, kind)
    assert event.event_type == f"{kind}.created"
    assert event.data["id"] == str(thing.pk)
    assert event.data["before"] is None
    assert event.data["after"]["establishment_id"] == str(house.id)
    assert event.provenance.actor == str(house.manager.pk)
    assert type(thing)._default_manager.filter(pk=thing.pk).exists()


def test_a_change_says_what_was_and_what_is(house: House) -> None:
    house.table.stake_max = 50

    changed = changes.change(
        house.table,
        establishment=house.establishment,
        by=house.manager,
        reason="Quiet nights for Mr Quill.",
    )

    assert changed
    event = last_record(house, "table")
    assert event.event_type == "table.changed"
    before, after = event.data["before"], event.data["after"]
    differing = {name for name in after if before[name] != after[name]}
    assert differing == {"stake_max"}
    assert (before["stake_max"], after["stake_max"]) == (None, 50)
    assert b"Quill" not in event.body
    assert tokens.resolve(house.id, event.data["reason"]) == "Quiet nights for Mr Quill."


def test_where_nothing_differs_nothing_is_recorded(house: House) -> None:
    head = journal.head(establishment=house.id)
    house.establishment.day_cutoff = "06:00"  # as a form may have it

    assert not changes.change(
        house.establishment, establishment=house.establishment, by=house.manager
    )
    assert journal.head(establishment=house.id) == head


def test_the_houses_secret_stays_out_of_its_record(house: House) -> None:
    house.establishment.day_cutoff = time(4)

    changes.change(house.establishment, establishment=house.establishment, by=house.manager)

    event = last_record(house, "establishment")
    assert event.data["after"]["day_cutoff"] == "04:00:00"
    assert "secret" not in event.data["after"]


# fmt: off
REFUSED = [
    ("table",      {"stake_min": 9, "stake_max": 5}),
    ("table",      {"name": "Table 2"}),
    ("dice_set",   {"sides": 7}),
    ("dice_set",   {"sides": None}),  # one of each size are five
    ("prize_rule", {"at": 0}),
    ("prize_rule", {"ruleset": "ludo"}),
    ("employment", {"role": "owner"}),
]
# fmt: on


@pytest.mark.parametrize(("kind", "values"), REFUSED)
def test_what_does_not_hold_together_is_neither_kept_nor_recorded(
    house: House, kind: str, values: dict[str, Any]
) -> None:
    thing = things(house)[kind]
    for name, value in values.items():
        setattr(thing, name, value)

    with pytest.raises(ValidationError):
        changes.create(thing, establishment=house.establishment, by=house.manager)

    assert journal.head(establishment=house.id) == -1
    assert not type(thing)._default_manager.filter(pk=thing.pk).exists()


def test_a_time_zone_is_one_that_exists(house: House) -> None:
    house.establishment.time_zone = "Europe/Atlantis"

    with pytest.raises(ValidationError, match="not a time zone"):
        changes.change(house.establishment, establishment=house.establishment, by=house.manager)


class TestWhoMay:
    @pytest.mark.parametrize("role", [Role.ATTENDANT, Role.SUPERVISOR, Role.AUDITOR])
    def test_only_a_manager(self, house: House, role: Role) -> None:
        for thing in things(house).values():
            with pytest.raises(NotYours):
                changes.create(thing, establishment=house.establishment, by=house.people[role])
        house.table.stake_max = 50
        with pytest.raises(NotYours):
            changes.change(house.table, establishment=house.establishment, by=house.people[role])

        assert journal.head(establishment=house.id) == -1
        house.table.refresh_from_db()
        assert house.table.stake_max is None

    def test_no_superuser_and_no_other_houses_manager(self, house: House) -> None:
        superuser = builders.person(is_superuser=True, is_staff=True)
        for who in (superuser, builders.house().manager):
            with pytest.raises(NotYours):
                set_home_throw(
                    establishment=house.establishment,
                    faces=(1, 3, 6),
                    effective_from=NOW,
                    by=who,
                )


class TestEmployment:
    def test_taking_on_and_letting_go_are_recorded(self, house: House) -> None:
        who = builders.person()
        employment = employ(
            establishment=house.establishment, attendant=who, role=Role.ATTENDANT, by=house.manager
        )
        dismiss(employment=employment, by=house.manager, reason="Moves to Lyon.")

        created, changed = journal.stream(establishment=house.id, stream="record/employment")
        assert created.data["after"]["until"] is None
        assert changed.data["before"]["until"] is None
        assert changed.data["after"]["until"] is not None
        assert changed.data["after"]["attendant_id"] == str(who.pk)
        assert b"Lyon" not in changed.body

    def test_one_has_one_role_at_a_house(self, house: House) -> None:
        with pytest.raises(ValidationError):
            employ(
                establishment=house.establishment,
                attendant=house.attendant,
                role=Role.MANAGER,
                by=house.manager,
            )

    def test_who_left_may_come_back_in_another_role(self, house: House) -> None:
        employment = Employment.objects.get(attendant=house.attendant)
        dismiss(employment=employment, by=house.manager)

        employ(
            establishment=house.establishment,
            attendant=house.attendant,
            role=Role.SUPERVISOR,
            by=house.manager,
        )

        assert Employment.objects.filter(attendant=house.attendant).count() == 2


class TestHomeThrow:
    def set(self, house: House, *faces: int, **more: Any) -> HomeThrow:
        low, middle, high = faces
        return set_home_throw(
            **{
                "establishment": house.establishment,
                "faces": (low, middle, high),
                "effective_from": NOW,
                "by": house.manager,
                **more,
            }
        )

    def test_it_is_recorded_with_its_story_beside_the_ledger(self, house: House) -> None:
        throw = self.set(house, 6, 1, 3, story="The bridge of Mr Quill.")

        event = last_record(house, "home_throw")
        after = event.data["after"]
        assert (after["low"], after["middle"], after["high"]) == (1, 3, 6)
        assert after["set_by_id"] == str(house.manager.pk)
        assert b"Quill" not in event.body
        assert tokens.resolve(house.id, throw.story) == "The bridge of Mr Quill."

    @pytest.mark.parametrize("faces", [(2, 2, 5), (3, 4, 5), (7, 8, 1), (1, 4, 7), (0, 3, 6)])
    def test_what_scores_otherwise_or_does_not_exist_is_none(
        self, house: House, faces: tuple[int, int, int]
    ) -> None:
        with pytest.raises(ValidationError):
            self.set(house, *faces)

    def test_the_house_overrides_with_a_reason(self, house: House) -> None:
        throw = self.set(house, 1, 4, 7, override_reason="As it ever was.")

        assert tokens.resolve(house.id, throw.override) == "As it ever was."
        with pytest.raises(ValidationError):
            self.set(house, 0, 4, 7, override_reason="As it never was.")

    def test_the_latest_that_has_begun_is_in_force(self, house: House) -> None:
        first = self.set(house, 1, 3, 6)
        second = self.set(house, 2, 4, 7, effective_from=NOW + timedelta(days=2))

        moments = [NOW - timedelta(seconds=1), NOW, NOW + timedelta(days=2)]
        found = [in_force(establishment=house.establishment, at=at) for at in moments]

        assert found == [None, first, second]

    def test_two_do_not_begin_at_once(self, house: House) -> None:
        self.set(house, 1, 3, 6)

        with pytest.raises(ValidationError):
            self.set(house, 2, 4, 7)

    def test_a_show_up_is_a_home_throw_of_stone_hand_alone(self, house: House) -> None:
        for wrong in ({}, {"game": "cinnabar-gate"}):
            with pytest.raises(ValidationError, match="show-up"):
                self.set(house, 2, 4, 6, **wrong)

        self.set(house, 2, 4, 6, game="stone-hand")
        self.set(house, 4, 6, 8, game="cinnabar-gate", override_reason="The founder's own.")

    def test_each_game_may_have_its_own(self, house: House) -> None:
        """H3: it goes before the one for every game, also before one that is set later."""
        self.set(house, 1, 3, 6)
        self.set(house, 2, 4, 6, game="stone-hand", effective_from=NOW + timedelta(hours=1))
        self.set(house, 2, 4, 7, effective_from=NOW + timedelta(hours=2))

        def found(game: str, hours: int) -> str:
            at = NOW + timedelta(hours=hours)
            return str(in_force(establishment=house.establishment, at=at, game=game))

        assert [found("stone-hand", hours) for hours in (0, 1, 2)] == ["1-3-6", "2-4-6", "2-4-6"]
        assert [found("cinnabar-gate", hours) for hours in (0, 1, 2)] == ["1-3-6", "1-3-6", "2-4-7"]


def test_the_demo_house_is_made_of_recorded_things() -> None:
    made = demo.make()

    events = journal.read(establishment=made.pk, limit=100)
    kinds = {event.event_type for event in events if not event.stream.startswith("custody/")}
    assert kinds == {
        "day.opened",
        "house.founded",  # money in its cage; each table's float is counted out of it
        "establishment.created",
        "employment.created",
        "table.created",
        "dice_set.created",
        "home_throw.created",
        *("establishment.changed", "table.changed"),  # its boards hang
    }
    assert Establishment.objects.count() == 1
    assert demo.exists()
    recorded = b"\n".join(event.body for event in events)
    for person in demo.STAFF:  # names of staff are kept beside the ledger, too
        who = Attendant.objects.get(username=person.username)
        assert str(who.pk).encode() in recorded
        assert json.dumps(person.last_name).encode() not in recorded
    assert demo.STORY.encode() not in recorded


def test_a_set_may_hold_one_die_of_each_size(house: House) -> None:
    rivers = DiceSet(establishment=house.establishment, number="R-1", sides=None, count=5)

    changes.create(rivers, establishment=house.establishment, by=house.manager)

    event = last_record(house, "dice_set")
    assert (event.data["after"]["sides"], event.data["after"]["count"]) == (None, 5)
    rivers.count = 4
    with pytest.raises(IntegrityError), transaction.atomic():
        rivers.save()
