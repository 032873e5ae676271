"""Django's admin: each page for each role, one's own houses alone, and nothing to be changed."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from casino.house.attendants.models import Role
from casino.house.establishments.models import Establishment, Table
from ledger.models import Event
from tests.support import builders, exported, module_data

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]
admin.autodiscover()  # the house does with its first request for the admin
PAGES = sorted(
    f"{model._meta.app_label}_{model._meta.model_name}" for model in admin.site._registry
)
LOOK_IN = (Role.MANAGER, Role.AUDITOR)  # whom the admin's door is open to
EVENTS_QUERIES = 9  # a page of events, whatever their number


def heron() -> House:
    made = builders.house(name="The Heron")
    game = builders.opened(made)
    builders.put(made, game, builders.throw("Ada", 2, 2, 7), builders.throw("Bruno", 3, 4, 5),
                 builders.throw("Cleo", 5, 6, 7))  # fmt: skip
    builders.settled(made)
    return made


played = module_data.shared(heron)
house = module_data.house_of_its_own


def signed_in(person: Attendant) -> Client:
    person.is_staff = True  # what Django's own admin asks; a role is what counts here
    person.save()
    client = Client()
    client.force_login(person)
    return client


def listed(client: Client, page: str) -> Any:
    return client.get(reverse(f"admin:{page}_changelist"))


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_for_whoever_looks_in(house: House, page: str) -> None:
    for role in LOOK_IN:
        answer = listed(signed_in(house.people[role]), page)
        assert answer.status_code == HTTPStatus.OK, (role, page)


@pytest.mark.parametrize("page", PAGES)
def test_nothing_of_another_house_is_shown(house: House, page: str) -> None:
    stranger = signed_in(builders.house(name="Elsewhere").manager)

    answer = listed(stranger, page)

    assert "The Heron" not in answer.text
    for name in (str(house.attendant), str(house.table.pk), str(house.id)):
        assert name not in answer.text


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("role", LOOK_IN)
def test_no_row_is_touched(house: House, page: str, role: Role) -> None:
    """The ledger is the truth of all of them."""
    exported.configured(house)
    client = signed_in(house.people[role])
    row = listed(client, page).context["cl"].result_list[0]

    for act, arguments in (("add", []), ("delete", [row.pk])):
        answer = client.post(reverse(f"admin:{page}_{act}", args=arguments), {"post": "yes"})
        assert answer.status_code == HTTPStatus.FORBIDDEN
    change = reverse(f"admin:{page}_change", args=[row.pk])
    assert client.get(change).status_code == HTTPStatus.OK
    assert client.post(change, {}).status_code == HTTPStatus.FORBIDDEN
    assert 'name="_save"' not in client.get(change).text
    assert "delete_selected" not in listed(client, page).text


@pytest.mark.usefixtures("house")
def test_a_superuser_whom_no_house_employs_sees_nothing() -> None:
    root = builders.person("root", is_superuser=True, is_staff=True)
    client = Client()
    client.force_login(root)

    for page in PAGES:
        answer = listed(client, page)
        assert answer.status_code != HTTPStatus.OK or not answer.context["cl"].result_count, page
    assert "The Heron" not in client.get("/admin/").text


def test_events_name_people_and_cost_the_same_whatever_their_number(
    house: House, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = signed_in(house.manager)
    listed(client, "ledger_event")

    with django_assert_num_queries(EVENTS_QUERIES):
        few = listed(client, "ledger_event")
    game = Event.objects.get(event_type="stone_hand.game_opened").stream.partition("/")[2]
    builders.put(house, game, *(builders.throw("Ada", 1, 2, 4) for _ in range(20)))
    with django_assert_num_queries(EVENTS_QUERIES):
        more = listed(client, "ledger_event")

    assert str(house.attendant) in few.text
    assert more.text.count("stone_hand.dice_thrown") > 20
    assert str(house.attendant.pk) not in more.text


def test_an_event_s_body_can_be_read(house: House) -> None:
    event = Event.objects.filter(establishment=house.id, event_type="stone_hand.round_lost").get()

    answer = signed_in(house.auditor).get(reverse("admin:ledger_event_change", args=[event.pk]))

    assert "&quot;round&quot;: 1" in answer.text
    assert bytes(event.leaf_hash).hex() in answer.text
    assert str(house.attendant) in answer.text


def counts_in_cents(house: House) -> House:
    at = house.establishment
    at.currency, at.currency_code, at.coin_digits, at.locale = "€", "EUR", 2, "de-DE"
    at.currency_symbol = "€"
    at.save()
    return house


def test_amounts_are_written_as_the_house_of_their_row_does(house: House) -> None:
    """Also where somebody works for two houses: the one chosen counts in whole coins."""
    Establishment.objects.filter(pk=house.id).update(currency_symbol="r")
    other = counts_in_cents(builders.house(name="Cents"))
    Table.objects.filter(pk=other.table.pk).update(stake_min=550, stake_max=1_000_050)
    builders.employed(other.establishment, Role.MANAGER, house.manager)
    client = signed_in(house.manager)

    tables = listed(client, "establishments_table").text
    row = client.get(reverse("admin:establishments_table_change", args=[other.table.pk])).text

    for shown in ("5,50\N{NO-BREAK SPACE}€", "10.000,50\N{NO-BREAK SPACE}€"):
        assert shown in tables
        assert shown in row
    for page in ("ledger_transfer", "play_gamecard"):
        assert "\N{NO-BREAK SPACE}r" in listed(client, page).text
