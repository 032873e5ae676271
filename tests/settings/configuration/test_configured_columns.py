"""What people set of a thing is declared once: no column is missing where the others are."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import models
from django.utils.functional import Promise
from django.utils.translation import override

from casino.house.acts import changes
from casino.settings.configuration import descriptions, operations, requests
from casino.settings.configuration.api import DiceRow, Settings, TableRow
from casino.settings.configuration.forms.house import HouseForm
from casino.settings.configuration.forms.things import (
    DiceSetForm,
    PrizeForm,
    ScoreboardForm,
    TableForm,
)
from casino.settings.configuration.listings import TABLES

FORMS: dict[str, Any] = {
    "establishment": HouseForm, "table": TableForm, "dice_set": DiceSetForm,
    "prize_rule": PrizeForm, "scoreboard": ScoreboardForm,
}  # fmt: skip
NAMES_THE_ROW = {"id", "establishment"}
ON_THEIR_OWN = {"denominations": "counted"}
"""What a form asks for under another name, a line each."""
SPELLED_ALIKE = {"set", "note"}
"""Words that English and Italian share."""
OWN_DOOR = {"wall": "It is switched on under Settings; the floor's programs have no use for it."}
"""What is not among a table's values in the API."""


@pytest.mark.parametrize("kind", operations.THINGS)
def test_each_column_is_called_something_in_every_language(kind: str) -> None:
    model = operations.THINGS[kind]
    fields = {field.attname: field for field in model._meta.concrete_fields}

    for name in fields.keys() - changes.HIDDEN - {"id", "establishment_id"}:
        assert isinstance(fields[name].verbose_name, Promise), f"{kind}.{name} has no words"


@pytest.mark.parametrize("kind", descriptions.MODELS)
def test_the_change_log_has_words_of_its_reader_for_whatever_is_recorded(kind: str) -> None:
    fields = descriptions.MODELS[kind]._meta.concrete_fields
    names = {each.attname for each in fields} - changes.HIDDEN - {"id", "establishment_id"}
    english = {name: descriptions.word(kind, name) for name in names}
    with override("it"):
        alike = {name for name in names if descriptions.word(kind, name) == english[name]}
        choices = {
            name: (value, descriptions.choice(kind, name, value))
            for name in names
            for value, _label in descriptions.field_of(descriptions.MODELS[kind], name).flatchoices
        }
        assert kind in descriptions.KINDS

    assert alike <= SPELLED_ALIKE
    assert all(label for _value, label in choices.values())


RECORDED: dict[type[models.Field[Any, Any]], tuple[str, str]] = {
    models.DateTimeField: ("2026-11-29T20:00:00Z", "29"),
    models.DateField: ("2026-11-29", "29/11/2026"),
}
"""What a record has of a field, and what people read of it; a moment is a day, too."""


@pytest.mark.parametrize("kind", descriptions.MODELS)
def test_the_change_log_writes_days_and_games_as_the_house_does(kind: str) -> None:
    for field in descriptions.MODELS[kind]._meta.concrete_fields:
        for of, (recorded, read) in RECORDED.items():
            if type(field) is of:
                said = descriptions.in_words(kind, field.attname, {field.attname: recorded})
                assert read in said, field
                assert said != recorded, field
        if field.attname in {"game", "ruleset"}:
            said = descriptions.in_words(kind, field.attname, {field.attname: "dice-breaker"})
            assert said == "Dice Breaker"


@pytest.mark.parametrize("kind", FORMS)
def test_each_column_that_may_be_edited_is_in_its_form(kind: str) -> None:
    form = FORMS[kind]
    fields = operations.THINGS[kind]._meta.concrete_fields
    editable = {field.name for field in fields if field.editable} - NAMES_THE_ROW

    assert set(form.Meta.fields) == editable - ON_THEIR_OWN.keys()
    assert ON_THEIR_OWN.keys() & editable <= {
        name for name, asked in ON_THEIR_OWN.items() if asked in form.declared_fields
    }


def test_a_body_may_say_what_a_form_may() -> None:
    for kind, form in FORMS.items():
        thing = "house" if kind == "establishment" else kind

        assert requests.COLUMNS[thing].keys() - ON_THEIR_OWN.keys() == set(form.Meta.fields)


def test_the_api_and_the_list_have_what_the_form_has() -> None:
    assert set(Settings().fields) == {*HouseForm.Meta.fields, *ON_THEIR_OWN}
    assert set(DiceRow().fields) == {"id", *DiceSetForm.Meta.fields}
    assert set(TableRow().fields) == {"id", *TableForm.Meta.fields, "game"} - OWN_DOOR.keys()
    assert [column.name for column in TABLES.columns] == ["id", *TableForm.Meta.fields, "game"]


def test_a_column_that_is_gone_is_called_what_the_ledger_calls_it() -> None:
    assert descriptions.word("table", "stake_min") == "least stake"
    assert descriptions.word("table", "croupier_id") == "croupier"
    assert descriptions.word("roulette", "wheel_size") == "wheel size"
    with override("it"):
        assert descriptions.word("table", "stake_min") == "puntata minima"
