"""Transcripts of all games, on record: they regrade, and each round can be read step by step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.urls import reverse

from casino.house.acts.game_streams.catalogue import RULESETS
from casino.house.acts.game_streams.loading import GameKey, load
from casino.money.payouts.explained import Explained
from casino.play.core.models import GameCard
from casino.play.settlement.models import Payout
from casino.reports.registers.payouts import PayoutsAsOf
from casino.words.presenters.rounds import chapters
from ledger import journal
from tests.forms import every
from tests.support import builders, module_data
from tests.support.playing import settled
from tests.support.regrading import differences, figures, waiting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]
TRANSCRIPTS = Path(__file__).parents[2] / "transcripts"
GAMES = [each.id for each in RULESETS]


@pytest.fixture(scope="module", params=GAMES)
def house(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[House]:
    """A house where everything that stands in the transcripts of a game was played and settled."""
    del django_db_setup
    yield from module_data.built_once(lambda: recorded(request.param), django_db_blocker)


def recorded(game: str) -> House:
    house = builders.house(dice_sets=0)
    files = sorted((TRANSCRIPTS / game).glob("*.jsonl"))[:: every(8)]
    for number, path in enumerate(files):
        table = builders.table(house.establishment, name=f"{game} {number}")
        for sides, count in ((8, 3), (6, 50), (None, 5)):
            builders.dice_set(house.establishment, sides=sides, count=count)
        call_command(
            "replay", "--record", "--by", house.supervisor.username, "--house",
            house.establishment.name, "--table", table.name, str(path),
        )  # fmt: skip
    assert differences(house) == []
    settled(house)
    return house


def test_what_transcripts_hold_is_decided_and_booked_alike(house: House) -> None:
    assert differences(house) == []
    assert waiting(house) == []
    assert figures(house)["games"] == GameCard.objects.count() > 0


def test_every_payment_that_was_booked_says_why(house: House) -> None:
    rows = list(Payout.objects.filter(establishment=house.id))
    explained = Explained(house.establishment, rows)
    then = PayoutsAsOf(house.establishment, journal.head(establishment=house.id), rows)

    assert [row for row in rows if not explained.why(row)] == []
    assert [then.because(row) for row in rows] == [explained.why(row) for row in rows]


def test_a_slip_says_no_sentence_twice_or_its_beginning(house: House) -> None:
    rows = list(Payout.objects.filter(establishment=house.id))
    explained = Explained(house.establishment, rows)

    for row in rows:
        told = [each for text in explained.sentences(row) for each in text.split(". ")]
        assert told
        for at, each in enumerate(told):
            others = [one for number, one in enumerate(told) if number != at]
            assert not [one for one in others if one.startswith(each.removesuffix("."))], told


@pytest.mark.once
def test_each_round_can_be_read_and_each_step_of_it(house: House) -> None:
    client = builders.signed_in(house.auditor)

    for card in GameCard.objects.all():
        loaded = load(GameKey(house.id, card.game))
        told = chapters(loaded.facts)
        for number in sorted(each for each in told.of if each <= told.ended)[:: 3 * every(4)]:
            address = reverse("floor-round", args=[card.game, number])
            page = client.get(address)
            assert page.status_code == 200, (card.game, number)
            last = page.context["story"]["steps"][-1]["number"]
            assert client.get(f"{address}?step={last}").status_code == 200
