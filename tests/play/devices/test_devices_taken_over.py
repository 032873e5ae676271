"""Entries of somebody who does not come back: a supervisor takes them over there (C1, E5)."""

from __future__ import annotations

import json
import uuid
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.house.attendants import assurance
from casino.house.attendants.models import Employment, Role
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.play.devices import device_log
from casino.play.devices.models import DeviceEntry, LateRow
from casino.play.devices.queries import DOES
from casino.reports.registers.exceptions import queries as exceptions
from casino.reports.registers.exceptions.queries import Criteria
from casino.settings.staff import tablets
from ledger import journal
from tests.support import builders
from tests.support.tablet import AT, Tablet, form, throw

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = pytest.mark.django_db
WHY = "Mira was dismissed at nine"
FORMS = [form(do, player="Ada", dice=[2, 2, 7], amount=5, die="d8", reason="a") for do in DOES]


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture
def game(house: House) -> UUID:
    return UUID(builders.opened(house))


@pytest.fixture
def mira(house: House, game: UUID) -> Tablet:
    """The tablet on which Mira has made entries; she was dismissed before she could send them."""
    tablet = Tablet(house.attendant, game)
    tablet.take_over()
    here = Employment.objects.filter(establishment=house.id, attendant=house.attendant)
    here.update(until=timezone.now())
    return tablet


def held_by(person: Attendant, tablet: Tablet) -> Tablet:
    """The same tablet, with somebody else signed in."""
    return Tablet(person, tablet.game, name=tablet.name)


def take_over(tablet: Tablet, who: Attendant, *entries: dict[str, Any], **body: Any) -> Any:
    late = [{**each, "as": "late"} for each in entries]
    body = {"by": tablet.person.pk, "taken_over": WHY, **body}
    return held_by(who, tablet).post(*late, **body)


def became(answer: Any) -> list[str]:
    assert answer.status_code == HTTPStatus.OK, answer.content
    return [each["became"] for each in answer.json()["answers"]]


def rows(house: House) -> list[LateRow]:
    return list(LateRow.objects.filter(establishment=house.id).order_by("position"))


def office(person: Attendant) -> Client:
    client = Client()
    client.force_login(person)
    return client


def test_whoever_was_dismissed_cannot_send_and_a_supervisor_takes_over(
    house: House, game: UUID, mira: Tablet
) -> None:
    entries = [mira.entry(throw(name, 2, 2, 7)) for name in ("Ada", "Bruno")]
    assert mira.post(*entries).status_code == HTTPStatus.NOT_FOUND

    assert became(take_over(mira, house.supervisor, *entries)) == ["late", "late"]

    for row, seq in zip(rows(house), (1, 2), strict=True):
        assert (row.seq, row.device, row.why, row.state) == (seq, mira.name, "taken", "waiting")
        assert row.made_by == str(house.attendant.pk)
        assert row.taken_over_by == str(house.supervisor.pk)
        assert pseudonyms.resolve(house.id, row.taken_over_why) == WHY
    numbered = DeviceEntry.objects.filter(establishment=house.id)
    assert {each.made_by for each in numbered} == {str(house.attendant.pk)}
    listed = journal.last(establishment=house.id, stream=device_log.stream_of(game))
    assert listed is not None
    assert listed.provenance.actor == str(house.supervisor.pk)
    assert listed.data["made_by"] == str(house.attendant.pk)
    assert WHY not in json.dumps(dict(listed.data))  # free text can be erased


@pytest.mark.long("postgresql")
def test_it_is_put_by_the_supervisor_and_says_who_made_it_and_when(
    house: House, game: UUID, mira: Tablet
) -> None:
    take_over(mira, house.supervisor, *(mira.entry(throw(n, 2, 2, 7)) for n in ("Ada", "Bruno")))

    page = office(house.supervisor).post(reverse("late-put-all", args=[game]), follow=True)

    assert "2 late entries are recorded." in page.text
    event = journal.stream(establishment=house.id, stream=f"game/{game}")[-1]
    assert event.provenance.actor == str(house.supervisor.pk)
    assert event.provenance.occurred_at.isoformat() == AT
    put = journal.last(establishment=house.id, stream=device_log.stream_of(game))
    assert put is not None
    assert put.data["made_by"] == str(house.attendant.pk)
    assert [row.state for row in rows(house)] == ["put", "put"]


