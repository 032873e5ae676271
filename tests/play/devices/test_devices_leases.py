"""One device at a time records a game (E5): who holds the lease, who watches, what lapses."""

from __future__ import annotations

import uuid
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from django.utils import timezone

from casino.house.attendants.models import Role
from casino.play.devices import device_log, leases
from casino.play.devices.models import Heard
from ledger import journal
from tests.support import builders
from tests.support.tablet import Tablet, form, throw

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture
def game(house: House) -> uuid.UUID:
    return uuid.UUID(builders.opened(house))


def throws(house: House, game: uuid.UUID) -> int:
    events = journal.stream(establishment=house.id, stream=f"game/{game}")
    return sum(event.event_type == "stone_hand.dice_thrown" for event in events)


@pytest.mark.long("postgresql")
def test_the_first_entry_takes_the_lease_and_others_watch(house: House, game: uuid.UUID) -> None:
    mira, sela = Tablet(house.attendant, game), Tablet(house.supervisor, game)

    assert 'data-lease="free"' in sela.board().text
    response = mira.sent(mira.entry(throw("Ada", 2, 2, 7)))

    assert [each["became"] for each in response["answers"]] == ["recorded"]
    assert (response["lease"]["term"], response["lease"]["mine"], response["last_seq"]) == (
        1,
        True,
        1,
    )
    assert 'data-lease="mine"' in response["board"]
    watched = sela.board().text
    assert 'data-lease="other"' in watched
    assert 'id="watching"' in watched
    assert "data-face" not in watched


def test_what_comes_from_a_lapsed_lease_is_late(house: House, game: uuid.UUID) -> None:
    mira, sela = Tablet(house.attendant, game), Tablet(house.supervisor, game)
    mira.put(throw("Ada", 2, 2, 7))
    sela.take_over()

    response = mira.sent(mira.entry(throw("Bruno", 2, 2, 4)), mira.entry(throw("Cleo", 2, 2, 1)))

    assert [each["became"] for each in response["answers"]] == ["late", "late"]
    assert throws(house, game) == 1
    assert len(device_log.load(house.id, game).waiting) == 2
    assert "2 of your entries wait for a supervisor" in response["board"]
    assert leases.standing(house.id, game).term == 2


@pytest.mark.long("postgresql")
def test_a_term_of_before_stays_lapsed_though_the_device_has_the_table_back(
    house: House, game: uuid.UUID
) -> None:
    mira, sela = Tablet(house.attendant, game), Tablet(house.supervisor, game)
    mira.put(throw("Ada", 2, 2, 7))
    before = mira.entry(throw("Bruno", 2, 2, 4))
    sela.take_over()
    mira.take_over()

    assert mira.became(before) == ["late"]
    assert mira.put(throw("Bruno", 2, 2, 4)) == "recorded"


@pytest.mark.long("postgresql")
def test_opening_a_game_takes_its_lease_for_that_device(house: House) -> None:
    tablet = Tablet(house.attendant, uuid.UUID(int=0))
    fields = {"game": "stone-hand", "player": ["Ada", "Bo"], "stake": 20, "ante": 1}
    opened = tablet.client.post(
        reverse("floor-open", args=[house.table.pk]),
        {"command_id": str(uuid.uuid4()), **fields},
    )

    assert opened.status_code == HTTPStatus.FOUND, opened.content
    game = uuid.UUID(opened.headers["Location"].split("/")[-2])
    assert leases.standing(house.id, game).is_of(tablet.name)


@pytest.mark.long("postgresql")
def test_a_form_without_scripts_is_refused_where_another_records(
    house: House, game: uuid.UUID
) -> None:
    mira, sela = Tablet(house.attendant, game), Tablet(house.supervisor, game)
    mira.put(throw("Ada", 2, 2, 7))
    form = {"do": "throw", "player": "Bruno", "dice": [2, 2, 4], "command_id": str(uuid.uuid4())}

    turned_away = sela.client.post(reverse("floor-command", args=[game]), form)
    sela.take_over()
    taken = sela.client.post(reverse("floor-command", args=[game]), form)
    again = sela.client.post(reverse("floor-command", args=[game]), form)

    assert turned_away.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Another device records this table" in turned_away.text
    assert (taken.status_code, again.status_code) == (HTTPStatus.FOUND, HTTPStatus.FOUND)
    assert throws(house, game) == 2


@pytest.mark.long("postgresql")
def test_a_second_person_s_act_comes_from_any_device(house: House, game: uuid.UUID) -> None:
    """C1: who approves, witnesses or disputes does so where they are."""
    mira, sela = Tablet(house.attendant, game), Tablet(house.supervisor, game)
    mira.put(throw("Ada", 2, 2, 7))
    form = {"do": "dispute", "round": 1, "reason": "misread", "command_id": str(uuid.uuid4())}

    answer = sela.client.post(reverse("floor-command", args=[game]), form)

    assert answer.status_code == HTTPStatus.FOUND
    assert leases.standing(house.id, game).is_of(mira.name)


