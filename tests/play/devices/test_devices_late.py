"""What came too late: a supervisor puts it to the game or dismisses it; all is told (E5)."""

from __future__ import annotations

import re
import uuid
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from casino.floor.players import player_names
from casino.house.attendants.models import Attendant, Role
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.play.devices.models import GapRow, LateRow
from casino.reports.registers.exceptions import queries as exceptions
from casino.reports.registers.exceptions.queries import Criteria
from ledger import journal
from tests.support import builders
from tests.support.tablet import AT, Tablet, form, throw

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

    from tests.support.builders import House

pytestmark = pytest.mark.django_db
PAGE_QUERIES = 30  # however much is listed, as sessions and the rail included


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture
def game(house: House) -> UUID:
    return UUID(builders.opened(house))


@pytest.fixture
def tablet(house: House, game: UUID) -> Tablet:
    """Mira's, whose lease has lapsed."""
    mira = Tablet(house.attendant, game, term=1)
    mira.take_over()
    Tablet(house.supervisor, game).take_over()
    return mira


def office(person: Attendant) -> Client:
    client = Client()
    client.force_login(person)
    return client


def listed(house: House, **more: Any) -> LateRow:
    return LateRow.objects.get(establishment=house.id, **more)


def send(house: House, what: str, row: LateRow | GapRow, *, by: Role, **fields: str) -> Any:
    """One button of the page pressed."""
    fields = {"command_id": str(uuid.uuid4()), **fields}
    client = office(house.people[by])
    return client.post(reverse(what, args=[row.game, row.number]), fields, follow=True)


def thrown(house: House, game: UUID) -> list[str]:
    events = journal.stream(establishment=house.id, stream=f"game/{game}")
    facts = [each for each in events if each.event_type.endswith("dice_thrown")]
    return [str(pseudonyms.resolve(house.id, each.data["player"])) for each in facts]


def lines(house: House) -> list[tuple[str, str, str]]:
    """The exception report: what, who asked or did it, who decided."""
    found, _older = exceptions.page(house.establishment, Criteria(), most=50)
    return [
        (each.what, each.asked_by.name, each.decided_by.name if each.decided_by else "")
        for each in found
        if each.kind == "device"
    ]


@pytest.mark.long("postgresql")
def test_a_late_entry_is_put_to_the_game_and_says_who_made_it_and_when(
    house: House, game: UUID, tablet: Tablet
) -> None:
    tablet.put(throw("Ada", 2, 2, 7))

    page = send(house, "late-put", listed(house), by=Role.SUPERVISOR)

    assert "Recorded, as a late entry." in page.text
    assert thrown(house, game) == ["Ada"]
    event = journal.stream(establishment=house.id, stream=f"game/{game}")[-1]
    assert event.provenance.actor == str(house.supervisor.pk)
    assert event.provenance.occurred_at.isoformat() == AT
    put = journal.last(establishment=house.id, stream=f"late/{game}")
    assert put is not None
    assert put.event_type == "late.put"
    assert put.data["made_by"] == str(house.attendant.pk)
    assert put.provenance.command_id == event.provenance.command_id  # one entry of the ledger
    row = listed(house)
    assert (row.state, row.decided_by) == ("put", str(house.supervisor.pk))


def test_money_is_booked_before_a_late_entry_pays_it_out(
    house: House, game: UUID, tablet: Tablet
) -> None:
    tablet.put(form("close"))
    tablet.put(form("cash_out", player="Ada", amount=25))

    page = office(house.supervisor).post(reverse("late-put-all", args=[game]), follow=True)

    assert "2 late entries are recorded." in page.text


@pytest.mark.long("postgresql")
def test_pressed_twice_it_is_put_once(house: House, game: UUID, tablet: Tablet) -> None:
    tablet.put(throw("Ada", 2, 2, 7))
    row = listed(house)

    send(house, "late-put", row, by=Role.SUPERVISOR)
    again = send(house, "late-put", row, by=Role.MANAGER)

    assert "waits no more" in again.text
    assert thrown(house, game) == ["Ada"]


