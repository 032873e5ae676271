"""The admin: each page for each role, one's own houses alone, and every change an event."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from casino.house.acts.game_streams.catalogue import RULESETS
from casino.house.attendants.models import Role
from casino.house.establishments.models import Establishment, Table
from casino.play.dice.models import DiceSet
from casino.play.settlement.models import PrizeRule
from ledger import journal
from ledger.models import Event
from tests.support import builders, module_data

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]
admin.autodiscover()  # the house does with its first request for the admin
PAGES = sorted(
    f"{model._meta.app_label}_{model._meta.model_name}" for model in admin.site._registry
)
OF_THE_LEDGER = ("ledger_event", "ledger_transfer", "play_gamecard")
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


@pytest.mark.parametrize("page", OF_THE_LEDGER)
@pytest.mark.parametrize("role", LOOK_IN)
def test_what_the_ledger_is_the_truth_of_is_never_touched(
    house: House, page: str, role: Role
) -> None:
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


def test_an_auditor_is_offered_no_change(house: House) -> None:
    client = signed_in(house.auditor)
    change = reverse("admin:establishments_table_change", args=[house.table.pk])

    assert 'name="_save"' not in client.get(change).text
    answer = client.post(change, {"name": "Mine", "in_use": "on"})

    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert Table.objects.get(pk=house.table.pk).name == "Table 1"


def test_a_change_leaves_an_event_with_before_and_after(house: House) -> None:
    client = signed_in(house.manager)
    change = reverse("admin:establishments_table_change", args=[house.table.pk])

    answer = client.post(change, {"name": "Window", "stake_min": "5", "in_use": "on"})

    assert answer.status_code == HTTPStatus.FOUND
    last = journal.last(establishment=house.id, stream="record/table")
    assert last is not None
    assert last.event_type == "table.changed"
    assert (last.data["before"]["name"], last.data["after"]["name"]) == ("Table 1", "Window")
    assert (last.data["before"]["stake_min"], last.data["after"]["stake_min"]) == (None, 5)
    assert last.provenance.actor == str(house.manager.pk)


def test_another_house_s_table_cannot_be_changed(house: House) -> None:
    stranger = signed_in(builders.house().manager)
    change = reverse("admin:establishments_table_change", args=[house.table.pk])

    answer = stranger.post(change, {"name": "Mine", "in_use": "on"})

    assert answer.status_code == HTTPStatus.FOUND  # to the index: there is no such table for them
    assert Table.objects.get(pk=house.table.pk).name == "Table 1"


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


def test_a_prize_is_set_for_any_game_on_offer(house: House) -> None:
    client = signed_in(house.manager)
    form = client.get(reverse("admin:settlement_prizerule_add")).text
    assert all(f'value="{each.id}"' in form for each in RULESETS)

    answer = client.post(
        reverse("admin:settlement_prizerule_add"),
        {"establishment": str(house.id), "ruleset": RULESETS[-1].id, "kind": "points", "at": 40,
         "prize": "A lantern", "amount": 0, "active": "on"},
    )  # fmt: skip

    assert answer.status_code == HTTPStatus.FOUND
    assert PrizeRule.objects.get(prize="A lantern").ruleset == RULESETS[-1].id


def test_a_dice_set_may_be_one_of_each_size(house: House) -> None:
    client = signed_in(house.manager)
    fields = {"establishment": str(house.id), "number": "R-1", "sides": "", "count": 5}

    answer = client.post(reverse("admin:dice_diceset_add"), fields)

    assert answer.status_code == HTTPStatus.FOUND
    assert DiceSet.objects.get(number="R-1").sides is None
    again = client.post(reverse("admin:dice_diceset_add"), {**fields, "number": "R-2", "count": 4})
    assert "one of each size: five dice" in again.text


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
    form = client.get(reverse("admin:establishments_table_change", args=[other.table.pk])).text

    assert all(
        shown in tables for shown in ("5,50\N{NO-BREAK SPACE}€", "10.000,50\N{NO-BREAK SPACE}€")
    )
    assert all(f'value="{typed}"' in form for typed in ("5,50", "10000,50"))
    assert 'type="number"' not in form
    assert form.count('inputmode="decimal"') == 2
    for page in ("ledger_transfer", "play_gamecard"):
        assert "\N{NO-BREAK SPACE}r" in listed(client, page).text


@pytest.mark.parametrize("known", [True, False], ids=["changed", "added"])
def test_amounts_are_read_as_the_house_of_the_thing_writes_them(
    house: House,
    known: bool,  # noqa: FBT001 - a row
) -> None:
    other = counts_in_cents(builders.house(name="Cents"))
    builders.employed(other.establishment, Role.MANAGER, house.manager)
    page = (
        reverse("admin:establishments_table_change", args=[other.table.pk])
        if known
        else reverse("admin:establishments_table_add")
    )
    fields = {"name": "Window", "stake_min": "5,50", "stake_max": "1.000,00", "in_use": "on"}

    answer = signed_in(house.manager).post(page, {"establishment": str(other.id), **fields})

    assert answer.status_code == HTTPStatus.FOUND
    added = Table.objects.get(establishment=other.id, name="Window")
    assert (added.stake_min, added.stake_max) == (550, 100_000)
