"""A dice set from received to destroyed: each step an event, and only what may be (F1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, transaction

from casino.house.attendants import permissions
from casino.house.attendants.models import Role
from casino.house.establishments.models import Change
from casino.kit.approvals import operations as approvals
from casino.play.dice import life, queries
from casino.play.dice.models import DiceSet, State
from games.refusals import Refused
from ledger import journal
from tests.money.payouts.test_payout_holds import large_prize_won
from tests.support import builders, dice_acts
from tests.support.playing import ask_open, done, game_of, opened, settled

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]


@pytest.fixture
def house() -> House:
    return builders.house(large_prize=15)


def told(house: House, dice: DiceSet) -> list[str]:
    events = journal.stream(establishment=house.id, stream=f"dice/{dice.pk}")
    return [event.event_type.partition(".")[2] for event in events]


def code(answer: Any) -> str | None:
    return answer.refusal.code if answer.refusal else None


def test_f1_every_step_is_an_event(house: House) -> None:
    dice = dice_acts.in_store(house)
    dice_acts.issued(house, dice)
    dice.refresh_from_db()
    game = ask_open(house, dice_set=dice).key.game
    done(house, game, "close")
    life.bring_back(dice_acts.act(house), dice.pk, note="For the night.")
    dice_acts.withdrawn(house, dice)
    dice_acts.destroyed(house, dice)

    assert told(house, dice) == [
        "received", "inspected", "issued", "placed", "lifted", "returned", "withdrawn", "destroyed",
    ]  # fmt: skip
    last = journal.last(establishment=house.id, stream=f"dice/{dice.pk}")
    assert last is not None
    assert (last.data["asked_by"], last.data["approved_by"]) == (
        str(house.supervisor.pk), str(house.manager.pk)
    )  # fmt: skip
    dice.refresh_from_db()
    assert (dice.state, dice.withdrawn) == (State.DESTROYED, True)
    settled(house)
    steps = queries.steps(house.establishment, dice.pk, before=None, most=9)
    assert [each.row.what for each in steps] == [
        "destroyed", "withdrawn", "returned", "issued", "inspected", "received",
    ]  # fmt: skip
    assert [each.said for each in steps][:3] == [
        "Chipped.",
        "A corner is chipped.",
        "For the night.",
    ]
    assert (steps[-1].supplier, steps[-1].reference) == ("Elm and Sons", "D-17")
    assert all(each.by for each in steps)
    assert Change.objects.filter(kind="dice_set", thing=dice.pk).count() == 1  # C2


def test_f1_nothing_is_thrown_with_dice_that_are_not_issued(house: House) -> None:
    def refused(dice: DiceSet) -> str | None:
        dice.refresh_from_db()
        return code(ask_open(house, dice_set=dice))

    dice = dice_acts.received(house)
    assert refused(dice) == "dice_unfit"
    dice_acts.inspected(house, dice)
    assert refused(dice) == "dice_unfit"
    dice_acts.issued(house, dice)
    assert refused(dice) is None


def test_f1_nor_does_a_game_change_to_them(house: House) -> None:
    dice = dice_acts.in_store(house)
    game = opened(house)
    assert code(ask_change(house, game, dice)) == "dice_unfit"
    dice_acts.issued(house, dice, house.tables[1])
    assert code(ask_change(house, game, dice)) == "dice_unfit"  # it is another table's
    life.bring_back(dice_acts.act(house), dice.pk)
    dice_acts.issued(house, dice, house.table)
    assert code(ask_change(house, game, dice)) is None


def ask_change(house: House, game: uuid.UUID, dice: DiceSet) -> Any:
    from casino.play.core import operations  # noqa: PLC0415
    from tests.support.playing import NOW, new_id  # noqa: PLC0415

    raw = {"do": "change_dice", "command_id": new_id(), "dice_set": str(dice.pk), "reason": "x"}
    return operations.command(
        by=house.supervisor, house=house.establishment, game=game, raw=raw, now=NOW, device="t"
    )


def test_f1_a_set_is_thrown_only_where_it_is_issued_to() -> None:
    house = builders.house(dice_sets=0)
    dice = dice_acts.in_store(house)
    dice_acts.issued(house, dice, house.tables[1])
    dice.refresh_from_db()

    assert code(ask_open(house, dice_set=dice)) == "dice_unfit"
    assert code(ask_open(house)) == "no_dice"  # nor is it found when none is named
    game = opened(house, table=house.tables[1])
    assert game_of(house, game).place["dice_set"] == str(dice.pk)


def test_f1_whoever_saw_it_issued_a_moment_ago_is_stopped_by_the_ledger(house: House) -> None:
    """The row is read first: a set returned in between is refused by its stream."""
    dice = dice_acts.in_store(house)
    dice_acts.issued(house, dice)
    dice.refresh_from_db()
    life.bring_back(dice_acts.act(house), dice.pk)

    assert dice.state == State.ISSUED  # as it was seen
    assert code(ask_open(house, dice_set=dice)) == "dice_not_issued"


def test_f1_a_set_that_does_not_pass_is_withdrawn_with_that(house: House) -> None:
    dice = dice_acts.received(house)
    dice_acts.inspected(house, dice, in_order=False)

    assert told(house, dice) == ["received", "inspected", "withdrawn"]
    assert dice_acts.state(dice) == State.WITHDRAWN


@pytest.mark.parametrize("role", [Role.ATTENDANT, Role.AUDITOR])
def test_d1_only_who_approves_keeps_the_dice(house: House, role: Role) -> None:
    act, dice = dice_acts.act(house, house.people[role]), house.dice
    tries: list[Callable[[], object]] = [
        lambda: life.receive(act, dice_acts.delivery()),
        lambda: life.inspect(act, dice.pk, in_order=True, finding="Sound."),
        lambda: life.issue(act, dice.pk, table=None),
        lambda: life.bring_back(act, dice.pk),
        lambda: life.withdraw(act, dice.pk, reason="Chipped."),
        lambda: life.ask_to_destroy(act, dice.pk, reason="Chipped."),
    ]
    for one in tries:
        with pytest.raises(permissions.NotYours):
            one()
    assert told(house, dice) == []


def refusal(one: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        one()
    return refused.value.code


def test_f1_each_step_has_its_states(house: House) -> None:
    steps: dict[str, Callable[[DiceSet], object]] = {
        "inspect": lambda dice: dice_acts.inspected(house, dice),
        "issue": lambda dice: dice_acts.issued(house, dice),
        "return": lambda dice: life.bring_back(dice_acts.act(house), dice.pk),
        "withdraw": lambda dice: dice_acts.withdrawn(house, dice),
        "destroy": lambda dice: dice_acts.destroyed(house, dice),
    }

    def impossible(dice: DiceSet, *names: str) -> None:
        [stock] = queries.inventory(house.establishment, [dice.pk])
        assert {str(each) for each in stock.possible} == steps.keys() - set(names)
        before = told(house, dice)
        for name in names:
            assert refusal(lambda name=name: steps[name](dice)) == "not_in_its_state"  # type: ignore[misc]
        assert told(house, dice) == before

    dice = dice_acts.received(house)
    impossible(dice, "issue", "return", "destroy")
    dice_acts.inspected(house, dice)
    impossible(dice, "return", "destroy")
    dice_acts.issued(house, dice)
    impossible(dice, "issue", "destroy")
    game = ask_open(house, dice_set=DiceSet.objects.get(pk=dice.pk)).key.game
    impossible(dice, *steps)  # it lies on a table
    done(house, game, "close")
    dice_acts.withdrawn(house, dice)
    impossible(dice, "inspect", "issue", "return", "withdraw")
    dice_acts.destroyed(house, dice)
    impossible(dice, *steps)


def test_c1_nobody_destroys_dice_alone(house: House) -> None:
    dice_acts.withdrawn(house, house.dice)
    request = dice_acts.request_destruction(house, house.dice)

    assert (
        refusal(lambda: approvals.decide(dice_acts.act(house), request, approve=True))
        == "own_request"
    )
    assert dice_acts.state(house.dice) == State.WITHDRAWN
    again = dice_acts.request_destruction(house, house.dice)
    approvals.decide(dice_acts.act(house, house.manager), request, approve=True)
    assert dice_acts.state(house.dice) == State.DESTROYED
    answer = lambda: approvals.decide(dice_acts.act(house, house.manager), again, approve=True)  # noqa: E731
    assert refusal(answer) == "not_in_its_state"


def test_a7_dice_of_a_large_prize_are_inspected_before_all_else(house: House) -> None:
    large_prize_won(house)
    dice = house.dice
    [stock] = queries.inventory(house.establishment, [dice.pk])
    assert (stock.stands, list(stock.possible)) == ("quarantined", ["inspect"])
    assert refusal(lambda: dice_acts.withdrawn(house, dice)) == "not_in_its_state"

    dice_acts.inspected(house, dice, in_order=False)
    [stock] = queries.inventory(house.establishment, [dice.pk])
    assert (stock.stands, list(stock.possible)) == ("failed", ["inspect", "withdraw"])
    assert code(ask_open(house, dice_set=dice)) == "dice_quarantined"

    dice_acts.inspected(house, dice)
    assert code(ask_open(house, dice_set=dice)) is None


@pytest.mark.parametrize("blank", ["", "  "])
def test_f1_what_was_found_and_why_is_said(house: House, blank: str) -> None:
    act, dice = dice_acts.act(house), house.dice
    missing = "reason_missing"
    assert refusal(lambda: life.withdraw(act, dice.pk, reason=blank)) == missing
    act = dice_acts.act(house)
    assert refusal(lambda: life.inspect(act, dice.pk, in_order=True, finding=blank)) == missing
    without = dice_acts.delivery(supplier=blank)
    assert refusal(lambda: life.receive(dice_acts.act(house), without)) == missing
    assert not DiceSet.objects.filter(number="N-1").exists()


@pytest.mark.parametrize(
    "wrong", [{"number": "S1"}, {"sides": 7}, {"sides": None, "count": 3}, {"number": ""}]
)
def test_f1_a_set_that_cannot_be_is_not_received(house: House, wrong: dict[str, Any]) -> None:
    number = house.dice.number if wrong.get("number") else wrong.get("number", "N-1")
    bad = dice_acts.delivery(**{**wrong, "number": number})
    assert refusal(lambda: life.receive(dice_acts.act(house), bad)) == "dice_unsound"


def test_another_house_s_dice_are_nowhere(house: House) -> None:
    other = builders.house()
    assert refusal(lambda: dice_acts.withdrawn(house, other.dice)) == "no_such_dice"
    dice = dice_acts.in_store(house)
    assert refusal(lambda: dice_acts.issued(house, dice, other.table)) == "no_such_table"
    assert queries.inventory(house.establishment, [other.dice.pk]) == []


def test_a_second_tap_is_the_same_step(house: House) -> None:
    dice = dice_acts.in_store(house)
    act = dice_acts.act(house)
    first = life.issue(act, dice.pk, table=None)
    again = life.issue(act, dice.pk, table=None)

    assert again.first_position == first.first_position
    assert told(house, dice).count("issued") == 1
    tapped = dice_acts.act(house)
    for _ in range(2):
        life.receive(tapped, dice_acts.delivery("N-2"))
    assert DiceSet.objects.filter(number="N-2").count() == 1


@pytest.mark.parametrize(
    "columns",
    [
        {"withdrawn": True},
        {"state": "destroyed"},
        {"state": "lost"},
        {"state": "ready", "issued_to": "table"},
    ],
)
def test_f1_the_database_holds_together_what_belongs_together(
    house: House, columns: dict[str, Any]
) -> None:
    if "issued_to" in columns:
        columns = {**columns, "issued_to": house.table}
    with pytest.raises(IntegrityError), transaction.atomic():
        DiceSet.objects.filter(pk=house.dice.pk).update(**columns)


def test_f1_what_settings_withdraw_comes_back_through_an_inspection(house: House) -> None:
    from casino.house.acts import changes  # noqa: PLC0415

    dice = house.dice
    for withdrawn in (True, False):
        dice.withdrawn = withdrawn
        changes.change(dice, establishment=house.establishment, by=house.manager)
    settled(house)

    assert dice_acts.state(dice) == State.RECEIVED
    assert code(ask_open(house, dice_set=dice)) == "dice_unfit"
    listed = queries.steps(house.establishment, dice.pk, before=None, most=9)
    assert [each.row.what for each in listed] == ["reinstated", "withdrawn"]
    dice_acts.inspected(house, dice)
    dice_acts.issued(house, dice)
    assert code(ask_open(house, dice_set=DiceSet.objects.get(pk=dice.pk))) is None


def test_the_inventory_costs_the_same_however_many_sets(
    house: House, django_assert_num_queries: Any
) -> None:
    for number in range(6):
        dice_acts.issued(house, dice_acts.in_store(house, f"N-{number}"))
    opened(house)
    with django_assert_num_queries(6):
        found = queries.inventory(house.establishment)
    assert len(found) == 8
    assert [each.stands for each in found].count("on_table") == 1