@pytest.mark.long("postgresql")
def test_what_the_rules_refuse_stays_listed_with_their_sentence(
    house: House, game: UUID, tablet: Tablet
) -> None:
    tablet.put(throw("Bruno", 2, 2, 4))
    row = listed(house)

    page = send(house, "late-put", row, by=Role.SUPERVISOR)

    assert "Not recorded, it stays listed" in page.text
    assert "Ada" in page.text
    row.refresh_from_db()
    assert (row.state, row.tries) == ("waiting", 1)
    builders.put(house, str(game), builders.throw("Ada", 2, 2, 7))
    assert "Recorded, as a late entry." in send(house, "late-put", row, by=Role.SUPERVISOR).text
    assert thrown(house, game) == ["Ada", "Bruno"]


@pytest.mark.long("postgresql")
def test_all_of_a_table_are_put_in_order_until_one_is_refused(
    house: House, game: UUID, tablet: Tablet
) -> None:
    for name in ("Ada", "Bruno", "Ada", "Cleo"):
        tablet.put(throw(name, 2, 2, 7))
    sela = office(house.supervisor)

    page = sela.post(reverse("late-put-all", args=[game]), follow=True).text

    assert "2 late entries are recorded. The next one is not, and stays listed" in page
    assert thrown(house, game) == ["Ada", "Bruno"]
    send(house, "late-dismiss", listed(house, seq=3), by=Role.SUPERVISOR, reason="twice")
    assert (
        "1 late entry is recorded."
        in sela.post(reverse("late-put-all", args=[game]), follow=True).text
    )
    assert thrown(house, game) == ["Ada", "Bruno", "Cleo"]


@pytest.mark.long("postgresql")
def test_dismissed_for_a_reason_and_not_without(house: House, game: UUID, tablet: Tablet) -> None:
    tablet.put(throw("Ada", 2, 2, 7))
    row = listed(house)

    without = send(house, "late-dismiss", row, by=Role.SUPERVISOR, reason=" ")
    assert "Say why, in a few words" in without.text
    done = send(house, "late-dismiss", row, by=Role.SUPERVISOR, reason="Ada threw again")

    assert "stays on record" in done.text
    row.refresh_from_db()
    assert (row.state, pseudonyms.resolve(house.id, row.reason)) == ("dismissed", "Ada threw again")
    assert "waits no more" in send(house, "late-put", row, by=Role.SUPERVISOR).text
    assert thrown(house, game) == []


@pytest.mark.long("postgresql")
def test_a_gap_is_closed_for_a_reason(house: House, tablet: Tablet) -> None:
    tablet.seq = 2
    tablet.put(throw("Ada", 2, 2, 7))
    gap = GapRow.objects.get(establishment=house.id)
    assert (gap.first, gap.last) == (1, 2)

    page = send(house, "late-gap", gap, by=Role.SUPERVISOR, reason="battery died")
    again = send(house, "late-gap", gap, by=Role.SUPERVISOR, reason="battery died")

    assert "The gap is closed" in page.text
    assert "battery died" in page.text
    assert "This gap is closed" in again.text
    tablet.seq = 0
    assert tablet.put(throw("Ada", 2, 2, 7)) == "late"  # what arrives after all is not turned away
    gap.refresh_from_db()
    assert gap.closed_by == str(house.supervisor.pk)