@pytest.mark.long("postgresql")
def test_who_signs_for_a_table_records_it_from_then_on(house: House, game: uuid.UUID) -> None:
    """B3: the lease goes along with the table, to the device on which it was signed for."""
    mira, sela = Tablet(house.attendant, game), Tablet(house.supervisor, game)
    mira.put(throw("Ada", 2, 2, 7))
    to = str(house.supervisor.pk)
    assert mira.put(form("handover", to=to)) == "recorded"
    assert leases.standing(house.id, game).is_of(mira.name)

    assert sela.put(form("handover", to=to)) == "recorded"

    assert leases.standing(house.id, game).is_of(sela.name)
    assert mira.put(throw("Bruno", 2, 2, 4)) == "late"
    assert sela.put(throw("Bruno", 2, 2, 4)) == "recorded"


@pytest.mark.long("postgresql")
def test_the_api_needs_no_lease(house: House, game: uuid.UUID) -> None:
    mira = Tablet(house.attendant, game)
    mira.put(throw("Ada", 2, 2, 7))

    builders.put(house, str(game), builders.throw("Bruno", 2, 2, 4))

    assert mira.put(throw("Cleo", 2, 2, 1)) == "recorded"


@pytest.mark.long("postgresql")
def test_taking_over_is_told_on_both_devices_and_in_the_log(house: House, game: uuid.UUID) -> None:
    mira, sela = Tablet(house.attendant, game), Tablet(house.supervisor, game)
    mira.put(throw("Ada", 2, 2, 7))

    taken = sela.take_over().text

    line = f"{house.supervisor} took the recording over on another device"
    assert 'data-lease="mine"' in taken
    assert line in taken
    lost = mira.board().text
    assert line in lost
    assert f"{house.supervisor}'s tablet took this table over" in lost
    log = mira.client.get(reverse("floor-log", args=[game])).text
    assert line in log


@pytest.mark.long("postgresql")
def test_taking_over_twice_is_once(house: House, game: uuid.UUID) -> None:
    mira, sela = Tablet(house.attendant, game), Tablet(house.supervisor, game)
    mira.put(throw("Ada", 2, 2, 7))
    form = {"command_id": str(uuid.uuid4())}
    sela.client.post(reverse("floor-lease", args=[game]), form)
    mira.take_over()

    sela.client.post(reverse("floor-lease", args=[game]), form)  # its answer had been lost

    assert leases.standing(house.id, game).is_of(mira.name)
    assert leases.standing(house.id, game).term == 3


@pytest.mark.long("postgresql")
def test_a_form_of_before_takes_nothing_over(house: House, game: uuid.UUID) -> None:
    """A page out of the browser's history: its id was used for a throw."""
    mira, sela = Tablet(house.attendant, game), Tablet(house.supervisor, game)
    used = str(uuid.uuid4())
    mira.put(throw("Ada", 2, 2, 7, command_id=used))

    answer = sela.client.post(reverse("floor-lease", args=[game]), {"command_id": used})

    assert answer.status_code == HTTPStatus.CONFLICT
    assert leases.standing(house.id, game).is_of(mira.name)


@pytest.mark.long("postgresql")
def test_who_only_looks_takes_nothing_over(house: House, game: uuid.UUID) -> None:
    auditor = Tablet(house.people[Role.AUDITOR], game)

    answer = auditor.client.post(reverse("floor-lease", args=[game]))

    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert not leases.standing(house.id, game).held
    assert auditor.post(auditor.entry(throw("Ada", 2, 2, 7))).json()["code"] == "permission_denied"


@pytest.mark.long("postgresql")
def test_a_poll_is_a_sign_of_life_every_ten_seconds_at_most(house: House, game: uuid.UUID) -> None:
    mira, sela = Tablet(house.attendant, game), Tablet(house.supervisor, game)
    mira.put(throw("Ada", 2, 2, 7))
    taken = Heard.objects.get(establishment=house.id, game=game).heard_at

    def polled(tablet: Tablet, seconds: float) -> tuple[int, bool]:
        at = taken + timedelta(seconds=seconds)
        quiet = leases.note_poll(house.id, game, tablet.name, at)
        written = Heard.objects.get(establishment=house.id, game=game).heard_at
        return quiet, written == at

    assert polled(mira, 9.9) == (0, False)
    assert polled(mira, 10) == (0, True)
    assert polled(sela, 30) == (0, False)
    assert polled(sela, 41) == (1, False)
    assert polled(sela, 131) == (2, False)
    assert leases.silent_for(house.id, game, taken + timedelta(seconds=131)) == 121


@pytest.mark.long("postgresql")
def test_who_watches_is_told_that_the_other_device_is_quiet(house: House, game: uuid.UUID) -> None:
    mira, sela = Tablet(house.attendant, game), Tablet(house.supervisor, game)
    mira.put(throw("Ada", 2, 2, 7))
    fresh = sela.board()
    assert "in touch" in fresh.text

    Heard.objects.filter(establishment=house.id, game=game).update(
        heard_at=timezone.now() - timedelta(minutes=5)
    )
    quiet = sela.board()

    assert "Nothing was heard of that device for 5 minutes" in quiet.text
    assert quiet.headers["ETag"] != fresh.headers["ETag"]
