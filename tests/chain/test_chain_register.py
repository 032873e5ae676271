"""The register of a chain: closed days, by house and by currency, with its provenance (E6)."""

from __future__ import annotations

from datetime import UTC, date, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from casino.kit.documents.writers import FORMATS
from casino.play.settlement.models import Season, Tally
from casino.reports.gaming_days.models import GamingDay
from casino.words.languages.spreadsheets import in_base64
from ledger import checkpoints, journal
from ledger.notes import SigningKey
from tests.support import builders
from tests.support.chained import browser, chained, joined

if TYPE_CHECKING:
    from tests.support.builders import House
    from tests.support.chained import Chained

pytestmark = pytest.mark.django_db
NOVEMBER = "from=2025-11-01&to=2025-11-30"
KEY = SigningKey.generate("dice.example")
API = "/api/v1/chain/register/"


def day(house: House, number: int, *, month: int = 11, closed: bool = True, **sums: int) -> None:
    figures = {"rounds": 1, "staked": 10, "paid": 8, "fees": 1, "over_short": 0, **sums}
    GamingDay.objects.create(
        establishment=house.establishment, day=date(2025, month, number),
        opened_at=datetime(2025, month, number, tzinfo=UTC),
        **({"state": "closed", "closed_position": number * 10, **figures} if closed else {}),
    )  # fmt: skip


@pytest.fixture
def here() -> Chained:
    """Two houses that count in rods, and one in cents of a euro."""
    made = chained(2)
    euros = builders.house(currency_code="EUR", currency_symbol="€", coin_digits=2)
    joined(made.chain, euros)
    day(made.houses[0], 1, staked=100, fees=5)
    day(made.houses[0], 2, staked=50, over_short=-3)
    day(made.houses[0], 3, closed=False)
    day(made.houses[1], 2, staked=7)
    day(euros, 2, staked=123456)
    day(euros, 2, month=10, staked=999)
    return made


def tables(person: Any, query: str = NOVEMBER) -> tuple[Any, ...]:
    answer = builders.client(person).get(f"{API}?{query}").json()
    return answer["header"], *(each["rows"] for each in answer["tables"][:2])


def test_the_board_over_all_houses_has_places_and_no_names(here: Chained) -> None:
    """SB1: the running seasons alone; equal points of two houses share a place."""
    for number, (house, points) in enumerate(zip(here.houses, (3, 3), strict=True)):
        Season.objects.create(
            establishment=house.establishment, ruleset="stone-hand", number=2,
            first_day=date(2025, 11, 1),
        )  # fmt: skip
        for season, player in ((2, f"p-{number}"), (1, f"p-{number}-before")):
            Tally.objects.create(
                establishment=house.establishment, ruleset="stone-hand", season=season,
                player=player, points=points, share="1/2", rounds=4,
            )  # fmt: skip

    answer = builders.client(here.auditor).get(f"{API}?{NOVEMBER}").json()

    assert "p-0" not in str(answer)
    names = ("game", "place", "season", "points", "rounds")
    lines = [[row[name] for name in names] for row in answer["tables"][2]["rows"]]
    assert lines == [["Stone Hand", 1, 2, "3½", 4]] * 2


def test_coins_are_added_within_a_currency_and_never_across(here: Chained) -> None:
    _header, currencies, _houses = tables(here.auditor)
    assert [(row["currency"], row["houses"], row["days"], row["open_days"], row["staked_coins"],
             row["staked"]) for row in currencies] == [
        ("r", 2, 3, 1, 157, "157\xa0r"), ("EUR", 1, 1, 0, 123456, "€1,234.56"),
    ]  # fmt: skip


@pytest.mark.long("postgresql", but="citus")
def test_each_house_has_a_line_with_the_event_that_it_rests_on(here: Chained) -> None:
    _header, _currencies, houses = tables(here.auditor)
    first = next(row for row in houses if row["establishment"] == str(here.house.id))
    assert (first["days"], first["open_days"], first["rounds"], first["position"]) == (2, 1, 2, 20)
    assert (first["staked_coins"], first["fees_coins"], first["over_short_coins"]) == (150, 6, -3)


@pytest.mark.long("postgresql", but="citus")
def test_its_period_and_provenance_stand_in_its_header(here: Chained) -> None:
    header, *_tables = tables(here.auditor)
    head = journal.head(establishment=here.chain.pk)
    signed = checkpoints.grow(
        establishment=here.chain.pk, keys=[KEY], name=KEY.name, now=timezone.now()
    )
    assert signed is not None
    assert (header["from"], header["to"]) == ("2025-11-01", "2025-11-30")
    assert (header["house"], header["position"]) == (here.chain.name, head)
    assert header["root"] == in_base64(bytes(signed.root))
    assert header["asked_by"] == str(here.auditor)


@pytest.mark.long("postgresql", but="citus")
def test_another_period_has_other_days(here: Chained) -> None:
    _header, currencies, _houses = tables(here.auditor, "month=2025-10")
    assert [row["staked_coins"] for row in currencies] == [999]


def test_another_chain_has_none_of_it(here: Chained) -> None:
    del here
    assert tables(chained(1).auditor)[1:] == ([], [])


@pytest.mark.long("postgresql", but="citus")
@pytest.mark.parametrize("form", list(FORMATS))
def test_it_is_a_page_and_every_kind_of_file(here: Chained, form: str) -> None:
    client = browser(here.auditor)
    page = client.get(f"/chain/register/?{NOVEMBER}")
    assert "€1,234.56" in page.content.decode()
    file = client.get(f"/chain/register/?{NOVEMBER}&format={form}")
    assert file.status_code == HTTPStatus.OK
    assert "attachment" in file.headers["Content-Disposition"]


@pytest.mark.long("postgresql", but="citus")
@pytest.mark.parametrize("wrong", ["from=2025-11-01", "day=soon", "format=txt", "house=x"])
def test_what_it_does_not_have_is_refused(here: Chained, wrong: str) -> None:
    assert builders.client(here.auditor).get(f"{API}?{wrong}").status_code == 400


def test_it_asks_as_much_for_many_houses_as_for_few(here: Chained) -> None:
    client = browser(here.auditor)

    def statements() -> int:
        client.get(f"/chain/register/?{NOVEMBER}")
        with CaptureQueriesContext(connection) as asked:
            client.get(f"/chain/register/?{NOVEMBER}")
        return len(asked)

    few = statements()
    for _number in range(6):
        house = builders.house(tables=0, dice_sets=0)
        joined(here.chain, house)
        day(house, 4)
    assert statements() == few


@pytest.mark.once
@pytest.mark.parametrize("form", ["json", "csv"])
def test_a_program_gets_the_register_that_the_page_has(here: Chained, form: str) -> None:
    """By the chain's clock, whatever the clock of the server."""
    type(here.chain).objects.filter(pk=here.chain.pk).update(time_zone="Asia/Tokyo")
    with time_machine.travel(datetime(2025, 12, 1, 21, 30, tzinfo=UTC), tick=False):
        query = f"{NOVEMBER}&format={form}"
        page = browser(here.auditor).get(f"/chain/register/?{query}")
        program = builders.client(here.auditor).get(f"{API}?{query}")
    assert program.content == page.content
    assert b"2025-12-02T06:30:00+09:00" in program.content
