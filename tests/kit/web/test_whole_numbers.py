"""What people type: a thousand is a thousand or refused, and never one; days by the calendar."""

from __future__ import annotations

import importlib
import re
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

import casino
from casino.floor.players import pages as players_money
from casino.house.establishments.models import Establishment, Table
from casino.kit.approvals.models import RequestRow
from casino.money.cash.accounts import pages as accounts
from casino.money.cash.accounts import pages as cage
from casino.money.cash.pages import SheetForm
from casino.money.payouts import pages as payouts
from casino.office.onboarding.pages import DiceStep
from casino.play.dice.pages import ReceiveForm
from casino.proof.search import game_pages as games
from casino.proof.search import pages as as_of
from casino.settings.configuration.forms.house import HouseForm, denominations
from casino.settings.configuration.forms.things import DiceSetForm, PrizeForm, TableForm
from casino.words.languages import locales
from casino.words.languages.fields import ClockField, CoinsField, DayField, MomentField, WholeField
from casino.words.presenters.opening_forms import read_number
from tests.support import builders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House

pytestmark = pytest.mark.django_db
ROOMS = Path(casino.__file__).parent
SPACED = "1\N{NARROW NO-BREAK SPACE}000"
WRITTEN = ("1000", "1.000", "1,000", SPACED)
MILLE = "1.000"
Made = Callable[[Establishment], forms.BaseForm]

# fmt: off
FORMS: list[tuple[Made, str]] = [
    (lambda _: cage.CageForm(),                     "amount"),
    (SheetForm,                                     "pieces_1"),
    (lambda _: payouts.AdjustmentForm(players={}),  "amount round_no"),
    (lambda _: players_money.LateForm(),            "amount"),
    (players_money.TipForm,                         "amount"),
    (lambda _: TableForm(),                         "stake_min stake_max"),
    (lambda _: PrizeForm(),                         "at amount"),
    (lambda _: DiceSetForm(),                       "count"),
    (lambda at: HouseForm(instance=at),             "large_prize cash_threshold alarms_one_in"),
    (lambda at: HouseForm(instance=at),             "closing_grace idle_after coin_digits"),
    (lambda at: HouseForm(instance=at),             "undo_seconds"),
    (lambda _: accounts.WhenForm(),                 "at"),
    (lambda _: accounts.CursorForm(),               "at"),
    (lambda _: as_of.WhenForm(),                    "position"),
    (lambda at: games.FindForm(house=at),           "amount least most"),
]
TOO_MANY: list[tuple[Made, str]] = [  # a thousand of it is refused, however it is written
    (lambda _: ReceiveForm(),                       "count"),
    (lambda at: DiceStep(house=at),                 "stone river threes breaker"),
]
# fmt: on


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture(autouse=True)
def _as_usual() -> Iterator[None]:
    yield
    locales.use(locales.USUAL)


def read(field: forms.Field, written: str) -> int | None:
    """None: refused."""
    try:
        found: int = field.clean(written)
    except ValidationError:
        return None
    return found


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("made", "names"), FORMS)
def test_a_thousand_typed_is_a_thousand(house: House, made: Made, names: str) -> None:
    assert every_reading(made(house.establishment), names) == {(True, 1000), (False, None)}


@pytest.mark.parametrize(("made", "names"), TOO_MANY)
def test_a_thousand_typed_is_never_one(house: House, made: Made, names: str) -> None:
    assert every_reading(made(house.establishment), names) == {(True, None), (False, None)}


def every_reading(form: forms.BaseForm, names: str) -> set[tuple[bool, int | None]]:
    """Whether it was written as the house or the person (in English) writes, and what was read."""
    found = set()
    for name in names.split():
        for locale in locales.LOCALES:
            locales.use(locale)
            for written in WRITTEN:
                own = {locales.number(1000)}
                if isinstance(form.fields[name], CoinsField):
                    own.add("1,000")
                fits = written in {"1000", SPACED, *own}
                found.add((fits, read(form.fields[name], written)))
    return found


def typed() -> Iterator[tuple[str, forms.Field]]:
    """Every field of the house's forms that somebody fills in; a hidden one the page wrote."""
    for path in ROOMS.rglob("*.py"):
        if "forms" in path.read_text(encoding="utf-8") and "admin_site" not in path.parts:
            module = path.relative_to(ROOMS.parent).with_suffix("")
            importlib.import_module(".".join(module.parts).removesuffix(".__init__"))
    for form in every_form(forms.BaseForm):
        if form.__module__.startswith("casino."):
            for name, field in getattr(form, "base_fields", {}).items():
                if not field.widget.is_hidden:
                    yield f"{form.__module__}.{form.__qualname__}.{name}", field