@pytest.mark.long("postgresql")
def test_everything_is_on_the_exception_report(house: House, tablet: Tablet) -> None:
    """C2: takeovers, late entries, gaps, drops."""
    mira, sela = str(house.attendant), str(house.supervisor)
    tablet.seq = 1
    tablet.put(throw("Ada", 2, 2, 7))
    tablet.put(throw("Bruno", 2, 2, 4))
    tablet.put(throw("Cleo", 2, 2, 1), **{"as": "dropped"})
    send(house, "late-put", listed(house, seq=2), by=Role.SUPERVISOR)
    send(house, "late-dismiss", listed(house, seq=3), by=Role.SUPERVISOR, reason="no")
    gap = GapRow.objects.get(establishment=house.id)
    send(house, "late-gap", gap, by=Role.SUPERVISOR, reason="lost")

    assert lines(house) == [
        ("Gap in a device's numbers closed, number: 1", sela, ""),
        ("Late entry dismissed, number: 3", mira, sela),
        ("Late entry recorded, number: 2", mira, sela),
        ("Entry dropped on its device, number: 4", mira, ""),
        ("Late entry kept for a supervisor, number: 3", mira, ""),
        ("Entries of a device missing, number: 1", "the program", ""),
        ("Late entry kept for a supervisor, number: 2", mira, ""),
        ("Recording taken over by another device", sela, ""),
    ]
    report = office(house.auditor).get(reverse("exceptions")).text
    assert "Recording taken over by another device" in report
    assert reverse("late") in report


@pytest.mark.long("postgresql")
def test_the_office_says_how_many_wait_to_those_who_put_them_right(
    house: House, tablet: Tablet
) -> None:
    tablet.seq = 1
    tablet.put(throw("Ada", 2, 2, 7))
    rail = r'href="/floor/"[^>]*>Floor <span class="waiting">2<'

    for role in (Role.SUPERVISOR, Role.MANAGER, Role.AUDITOR):
        start = office(house.people[role]).get(reverse("start")).text
        assert re.search(rail, start)
        assert "Late entries <b>2</b>" in start
        page = office(house.people[role]).get(reverse("late")).text
        assert "Ada throws" in page
        assert ("Put to the game now" in page) == (role != Role.AUDITOR)
    assert "/late/" not in office(house.attendant).get(reverse("start")).text
    denied = office(house.attendant).get(reverse("late"))
    assert denied.status_code == HTTPStatus.FORBIDDEN


@pytest.mark.long("postgresql")
def test_a_long_list_asks_no_more(
    house: House, tablet: Tablet, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    tablet.sent(*(tablet.entry(throw("Ada", 2, 2, 7)) for _ in range(40)))
    builders.settled(house)
    sela = office(house.supervisor)
    sela.get(reverse("late"))

    with django_assert_max_num_queries(PAGE_QUERIES):
        page = sela.get(reverse("late")).text

    assert page.count('<article class="ask"') == 40


@pytest.mark.long("postgresql")
def test_an_erased_name_is_in_no_late_entry(house: House, tablet: Tablet) -> None:
    """Names can be taken away after years: what is listed then says a token."""
    [token] = pseudonyms.player_tokens(house.id, ["Dora Maar"], new=True).values()
    tablet.put(form("join", player="Dora Maar", stake=25))
    row = listed(house)
    sela = office(house.supervisor)
    assert "Dora Maar joins" in sela.get(reverse("late")).text

    player_names.forget(house.id, token)

    page = sela.get(reverse("late")).text
    assert "Dora" not in page
    assert f"{token} joins" in page
    assert (row.command or {})["player"] == token


def test_a_late_entry_makes_nobody_a_player(house: House, tablet: Tablet) -> None:
    """Until it is put, somebody new in it is a text: it is read, and is erased by the name."""
    tablet.put(form("join", player="Dora Maar", stake=25))
    listed(house)
    sela = office(house.supervisor)
    assert "Dora Maar joins" in sela.get(reverse("late")).text
    assert not pseudonyms.player_tokens(house.id, ["Dora Maar"], new=False)

    [token] = pseudonyms.player_tokens(house.id, ["Dora Maar"], new=True).values()
    player_names.forget(house.id, token)

    assert "(erased) joins" in sela.get(reverse("late")).text
