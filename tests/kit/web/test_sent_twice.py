"""Every form that changes something is one act however often it is sent, and says what it did."""

from __future__ import annotations

import importlib
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from django import forms
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

import casino
from casino.house.attendants.models import Role
from casino.house.establishments.models import Table
from casino.kit.approvals.models import RequestRow
from casino.kit.web.forms import ActForm
from tests.support import builders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House

ROOMS: Final = Path(casino.__file__).parent
WITHOUT_ID: Final = {
    # These look, and change nothing: they are sent by GET.
    "money.cash.accounts.pages.WhenForm",
    "money.cash.accounts.pages.CursorForm",
    "proof.disputes.pages.FindForm",
    "chain.pages.CompareForm",
    "chain.pages.RegisterDaysForm",
    "reports.registers.pages.DaysForm",
    "proof.search.pages.WhenForm",
    "proof.search.game_pages.FindForm",
    # These only check a file or a word; what follows has an id of its own.
    "office.onboarding.import_pages.ListForm",
    # A house plays one what-if again at a time: a second is refused while one is under way.
    "reports.what_if.pages.WhatIfForm",
    # A second time it sets the same PIN or password, or signs in the same person; a place is taken
    # with an invitation, and a house founded by a link, that work once.
    "settings.staff.sign_in.me.PinForm",
    "settings.staff.sign_in.me.PasswordForm",
    "settings.staff.sign_in.first_password.OwnPasswordForm",
    "settings.staff.sign_in.pages.SignInForm",
    "settings.staff.sign_in.first_password.NewcomerForm",
    "office.onboarding.pages.HouseStep",
    # Parts of forms that have one.
    "settings.configuration.forms.Beginning",
    "settings.configuration.forms.Explained",
    "settings.configuration.forms.house.CoinForm",
    "settings.configuration.forms.house.HouseForm",
    "settings.configuration.forms.rules.FacesForm",
    "settings.configuration.forms.rules.HomeThrowForm",
    "settings.configuration.forms.rules.RulesForm",
    "settings.configuration.forms.rules.TermsForm",
    "settings.configuration.forms.things.DiceSetForm",
    "settings.configuration.forms.things.PrizeForm",
    "settings.configuration.forms.things.ScoreboardForm",
    "settings.configuration.forms.things.TableForm",
    "settings.configuration.forms.things.ThingForm",
}


def every_form(of: type[Any]) -> Iterator[type[Any]]:
    for form in of.__subclasses__():
        yield form
        yield from every_form(form)


def test_every_form_that_changes_something_has_an_id_of_its_act() -> None:
    """Whatever is added later: a form either bears a command id, or it is told above why not."""
    for path in ROOMS.rglob("*.py"):
        if "forms" in path.read_text(encoding="utf-8") and "admin_site" not in path.parts:
            module = path.relative_to(ROOMS.parent).with_suffix("")
            importlib.import_module(".".join(module.parts).removesuffix(".__init__"))
    names = {
        f"{form.__module__.removeprefix('casino.')}.{form.__qualname__}"
        for form in every_form(forms.BaseForm)
        if form.__module__.startswith("casino.") and not issubclass(form, ActForm)
    }

    assert {name for name in names if not name.startswith(tuple(WITHOUT_ID))} == set()


@pytest.fixture
def house() -> House:
    return builders.house()


def signed_in(house: House, role: Role) -> Client:
    client = Client()
    client.force_login(house.people.get(role) or builders.employed(house.establishment, role))
    return client


def told(answer: Any) -> list[str]:
    """The messages that the next page shows, as HTML."""
    return [str(each) for each in get_messages(answer.wsgi_request)]


@pytest.mark.django_db
def test_a_table_that_is_added_is_named_and_linked_once(house: House) -> None:
    manager = signed_in(house, Role.MANAGER)
    fresh = manager.get(reverse("settings-table-new")).context["form"]
    sent = {field.html_name: field.value() for field in fresh if field.value() is not None}
    sent |= {"name": "Veranda"}

    first = manager.post(reverse("settings-table-new"), sent)
    again = manager.post(reverse("settings-table-new"), sent)

    [table] = Table.objects.filter(establishment=house.establishment, name="Veranda")
    link = f'<a href="{reverse("settings-table", args=[table.pk])}">Veranda</a>'
    assert (first.status_code, again.status_code) == (302, 302)
    assert f"Saved, and written into the change log. {link}" in told(first)


@pytest.mark.django_db
def test_a_request_is_linked_from_the_message_that_it_was_made(house: House) -> None:
    attendant = signed_in(house, Role.SUPERVISOR)
    sent = {"command_id": str(uuid.uuid4()), "reason": "All was looked at."}

    answer = attendant.post(reverse("cage"), sent | {"way": "capital", "amount": "50"})
    attendant.post(reverse("cage"), sent | {"way": "capital", "amount": "50"})

    [request] = RequestRow.objects.filter(establishment=house.establishment)
    [said] = told(answer)
    assert reverse("approval", args=[request.id]) in said


@pytest.mark.django_db
def test_a_message_escapes_the_name_that_it_links(house: House) -> None:
    manager = signed_in(house, Role.MANAGER)
    fresh = manager.get(reverse("settings-table-new")).context["form"]
    sent = {field.html_name: field.value() for field in fresh if field.value() is not None}

    answer = manager.post(reverse("settings-table-new"), sent | {"name": "<b>Loft"})

    assert "&lt;b&gt;Loft</a>" in told(answer)[0]
    assert "&lt;b&gt;Loft</a>" in manager.get(answer["Location"]).content.decode()