def test_no_form_of_the_house_reads_whole_numbers_otherwise() -> None:
    """Whatever is added later: what is typed is a `WholeField`, or an amount."""
    assert [
        name
        for name, field in typed()
        if isinstance(field, forms.IntegerField) and not isinstance(field, WholeField | CoinsField)
    ] == []


def test_no_form_of_the_house_asks_for_days_and_times_otherwise() -> None:
    """Whatever is added later: the house's own fields ask."""
    own = (DayField, MomentField, ClockField)
    browsers = (
        forms.DateField, forms.DateTimeField, forms.TimeField,
        forms.SplitDateTimeField, forms.DurationField,
    )  # fmt: skip
    found = [
        (name, isinstance(field, own))
        for name, field in typed()
        if isinstance(field, (*own, *browsers))
    ]

    assert [name for name, fits in found if not fits] == []
    assert len(found) > len(own)


def test_no_page_asks_for_days_and_times_by_the_browser_own_fields() -> None:
    """They follow the device's language, not the house's locale."""
    asks = re.compile(r"""type=["'](date|time|datetime-local|month|week)["']""")
    sources = [
        *(ROOMS.parent / "templates").rglob("*.html"), *ROOMS.rglob("*.js"), *ROOMS.rglob("*.py"),
    ]  # fmt: skip

    assert [path.name for path in sources if asks.search(path.read_text(encoding="utf-8"))] == []


def every_form(of: type[Any]) -> Iterator[type[Any]]:
    for form in of.__subclasses__():
        yield form
        yield from every_form(form)


@pytest.mark.parametrize(
    ("locale", "line", "listed"),
    [
        ("it-IT", "1.000 blue", {"value": 1000, "name": "blue"}),
        ("it-IT", "1.000.000", {"value": 1_000_000, "name": ""}),
        ("it-IT", "1,000 blue", {"value": 1000, "name": "blue"}),  # as a person who reads English
        ("it-IT", "1 000 blue", {"value": 1000, "name": "blue"}),
        ("fr-FR", "1\N{NARROW NO-BREAK SPACE}000 blue", {"value": 1000, "name": "blue"}),
        ("en-GB", "1,000 blue", {"value": 1000, "name": "blue"}),
        ("en-GB", "25 blue", {"value": 25, "name": "blue"}),
        ("en-GB", "25blue", {"value": 25, "name": "blue"}),
        ("en-GB", "5 2nd series", {"value": 5, "name": "2nd series"}),
        ("en-GB", "1.000 blue", None), ("it-IT", "1,0000 blue", None), ("en-GB", "1.00 x", None),
        ("it-IT", "1.0000 blue", None), ("en-GB", "12.5 x", None), ("en-GB", "\u0667 x", None),
    ],
)  # fmt: skip
def test_a_denomination_is_read_as_the_house_writes_it(
    locale: str, line: str, listed: dict[str, Any] | None
) -> None:
    locales.use(locale)
    if listed is None:
        with pytest.raises(ValidationError):
            denominations(line)
    else:
        assert denominations(line) == [listed]


@pytest.mark.parametrize("written", WRITTEN[1:])
def test_a_table_s_tablet_takes_figures_alone(written: str) -> None:
    """What stands for no number is words, which the rules refuse by name."""
    assert read_number(written) == written


# --- Through the pages -----------------------------------------------------------------------


def sent(at: House, address: str, /, **told: str) -> Any:
    client = Client()
    client.force_login(at.manager)
    return client.post(address, {"command_id": str(uuid.uuid4()), **told}, follow=True)


@pytest.mark.parametrize(("locale", "amount"), [("it-IT", 1000), ("en-GB", None)])
def test_an_italian_s_thousand_is_asked_of_the_bank(
    house: House, locale: str, amount: int | None
) -> None:
    Establishment.objects.filter(pk=house.id).update(locale=locale)

    sent(house, reverse("cage"), way="capital", amount=MILLE, reason="The first Friday.")

    rows = RequestRow.objects.filter(establishment=house.establishment)
    assert [row.amount for row in rows] == ([amount] if amount else [])


@pytest.mark.parametrize(("locale", "stake"), [("it-IT", 1000), ("en-GB", None)])
def test_an_italian_s_thousand_is_a_table_s_greatest_stake(
    house: House, locale: str, stake: int | None
) -> None:
    Establishment.objects.filter(pk=house.id).update(locale=locale)

    sent(house, f"/settings/tables/{house.table.pk}/", name="Garden", stake_max=MILLE, in_use="on")

    assert Table.objects.get(pk=house.table.pk).stake_max == stake
