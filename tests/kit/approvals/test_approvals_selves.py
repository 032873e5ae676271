"""C1: whoever asked approves nothing, through whatever device, sign-in or other name of theirs."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from casino.house.attendants import assurance, pins, selves, signins
from casino.house.attendants.models import Attendant, Employment, Role
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals import answers, operations
from casino.kit.approvals.models import RequestRow
from casino.settings.staff import tablets
from casino.settings.staff.operations import PlayerTaken, dismiss, link_player
from games.refusals import Refused
from ledger import journal
from tests.support import approving, builders
from tests.support.approving import asked, decided, drops
from tests.support.playing import done, opened, round_played, settled, state

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

PIN = "4711"


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture(autouse=True)
def _drop() -> Iterator[None]:
    with approving.registered():
        yield


def plays_as(at: House, who: Attendant, name: str) -> None:
    [token] = tokens.player_tokens(at.id, [name], new=True).values()
    job = Employment.objects.get(establishment=at.id, attendant=who, until=None)
    link_player(employment=job, player=token, by=at.manager)


def under_another_name(at: House, who: Attendant) -> Attendant:
    """Somebody leaves, comes back with a sign-in of another name, and plays as before."""
    plays_as(at, who, "Cleo")
    job = Employment.objects.get(establishment=at.id, attendant=who, until=None)
    dismiss(employment=job, by=at.manager)
    back = builders.employed(at.establishment, Role.SUPERVISOR)
    plays_as(at, back, "Cleo")
    return back


# --- Another device, another door -----------------------------------------------------------------


def ways(at: House, who: Attendant, request: uuid.UUID) -> dict[str, Any]:
    """One person's sessions, tokens and tablet; what each of them is told when it approves."""
    page, address = f"/approvals/{request}/", at.url(f"approvals/{request}/approve/")
    one, other = builders.signed_in(who), builders.signed_in(who)

    def act(**more: str) -> dict[str, str]:
        return {"command_id": str(uuid.uuid4()), **more}

    return {
        "one session": lambda: one.post(page, act(do="approve")),
        "another session": lambda: other.post(page, act(do="approve")),
        "a token": lambda: builders.client(who).post(address, act()),
        "another token": lambda: builders.client(who).post(address, act()),
    }


def test_c1_nobody_approves_their_own_request_through_another_device(house: House) -> None:
    request = asked(house, house.supervisor)

    for name, approve in ways(house, house.supervisor, request).items():
        assert approve().status_code == 422, name
    assert drops(house) == []
    assert decided(house, request, house.manager)


@pytest.mark.long("postgresql")
def test_c1_nor_in_full_what_they_asked_for_by_pin_on_a_tablet(house: House) -> None:
    """A void asked for as an attendant of the floor, and answered from a desk."""
    who, game = house.supervisor, opened(house)
    round_played(house, game)
    settled(house)
    pins.set_pin(person=who, pin=PIN, place=signins.Where(), now=timezone.now())
    by = assurance.at_console(house.manager)
    _, cookie = tablets.enrol(house=house.establishment, name="Tablet 1", by=by)
    device = Client()
    device.cookies[tablets.COOKIE] = cookie
    device.post("/floor/attendant/", {"person": str(who.pk), "pin": PIN})
    body = builders.command("void", back_to=2, reason="Misread.")
    assert device.post(f"/floor/games/{game}/command/", body).status_code < 400
    settled(house)
    row = RequestRow.objects.get(establishment=house.id, game=game)

    for name, approve in ways(house, who, row.id).items():
        assert approve().status_code == 422, name
    assert state(house, game)["requests"] != []


# --- Another name ---------------------------------------------------------------------------------


@pytest.mark.long("postgresql")
def test_c1_who_comes_back_under_another_name_does_not_approve_what_they_asked_for(
    house: House,
) -> None:
    request = asked(house, house.attendant)
    back = under_another_name(house, house.attendant)

    with pytest.raises(selves.OtherSelf, match="the same player here") as refused:
        decided(house, request, back)

    assert refused.value.code == "own_request"
    assert drops(house) == []
    assert decided(house, request, house.supervisor)


@pytest.mark.long("postgresql")
def test_c1_nor_what_pays_who_they_were(house: House) -> None:
    request = asked(house, house.manager, beneficiaries=[str(house.attendant.pk)])
    back = under_another_name(house, house.attendant)

    with pytest.raises(Refused) as refused:
        decided(house, request, back)

    assert refused.value.code == "own_request"


@pytest.mark.long("postgresql")
def test_c1_nor_a_void_in_a_game(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    done(house, game, "void", back_to=2, reason="Misread.")
    settled(house)
    row = RequestRow.objects.get(establishment=house.id, game=game)
    back = under_another_name(house, house.attendant)

    with pytest.raises(Refused, match="the same player"):
        answers.decide(approving.act(house, back), row.id, approve=True)

    assert state(house, game)["requests"] != []


@pytest.mark.long("postgresql")
def test_c1_nor_reviews_what_they_did_alone(house: House) -> None:
    manager = approving.left_alone(house)
    request = asked(house, manager)
    operations.do_alone(approving.act(house, manager), request, reason="Nobody else is here.")
    job = Employment.objects.get(establishment=house.id, attendant=manager, until=None)
    [token] = tokens.player_tokens(house.id, ["Cleo"], new=True).values()
    Employment.objects.filter(pk=job.pk).update(player=token, until=timezone.now())
    back = builders.employed(house.establishment, Role.AUDITOR)
    Employment.objects.filter(attendant=back).update(player=token)

    with pytest.raises(selves.OtherSelf):
        operations.review(approving.act(house, back), request, in_order=True)

    auditor = builders.employed(house.establishment, Role.AUDITOR)
    operations.review(approving.act(house, auditor), request, in_order=True)


@pytest.mark.long("postgresql")
def test_d1b_nobody_works_here_twice_as_one_player(house: House) -> None:
    """What would make two people of one: the page refuses it, and so does the database."""
    plays_as(house, house.attendant, "Cleo")
    token = Employment.objects.get(attendant=house.attendant).player

    with pytest.raises(PlayerTaken):
        plays_as(house, house.supervisor, "Cleo")
    with pytest.raises(IntegrityError), transaction.atomic():
        Employment.objects.filter(attendant=house.supervisor).update(player=token)


@pytest.mark.long("postgresql")
def test_two_whom_no_player_links_are_two(house: House) -> None:
    """And so are players of the same token at other houses."""
    other = builders.house()
    plays_as(house, house.attendant, "Cleo")
    token = Employment.objects.get(attendant=house.attendant).player
    Employment.objects.filter(attendant=other.attendant).update(player=token)

    assert selves.of(house.id, str(house.attendant.pk)) == {str(house.attendant.pk)}
    assert selves.of(house.id, str(house.manager.pk)) == {str(house.manager.pk)}
    assert decided(house, asked(house, house.attendant), house.supervisor)
    assert journal.head(establishment=house.id) > 0
