"""A practice game: played as any other, and nowhere: neither the ledger nor a row knows of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from casino.floor.tables import practice
from casino.house.attendants.models import Role
from casino.house.attendants.pseudonyms.models import Player
from casino.house.establishments.models import Establishment
from casino.play.core.models import GameCard
from casino.words.presenters.registered import forms_of_games
from games.refusals import Refused
from ledger import journal
from ledger.models import CommandReceipt
from tests.support import builders

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]
PAGE = "/floor/practice/"
GAMES = [form.game for form in forms_of_games()]


@pytest.fixture
def house() -> House:
    return builders.house(
        counts_floats=True, dice_sets=0, currency_code="EUR", currency_symbol="€", coin_digits=2
    )


@pytest.fixture
def attendant(house: House) -> Client:
    client = Client()
    client.force_login(house.people[Role.ATTENDANT])
    return client


def begun(client: Client, game: str) -> str:
    answer = client.post(PAGE, {"begin": game})
    assert (answer.status_code, answer.headers["Location"]) == (302, PAGE)
    return text(client.get(PAGE))


def text(answer: Any) -> str:
    found: str = answer.content.decode()
    return found


def thrown(client: Client, player: str, *dice: int) -> Any:
    return client.post(PAGE, {"do": "throw", "player": player, "dice": list(dice)})


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_practised_without_dice_or_a_float(attendant: Client, game: str) -> None:
    page = begun(attendant, game)

    assert "Nothing of this is recorded." in page
    assert f'class="play play-{game}"' in page


def test_a_round_is_played_and_its_steps_are_told(house: House, attendant: Client) -> None:
    head = journal.head(establishment=house.id)
    page = begun(attendant, "stone-hand")
    assert "Take dice, or imagine some" in current(page)
    assert "€25.00" in page

    assert thrown(attendant, "Ada", 2, 2, 7).status_code == 302
    assert "for whoever is named" in current(text(attendant.get(PAGE)))
    thrown(attendant, "Bo", 3, 3, 8)
    page = text(attendant.get(PAGE))

    assert "A round is over." in current(page)
    assert "Bo to pool" in page
    assert journal.head(establishment=house.id) == head
    for model in (CommandReceipt, GameCard, Player):
        assert not model._default_manager.filter(establishment=house.id).exists()


def current(page: str) -> str:
    return page.partition('aria-current="step">')[2].partition("</li>")[0]


def test_what_the_rules_refuse_is_told_and_changes_nothing(attendant: Client) -> None:
    begun(attendant, "stone-hand")

    answer = thrown(attendant, "Bo", 2, 2, 7)

    assert answer.status_code == 422
    assert "Not recorded" in text(answer)
    assert attendant.session["practice"]["commands"][1:] == []


def test_the_last_throw_is_undone(attendant: Client) -> None:
    begun(attendant, "stone-hand")
    thrown(attendant, "Ada", 2, 2, 7)
    page = text(attendant.get(PAGE))
    back = page.partition('name="back_to" value="')[2].partition('"')[0]

    answer = attendant.post(PAGE, {"do": "void", "back_to": back, "reason": "entered wrongly"})

    assert answer.status_code == 302
    assert thrown(attendant, "Ada", 3, 3, 8).status_code == 302
    thrown(attendant, "Bo", 4, 4, 8)
    assert "A round is over." in current(text(attendant.get(PAGE)))
    over = {"do": "void", "back_to": "5", "reason": "entered wrongly", "alone": "true"}
    assert attendant.post(PAGE, over).status_code == 302  # also what ended a round: nobody paid
    assert "for whoever is named" in current(text(attendant.get(PAGE)))


def test_nothing_is_left_when_it_ends(house: House, attendant: Client) -> None:
    begun(attendant, "stone-hand")
    thrown(attendant, "Ada", 2, 2, 7)

    answer = attendant.post(PAGE, {"end": "1"})

    assert answer.headers["Location"] == reverse("floor")
    assert "practice" not in attendant.session
    assert all("practice" not in each.get_decoded() for each in Session.objects.all())
    assert thrown(attendant, "Bo", 2, 2, 7).status_code == 422
    assert "begin" in text(attendant.get(PAGE))
    Establishment.objects.filter(pk=house.id).update(setting_up="done")
    assert attendant.post(PAGE, {"end": "1"}).headers["Location"] == reverse("set-up")


@pytest.mark.parametrize("sent", [{}, {"begin": "ludo"}, {"begin": ""}, {"do": "throw"}])
def test_what_cannot_be_done_is_refused(attendant: Client, sent: dict[str, str]) -> None:
    assert attendant.post(PAGE, sent).status_code == 422


def test_it_has_an_end(attendant: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practice, "ENTRIES_MOST", 2)
    begun(attendant, "stone-hand")
    thrown(attendant, "Ada", 2, 2, 7)

    assert "long enough" in text(thrown(attendant, "Bo", 3, 3, 8))


def test_a_practice_of_other_rules_is_dropped(attendant: Client) -> None:
    begun(attendant, "stone-hand")
    session = attendant.session
    session["practice"] = {"game": "stone-hand", "commands": [{"do": "throw", "dice": [1]}]}
    session.save()

    assert "Practise" in text(attendant.get(PAGE))


def test_only_who_records_practises(house: House) -> None:
    auditor = Client()
    auditor.force_login(house.people[Role.AUDITOR])

    assert auditor.get(PAGE).status_code == 403
    assert "/floor/practice/" not in text(auditor.get("/floor/"))


def test_an_unknown_command_is_none(house: House) -> None:
    with pytest.raises(Refused):
        practice.begin(house.establishment, "stone-hand").then({"do": "stand", "player": "Bo"})