@pytest.mark.long("postgresql")
def test_everything_that_waits_on_a_device_can_be_taken_over_in_its_order(
    house: House, mira: Tablet
) -> None:
    """Every command there is, also one that no device queues, and a form that is no command."""
    entries = [mira.entry(written) for written in [*FORMS, "do=dance", ""]]

    answer = take_over(mira, house.supervisor, *entries)

    assert became(answer) == ["late"] * len(entries)
    assert [row.seq for row in rows(house)] == [each["seq"] for each in entries]
    assert became(take_over(mira, house.manager, *entries)) == ["late"] * len(entries)  # lost
    assert len(rows(house)) == len(entries)


@pytest.mark.long("postgresql")
def test_what_the_house_has_already_is_not_listed_again(house: House, game: UUID) -> None:
    """Mira's answers were lost: one throw was recorded, the other refused."""
    mira = Tablet(house.attendant, game)
    entries = [mira.entry(throw("Ada", 2, 2, 7)), mira.entry(throw("Cleo", 2, 2, 1))]
    assert mira.became(*entries) == ["recorded", "refused"]

    assert became(take_over(mira, house.supervisor, *entries)) == ["recorded", "late"]

    [row] = rows(house)
    assert row.seq == 2
    assert "Bruno" in pseudonyms.resolve(house.id, row.refused)  # whose turn it was


@pytest.mark.long("postgresql")
def test_a_takeover_and_what_becomes_of_it_are_on_the_exception_report(
    house: House, mira: Tablet
) -> None:
    take_over(mira, house.supervisor, mira.entry(throw("Ada", 2, 2, 7)))
    builders.settled(house)

    found, _older = exceptions.page(house.establishment, Criteria(), most=50)

    [line] = [each for each in found if each.event_type == "late.listed"]
    assert line.what == "Entry of somebody else taken over from its device, number: 1"
    assert line.asked_by.id == str(house.attendant.pk)
    assert line.decided_by is not None
    assert line.decided_by.id == str(house.supervisor.pk)
    assert line.reason == WHY


@pytest.mark.long("postgresql")
def test_the_list_its_files_the_api_and_the_report_say_who_took_over_and_why(
    house: House, mira: Tablet
) -> None:
    take_over(mira, house.supervisor, mira.entry(throw("Ada", 2, 2, 7)))
    builders.settled(house)
    sela, made, took = office(house.supervisor), str(house.attendant), str(house.supervisor)

    waiting = sela.get(reverse("late")).text
    assert f"{made} did not send it: {took} took it over from the device." in waiting
    assert WHY in waiting
    api = builders.client(house.supervisor)
    [entry] = api.get(f"/api/v1/establishments/{house.id}/late-entries/").json()["results"]
    assert (entry["why"], entry["made_by"]["name"]) == ("taken", made)
    assert (entry["taken_over_by"]["name"], entry["taken_over_why"]) == (took, WHY)
    [row] = rows(house)
    sent = {"reason": "thrown anew", "command_id": str(uuid.uuid4())}
    sela.post(reverse("late-dismiss", args=[row.game, row.number]), sent)
    builders.settled(house)
    assert f"taken over by {took}: {WHY}" in sela.get(reverse("late")).text
    report = builders.client(house.auditor).get(
        f"/api/v1/establishments/{house.id}/reports/late/?format=json"
    )
    assert WHY in report.text


# --- Who may, and what


def nothing_happened(house: House) -> bool:
    return not DeviceEntry.objects.exists() and not rows(house)


