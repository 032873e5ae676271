"""A game's package is taken away: what is left out, refused and listed, and what is not."""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.urls import reverse

from casino.house.acts.game_streams import catalogue, loading
from casino.kit.web.jobs.models import Occasion
from casino.play.core.models import GameCard
from casino.play.core.projections import PROJECTIONS
from casino.play.core.subscriptions import tasks
from casino.play.dice.surveillance import stream_monitor
from casino.play.dice.surveillance.subscriber import SURVEILLANCE
from casino.proof.disputes.regrade import grading, reading
from casino.proof.search.models import RoundLine
from casino.proof.verification import rebuild, runs
from ledger import subscriptions
from tests.support import builders
from tests.support.at_once import on_a_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.models import ParkedEvent
    from ledger.subscriptions import Subscriber
    from tests.support.builders import House

pytestmark = pytest.mark.django_db(transaction=True)
HERE = "stone-hand"


@pytest.fixture(autouse=True)
def _on_a_file(tmp_path: Path) -> Iterator[None]:
    with on_a_file(tmp_path):
        yield


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """It has played both games, and goes on without the rules of one."""
    house = played()
    while tasks.advance_all(house.id):
        pass
    taken_away(monkeypatch)
    yield house
    loading.MEMORY.forget()


def played() -> House:
    house = builders.house()
    builders.dice_for_every_game(house.establishment, sets=2)
    builders.on_record(house.establishment)
    throw = builders.throw
    gone = builders.opened(house, game="threes-away")
    builders.put(house, gone, throw("Ada", 1, 2, 3, 4, 5))
    here = builders.opened(house, game=HERE, table=str(house.tables[1].pk))
    builders.put(
        house, here, throw("Ada", 1, 1, 1), throw("Bruno", 2, 2, 3), throw("Cleo", 2, 4, 4)
    )
    return house


def taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {key: each for key, each in catalogue._BY_VERSION.items() if key[0] != "threes_away"}
    readers = {
        name: each
        for name, each in stream_monitor.readers().items()
        if not name.startswith("threes")
    }
    monkeypatch.setattr(catalogue, "_BY_VERSION", known)
    monkeypatch.setattr(stream_monitor, "readers", lambda: readers)
    loading.MEMORY.forget()


def differing(house: House) -> list[str]:
    return [
        each.table
        for subscriber in tasks.SUBSCRIBERS
        for each in rebuild.compare(house.id, subscriber)
    ]


@pytest.mark.long("postgresql", but="citus")
def test_its_own_rows_are_left_out_and_all_others_are_compared(house: House) -> None:
    assert differing(house) == []

    GameCard.objects.filter(ruleset="threes-away").update(pot=99)
    assert differing(house) == []

    GameCard.objects.filter(ruleset=HERE).update(pot=99)
    assert differing(house) == ["play_gamecard"]


def test_nothing_is_made_anew_that_could_not_be_made_again(house: House) -> None:
    with pytest.raises(rebuild.NotInstalled, match="threes-away is not installed"):
        rebuild.rebuild(house.id, PROJECTIONS)

    assert GameCard.objects.filter(establishment=house.id).count() == 2


@pytest.mark.long("postgresql")
def test_a_regrade_lists_it_as_not_regraded(house: House) -> None:
    period = reading.Period(None, None)
    stretch = reading.stretch(house.id, period)

    found = grading.grade(grading.Scope(house.id, period, stretch), stretch)

    assert found.differences == []
    assert [(each["why"], each["package"]) for each in found.waiting] == [
        ("not_installed", "threes-away")
    ]


def verified(house: House, *options: str) -> str:
    out = StringIO()
    call_command("verify_ledger", f"--establishment={house.id}", *options, stdout=out)
    return out.getvalue()


@pytest.mark.long("postgresql")
def test_the_command_says_what_it_left_out(house: House) -> None:
    words = verified(house)
    lines = [json.loads(line) for line in verified(house, "--json").splitlines()]

    assert words.count("Not compared:") == 1
    assert "Not compared: what screens and reports read of the games of threes-away." in words
    assert words.rstrip().endswith("sound.")
    left_out = [line["not_compared"] for line in lines if line["what"] == "not_compared"]
    assert left_out == [{"game": "threes-away"}]
    assert lines[-1]["figures"]["findings"] == 0


@pytest.mark.long("postgresql")
def test_the_command_leaves_nothing_out_where_no_rows_are_compared(house: House) -> None:
    assert "Not compared" not in verified(house, "--no-projections")


@pytest.mark.long("postgresql")
def test_pages_say_what_a_verification_left_out_until_the_next_leaves_out_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = runs.whole(house.establishment, Occasion.ON_DEMAND)
    client = builders.signed_in(house.auditor)

    proof = client.get(reverse("proof")).content.decode()
    itself = client.get(reverse("verification", args=[before.id])).content.decode()

    assert (before.state, before.not_compared) == ("sound", ["threes-away"])
    assert "The package of threes-away is not installed: rows of its games were left out." in proof
    assert "What screens and reports read of the games of threes-away" in itself
    assert HERE not in itself

    monkeypatch.undo()
    loading.MEMORY.forget()
    after = runs.whole(house.establishment, Occasion.ON_DEMAND)

    proof = client.get(reverse("proof")).content.decode()
    itself = client.get(reverse("verification", args=[before.id])).content.decode()

    assert (after.state, after.not_compared) == ("sound", [])
    assert "is not installed" not in proof
    assert "What screens and reports read of the games of threes-away" in itself


@pytest.mark.long("postgresql")
def test_surveillance_says_whose_throws_wait_while_they_do(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of `house` were read before the package was taken away."""
    assert "not installed" not in surveillance(house)

    monkeypatch.undo()
    unread = played()
    taken_away(monkeypatch)
    while tasks.advance_all(unread.id):
        pass

    assert "for their package is not installed: threes-away." in surveillance(unread)
    assert "not installed" not in surveillance(house)


@pytest.mark.long("postgresql")
def test_what_waited_is_read_once_the_package_is_there_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = played()
    taken_away(monkeypatch)
    while tasks.advance_all(house.id):
        pass
    waiting = {each.name for each in tasks.SUBSCRIBERS if parked(house, each)}
    assert waiting == {each.name for each in tasks.SUBSCRIBERS}
    assert differing(house) == []

    monkeypatch.undo()
    loading.MEMORY.forget()
    with pytest.raises(SystemExit, match="0"):
        call_command("parked", "--retry", stdout=StringIO())
    while tasks.advance_all(house.id):
        pass

    assert not any(parked(house, each) for each in tasks.SUBSCRIBERS)
    assert set(differing(house)) <= {"surveillance_entryrow"}  # what somebody entered before what
    rebuild.rebuild(house.id, SURVEILLANCE)
    assert differing(house) == []
    assert RoundLine.objects.filter(establishment=house.id, ruleset="threes-away").exists()


def parked(house: House, subscriber: Subscriber) -> list[ParkedEvent]:
    return subscriptions.parked_events(subscriber.name, establishment=house.id)


def surveillance(house: House) -> str:
    page = builders.signed_in(house.auditor).get(reverse("dice"))
    assert page.status_code == 200
    text: str = page.content.decode()
    return text
