"""Takeovers, double sends and entries at the same instant, on either database (E5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
from django.utils import timezone

from casino.play.core import core
from casino.play.devices import device_log, late, leases
from casino.play.devices.models import DeviceEntry
from ledger import journal
from tests.support import builders
from tests.support.at_once import at_once, on_a_file
from tests.support.tablet import Tablet, throw

if TYPE_CHECKING:
    from pathlib import Path

    from casino.house.acts.game_streams.loading import GameKey
    from tests.support.builders import House

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def house() -> House:
    made = builders.house()
    builders.client(made.attendant)
    return made


@pytest.fixture
def game(house: House) -> UUID:
    return UUID(builders.opened(house))


@pytest.fixture
def tablet(house: House, game: UUID) -> Tablet:
    mira = Tablet(house.attendant, game)
    mira.take_over()
    mira.term = 1
    return mira


def throws(house: House, game: UUID) -> int:
    events = journal.stream(establishment=house.id, stream=f"game/{game}")
    return sum(event.event_type == "stone_hand.dice_thrown" for event in events)


def test_taken_over_between_the_look_and_the_append_an_entry_is_late(
    house: House, game: UUID, tablet: Tablet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lease was this device's when it was looked at; the append finds it is not any more."""
    sela = Tablet(house.supervisor, game)
    appended = core._record
    taken: list[bool] = []

    def overtaken(key: GameKey, entry: journal.Entry) -> core.Answer:
        if not taken:
            taken.append(True)
            sela.take_over()
        return appended(key, entry)

    monkeypatch.setattr(core, "_record", overtaken)

    assert tablet.put(throw("Ada", 2, 2, 7)) == "late"
    assert taken
    assert throws(house, game) == 0
    assert len(device_log.load(house.id, game).waiting) == 1


def test_taken_over_after_the_append_an_entry_is_recorded(
    house: House, game: UUID, tablet: Tablet, monkeypatch: pytest.MonkeyPatch
) -> None:
    sela = Tablet(house.supervisor, game)
    appended = core._record

    def overtaken(key: GameKey, entry: journal.Entry) -> core.Answer:
        receipt = appended(key, entry)
        monkeypatch.setattr(core, "_record", appended)
        sela.take_over()
        return receipt

    monkeypatch.setattr(core, "_record", overtaken)

    assert tablet.put(throw("Ada", 2, 2, 7)) == "recorded"
    assert throws(house, game) == 1
    assert not device_log.load(house.id, game).waiting


def test_a_refusal_under_a_lapsed_lease_is_late_too(
    house: House, game: UUID, tablet: Tablet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the rules would have it is not this device's to hear any more."""
    sela = Tablet(house.supervisor, game)
    appended = core._record

    def overtaken(key: GameKey, entry: journal.Entry) -> core.Answer:
        monkeypatch.setattr(core, "_record", appended)
        sela.take_over()
        return appended(key, entry)

    monkeypatch.setattr(core, "_record", overtaken)

    assert tablet.put(throw("Cleo", 2, 2, 7)) == "late"


def test_an_entry_that_was_put_while_it_was_being_listed_is_recorded_and_not_listed(
    house: House, game: UUID, tablet: Tablet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sent twice; the second request saw the takeover, the first was faster all the same."""
    entry = tablet.entry(throw("Ada", 2, 2, 7))
    listing = late.list_

    def overtaken(*args: Any, **kwargs: Any) -> None:
        monkeypatch.setattr(late, "list_", listing)
        raw = {"do": "throw", "player": "Ada", "dice": [2, 2, 7]}
        sent = entry["form"].split("command_id=")[1].split("&")[0]
        at = entry["at"]
        builders.put(house, str(game), {**raw, "command_id": sent, "occurred_at": at})
        listing(*args, **kwargs)

    Tablet(house.supervisor, game).take_over()
    monkeypatch.setattr(late, "list_", overtaken)

    assert tablet.became(entry) == ["recorded"]
    assert throws(house, game) == 1
    assert not device_log.load(house.id, game).waiting


def test_entries_and_takeovers_at_once_lose_nothing(
    house: House, game: UUID, tablet: Tablet, tmp_path: Path
) -> None:
    """Whoever is faster: each entry is in the game or on the list, once."""
    sela = Tablet(house.supervisor, game)
    sent = [tablet.entry(throw(name, 2, 2, 7)) for name in ("Ada", "Bruno", "Cleo")]

    def ask(number: int) -> Any:
        match number:
            case 0:
                return sela.take_over().status_code
            case _:
                return tablet.became(*sent)

    with on_a_file(tmp_path):
        _taken, first, second = at_once(3, ask)
        after = tablet.became(*sent)
        waiting = len(device_log.load(house.id, game).waiting)
        recorded = throws(house, game)
        listed = leases.standing(house.id, game)

    assert recorded + waiting == 3
    assert after == ["recorded"] * recorded + ["late"] * waiting
    for answers in (first, second):
        assert answers == after[: len(answers)]
    assert listed.is_of(sela.name)


def test_two_takeovers_at_once_one_after_the_other(
    house: House, game: UUID, tmp_path: Path
) -> None:
    tablets = [Tablet(house.attendant, game), Tablet(house.supervisor, game)]

    with on_a_file(tmp_path):
        at_once(2, lambda number: tablets[number].take_over())
        lease = leases.standing(house.id, game)
        mine = [each.board().text.count('data-lease="mine"') for each in tablets]

    assert lease.term == 2
    assert sorted(mine) == [0, 1]


def test_the_same_entry_many_times_at_once_is_one(
    house: House, game: UUID, tablet: Tablet, tmp_path: Path
) -> None:
    entry = tablet.entry(throw("Ada", 2, 2, 7))

    with on_a_file(tmp_path):
        answers = at_once(4, lambda _number: tablet.became(entry))
        recorded = throws(house, game)
        numbers = DeviceEntry.objects.filter(establishment=house.id).count()

    assert answers == [["recorded"]] * 4
    assert (recorded, numbers) == (1, 1)


def test_two_supervisors_put_the_same_entry_at_once(
    house: House, game: UUID, tablet: Tablet, tmp_path: Path
) -> None:
    Tablet(house.supervisor, game).take_over()
    tablet.put(throw("Ada", 2, 2, 7))
    [number] = device_log.load(house.id, game).waiting
    people = [house.supervisor, house.manager]

    def ask(who: int) -> str:
        try:
            refusal = late.put(
                by=people[who], house=house.establishment, game=game, entry=number,
                now=timezone.now(), device="office",
            )  # fmt: skip
        except late.NotWaiting:
            return "too late"
        return "put" if refusal is None else refusal.code

    with on_a_file(tmp_path):
        answers = at_once(2, ask)
        recorded = throws(house, game)

    assert "put" in answers
    assert recorded == 1