# fmt: off
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"taken_over": ""},      "why"),
    ({"taken_over": "  "},    "why"),
    ({"taken_over": True},    "why"),
    ({"taken_over": None},    "why"),
    ({"by": "tomas"},         "by"),
    ({"by": "7" * 32},        "by"),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("body", "why"), REFUSED)
def test_a_takeover_needs_a_reason_and_somebody_of_the_house(
    house: House, mira: Tablet, body: dict[str, Any], why: str
) -> None:
    answer = take_over(mira, house.supervisor, mira.entry(throw("Ada", 2, 2, 7)), **body)

    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert answer.json()["sentence"].startswith(("taken_over:", "by:"))
    assert why in answer.json()["sentence"]
    assert nothing_happened(house)


@pytest.mark.long("postgresql")
def test_nothing_is_taken_over_from_oneself_or_from_somebody_of_another_house(
    house: House, mira: Tablet
) -> None:
    stranger = builders.house().attendant
    for whose in (house.supervisor, stranger):
        entry = mira.entry(throw("Ada", 2, 2, 7))
        answer = take_over(mira, house.supervisor, entry, by=str(whose.pk))
        assert answer.status_code == HTTPStatus.BAD_REQUEST
        assert answer.json()["sentence"].startswith("by:")
    assert nothing_happened(house)


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("as_", ["command", "dropped"])
def test_what_is_taken_over_goes_to_the_list_and_nowhere_else(
    house: House, mira: Tablet, as_: str
) -> None:
    entry = mira.entry(throw("Ada", 2, 2, 7), **{"as": as_})
    sela = held_by(house.supervisor, mira)

    answer = sela.post(entry, by=house.attendant.pk, taken_over=WHY)

    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert answer.json()["sentence"].startswith("as:")
    assert nothing_happened(house)


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("role", Role)
def test_only_who_may_put_late_entries_takes_one_over(
    house: House, mira: Tablet, role: Role
) -> None:
    """An attendant, an auditor: refused; so is a supervisor who works at another house."""
    who = builders.employed(house.establishment, role)
    entry = mira.entry(throw("Ada", 2, 2, 7))

    answer = take_over(mira, who, entry)

    if role in {Role.SUPERVISOR, Role.MANAGER}:
        assert became(answer) == ["late"]
    else:
        assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")
        assert nothing_happened(house)
    elsewhere = builders.house().people[role]
    assert take_over(mira, elsewhere, entry).status_code == HTTPStatus.NOT_FOUND


@pytest.mark.long("postgresql")
def test_a_supervisor_at_a_tablet_by_pin_is_an_attendant_and_takes_nothing_over(
    house: House, mira: Tablet
) -> None:
    """D3: the act is signed by who signed in with their password."""
    tablet, _ = tablets.enrol(house=house.establishment, name="Bar", by=house.manager)
    sela = held_by(house.supervisor, mira)
    session = sela.client.session
    session[assurance.FLOOR] = assurance.on_floor(tablet, house.supervisor)
    session.save()
    entry = mira.entry(throw("Ada", 2, 2, 7), **{"as": "late"})

    answer = sela.post(entry, by=house.attendant.pk, taken_over=WHY)

    assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")
    assert nothing_happened(house)


@pytest.mark.long("postgresql")
def test_where_a_second_factor_is_required_a_takeover_needs_it(
    house: House, mira: Tablet, settings: Any
) -> None:
    settings.SECOND_FACTOR = "required"

    answer = take_over(mira, house.supervisor, mira.entry(throw("Ada", 2, 2, 7)))

    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert nothing_happened(house)


@pytest.mark.long("postgresql")
def test_a_floor_page_offers_the_takeover_to_who_may(house: House, game: UUID) -> None:
    for role in Role:
        client = office(house.people[role])
        for page in (reverse("floor"), reverse("floor-game", args=[game])):
            assert ("data-takes-over" in client.get(page).text) == (
                role in {Role.SUPERVISOR, Role.MANAGER}
            )
