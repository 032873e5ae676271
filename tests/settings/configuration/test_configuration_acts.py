"""Changes of the house's configuration as acts: at once, or with a second person (C1, C2)."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from casino.engine.processes.queues import house_subscriber
from casino.house.acts import acts, changes
from casino.house.attendants.models import Employment, Role
from casino.house.attendants.permissions import NotYours
from casino.house.establishments.models import Change, Establishment, HouseRules, Table
from casino.house.home_throws import house_rules
from casino.kit.approvals import kinds, requests
from casino.kit.approvals import operations as approvals
from casino.kit.approvals.operations import OwnRequest, ReasonMissing
from casino.settings.configuration import history
from casino.settings.configuration import operations as configuration
from casino.settings.configuration.operations import Adding, Became, Changing
from ledger import journal
from ledger.journal import CommandReused
from tests.support import builders

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture
def strict(house: House) -> House:
    """A house where a second person approves changes, with a second manager."""
    Establishment.objects.filter(pk=house.id).update(two_configure=True)
    house.establishment.refresh_from_db()
    return house


def act(at: House, by: Attendant | None = None, **asked: Any) -> acts.Act:
    command_id = asked.pop("command_id", None) or uuid.uuid4()
    return acts.Act(
        house=at.establishment,
        by=by or at.manager,
        device="office",
        now=timezone.now(),
        command_id=command_id,
        request=asked,
    )


def records(at: House, kind: str) -> list[Any]:
    return journal.stream(establishment=at.id, stream=f"record/{kind}")


def limits(at: House, **values: Any) -> Changing:
    return Changing(Table.objects.get(pk=at.table.pk), values)


def test_c2_a_change_says_what_was_and_what_is_and_who(house: House) -> None:
    outcome = configuration.put(act(house), limits(house, stake_max=50), reason="Says Mr Quill.")

    (event,) = records(house, "table")
    assert outcome.became == Became.DONE
    assert (event.data["before"]["stake_max"], event.data["after"]["stake_max"]) == (None, 50)
    assert event.provenance.actor == str(house.manager.pk)
    assert b"Quill" not in event.body
    row = Change.objects.get(establishment=house.id)
    assert (row.kind, row.label, row.actor) == ("table", "Table 1", str(house.manager.pk))
    assert history.differing(row) == [("stake_max", None, 50)]


def test_a_second_tap_is_the_same_act(house: House) -> None:
    once = act(house, name="Garden")
    for _ in range(2):
        garden = Table(
            id=configuration.new_id(once), establishment=house.establishment, name="Garden"
        )
        assert configuration.put(once, Adding(garden)).became == Became.DONE

    assert len(records(house, "table")) == 1
    other = act(house, command_id=once.command_id, name="Loft")
    with pytest.raises(CommandReused):
        configuration.put(other, limits(house, stake_max=9))


def test_only_what_is_named_changes(house: House) -> None:
    """Two pages opened at once: neither puts back what the other changed."""
    first, second = limits(house, stake_min=2), limits(house, stake_max=50)
    configuration.put(act(house), first)
    configuration.put(act(house), second)

    table = Table.objects.get(pk=house.table.pk)
    assert (table.stake_min, table.stake_max) == (2, 50)
    assert records(house, "table")[1].data["before"]["stake_min"] == 2


def test_where_nothing_differs_nothing_is_recorded(house: House) -> None:
    assert configuration.put(act(house), limits(house, name="Table 1")).became == Became.UNCHANGED
    assert records(house, "table") == []


def test_all_or_nothing(house: House) -> None:
    garden = Table(establishment=house.establishment, name="Garden")
    taken = Table(establishment=house.establishment, name="Table 2")

    with pytest.raises(ValidationError):
        configuration.put(act(house), Adding(garden), Adding(taken))

    assert Table.objects.filter(establishment=house.id).count() == 2
    assert records(house, "table") == []


@pytest.mark.parametrize("role", [Role.ATTENDANT, Role.SUPERVISOR, Role.AUDITOR])
def test_d1_only_a_manager_configures(house: House, role: Role) -> None:
    with pytest.raises(NotYours):
        configuration.put(act(house, house.people[role]), limits(house, stake_max=50))


class TestTwoPeople:
    def test_c1_nothing_changes_before_a_second_person_approves(self, strict: House) -> None:
        asking = act(strict)
        outcome = configuration.put(asking, limits(strict, stake_max=50), reason="Quiet nights.")

        assert outcome.became == Became.WAITING
        assert Table.objects.get(pk=strict.table.pk).stake_max is None
        assert records(strict, "table") == []
        assert outcome.request is not None

        second = builders.employed(strict.establishment, Role.MANAGER)
        approvals.decide(act(strict, second), outcome.request, approve=True)

        (event,) = records(strict, "table")
        assert Table.objects.get(pk=strict.table.pk).stake_max == 50
        assert (event.data["before"]["stake_max"], event.data["after"]["stake_max"]) == (None, 50)
        assert event.data["asked_by"] == str(strict.manager.pk)
        assert event.data["approved_by"] == str(second.pk) == event.provenance.actor
        assert Change.objects.get(establishment=strict.id).asked_by == str(strict.manager.pk)

    def test_c1_nobody_approves_their_own(self, strict: House) -> None:
        outcome = configuration.put(act(strict), limits(strict, stake_max=50), reason="Mine.")
        assert outcome.request is not None

        with pytest.raises(OwnRequest):
            approvals.decide(act(strict), outcome.request, approve=True)
        assert Table.objects.get(pk=strict.table.pk).stake_max is None

    def test_d1b_a_house_with_one_manager_leaves_it_to_be_reviewed(self, strict: House) -> None:
        outcome = configuration.put(act(strict), limits(strict, stake_max=50), reason="Alone.")
        assert outcome.request is not None

        approvals.do_alone(act(strict), outcome.request, reason="Nobody else is here.")

        (event,) = records(strict, "table")
        assert event.data["alone"] is True
        assert Change.objects.get(establishment=strict.id).alone
        assert requests.state(strict.establishment, outcome.request).state == requests.State.ALONE

    def test_a_request_says_what_would_change(self, strict: House) -> None:
        outcome = configuration.put(act(strict), limits(strict, stake_max=50), reason="Quiet.")
        assert outcome.request is not None
        request = requests.state(strict.establishment, outcome.request)
        tells = kinds.kinds_by_name()[configuration.KIND].tells

        assert tells is not None
        assert tells([request]) == ["Table Table 1: greatest stake from nothing to 50"]

    def test_what_changed_meanwhile_is_not_overwritten(self, strict: House) -> None:
        outcome = configuration.put(act(strict), limits(strict, stake_max=50), reason="Quiet.")
        Table.objects.filter(pk=strict.table.pk).update(stake_max=70)
        second = builders.employed(strict.establishment, Role.MANAGER)
        assert outcome.request is not None

        with pytest.raises(configuration.ChangedMeanwhile, match="70 by now"):
            approvals.decide(act(strict, second), outcome.request, approve=True)

        state = requests.state(strict.establishment, outcome.request)
        assert state.state == requests.State.WAITING
        assert Table.objects.get(pk=strict.table.pk).stake_max == 70

    def test_it_takes_a_reason(self, strict: House) -> None:
        with pytest.raises(ReasonMissing):
            configuration.put(act(strict), limits(strict, stake_max=50))

    @pytest.mark.parametrize("off", [False, True])
    def test_no_other_way_is_open(self, strict: House, *, off: bool) -> None:
        """The plain operations, as the admin uses them, refuse; also to switch the rule off."""
        thing: Any = strict.establishment if off else strict.table
        if off:
            strict.establishment.two_configure = False
        else:
            strict.table.stake_max = 50
        with pytest.raises(changes.TwoNeeded):
            changes.change(thing, establishment=strict.establishment, by=strict.manager)
        with pytest.raises(changes.TwoNeeded):
            changes.create(
                Table(establishment=strict.establishment, name="Back room"),
                establishment=strict.establishment,
                by=strict.manager,
            )

    def test_to_switch_it_off_takes_two_as_well(self, strict: House) -> None:
        house = Establishment.objects.get(pk=strict.id)
        outcome = configuration.put(
            act(strict), Changing(house, {"two_configure": False}), reason="Slow."
        )

        assert outcome.became == Became.WAITING
        assert Establishment.objects.get(pk=strict.id).two_configure

    def test_rules_that_waited_past_their_moment_begin_when_approved(self, strict: House) -> None:
        now = timezone.now()
        rules = house_rules.draft_rules(
            establishment=strict.establishment,
            game="stone-hand",
            effective_from=now,
            by=strict.manager,
            now=now,
            options={"rethrow": 1},
        )
        outcome = configuration.put(act(strict), Adding(rules), reason="As agreed.")
        second = builders.employed(strict.establishment, Role.MANAGER)
        later = act(strict, second)
        assert outcome.request is not None
        approvals.decide(later, outcome.request, approve=True)

        published = HouseRules.objects.get(establishment=strict.id)
        assert published.effective_from >= now + timedelta(microseconds=1)
        assert (published.version, published.set_by) == (1, strict.manager)


def test_the_log_is_rebuilt_from_nothing(house: House) -> None:
    configuration.put(act(house), limits(house, stake_max=50))
    changes.create(
        Employment(
            establishment=house.establishment, attendant=builders.person(), role=Role.ATTENDANT
        ),
        establishment=house.establishment,
        by=house.manager,
    )
    configuration.put(act(house), limits(house, stake_max=60))
    rows = list(Change.objects.values("position", "kind", "label", "actor", "before", "after"))
    assert [row["kind"] for row in rows] == ["table", "employment", "table"]

    house_subscriber.forget(house.id)
    assert not Change.objects.exists()
    for event in journal.read(establishment=house.id, limit=50):
        history.handle(event)

    assert list(
        Change.objects.values("position", "kind", "label", "actor", "before", "after")
    ) == rows  # fmt: skip
