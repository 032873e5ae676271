"""What a house configures, in words: columns, each declared once, their values, and requests."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final

from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import changes
from casino.house.establishments.columns import AmountField
from casino.house.home_throws import house_rules
from casino.words.languages import locales
from casino.words.languages.amounts import money
from casino.words.presenters import TITLES, opening_forms
from casino.words.presenters.registered import OPENINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.forms import ModelForm
    from django.utils.functional import _StrPromise

    from casino.kit.approvals.requests import Request
    from casino.kit.documents.report import Kind
    from casino.words.presenters.opening_forms import Opening

MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
KINDS: Final = {
    "establishment": gettext_lazy("House"),
    "table": gettext_lazy("Table"),
    "dice_set": gettext_lazy("Dice set"),
    "home_throw": gettext_lazy("Home throw"),
    "house_rules": gettext_lazy("Rules and fee"),
    "scoreboard": gettext_lazy("Scoreboard"),
    "prize_rule": gettext_lazy("Prize"),
    "employment": gettext_lazy("Staff"),
    "invitation": gettext_lazy("Invitation"),
    "tablet": gettext_lazy("Floor tablet"),
}


def request(approval: Request) -> str:
    """
    A sentence about what an approval changes: "Table 3: greatest stake from 50 to 100"; with
    tokens.
    """
    return "; ".join(change(each) for each in approval.subject["changes"])


PAGES: Final = {
    "establishment": "settings",
    "table": "settings-tables",
    "dice_set": "settings-dice",
    "home_throw": "settings-home-throws",
    "house_rules": "settings-rules",
    "scoreboard": "settings-prizes",
    "prize_rule": "settings-prizes",
}


def address(approval: Request) -> str:
    """The page of the thing that a request would change; for several things, their list."""
    kinds = {each["thing"] for each in approval.subject["changes"]}
    return reverse(PAGES[kinds.pop()]) if len(kinds) == 1 else reverse("settings-changes")


def change(each: Mapping[str, Any]) -> str:
    called = f"{KINDS.get(each['thing'], each['thing'])} {each['label']}"
    if each["created"] and not each["before"]:
        return _("%(thing)s: new") % {"thing": called}
    before, after = each["before"], each["after"]
    parts = [
        _("%(column)s from %(before)s to %(after)s")
        % {
            "column": word(each["thing"], name),
            "before": in_words(each["thing"], name, before),
            "after": in_words(each["thing"], name, after),
        }
        for name in after
        if before.get(name) != after[name] and name not in {"id", "set_by_id"}
    ]
    return f"{called}: {', '.join(parts)}"


def in_words(kind: str, column: str, row: Mapping[str, Any]) -> str:
    """A column of a record's row as people read it."""
    of = row.get(column)
    if isinstance(of, int) and is_amount(kind, column):
        return money(of)
    if column == "options" and of and (form := OPENINGS.get(row.get("game", ""))):
        return "; ".join(f"{each['label']}: {each['value']}" for each in options_of(form, of))
    if isinstance(of, str) and column in {"game", "ruleset"} and of in TITLES:
        return str(TITLES[of])
    named = choice(kind, column, of) if of and isinstance(of, str) else None
    return value(of) if named is None else named


def value(of: Any) -> str:  # noqa: PLR0911 - one return for each kind of value
    """A value as people read it, where it is no amount of money."""
    match of:
        case None | "" | []:
            return _("nothing")
        case True:
            return _("yes")
        case False:
            return _("no")
        case {"kind": str()}:
            return house_rules.fee_text(of)
        case dict():
            return ", ".join(f"{name} {value(each)}" for name, each in of.items()) or _("as usual")
        case list():
            return ", ".join(denomination(each) for each in of)
        case str() if MOMENT.fullmatch(of):
            at = timezone.localtime(datetime.fromisoformat(of))
            return locales.moment(at)
        case str() if DAY.fullmatch(of):
            return locales.figures_of_day(date.fromisoformat(of))
        case _:
            return str(of)


def denomination(each: Any) -> str:
    match each:
        case {"value": amount, "name": name}:
            return f"{money(amount)} {name}".strip()
        case _:
            return str(each)


def options_of(form: Opening, chosen: Mapping[str, Any]) -> list[dict[str, str]]:
    """The options that differ from the defaults of the game's rules, in words."""
    paid = opening_forms.is_for_money(form, chosen)
    return [
        {
            "label": str(option.label),
            "rule": option.rule,
            "value": opening_forms.value_in_words(option, chosen[option.name], paid=paid),
        }
        for option in form.options
        if option.name in chosen
    ]


# The columns of the things that a house configures, each declared once.
#
# A column's name in words is its field's `verbose_name`. The columns that people set are
# ``Meta.fields`` of the thing's form (`forms.house.HouseForm`, `forms.things`). The form's labels,
# a request's values, the lists, the rows of the API and the change log are derived from these two.


MODELS: Final[Mapping[str, type[models.Model]]] = {
    changes.kind_of(model()): model for model in changes.models_in_ledger()
}
"""Every model that has a record, by the kind in its events' names."""


OTHER_WORDS: Final[Mapping[str, _StrPromise]] = {
    "attendant_id": gettext_lazy("person"),
    "player": gettext_lazy("player"),
    "invitation_id": gettext_lazy("invitation"),
    "invited_by_id": gettext_lazy("invited by"),
    "made_at": gettext_lazy("made"),
    "expires_at": gettext_lazy("good until"),
    "revoked_at": gettext_lazy("withdrawn"),
    "accepted_at": gettext_lazy("accepted"),
    "accepted_by_id": gettext_lazy("accepted by"),
    "enrolled_by_id": gettext_lazy("enrolled by"),
    "enrolled_at": gettext_lazy("enrolled"),
    "withdrawn_at": gettext_lazy("withdrawn"),
    "name": gettext_lazy("name"),
}
"""Columns that no form sets, and that have no name of their own."""


def word(kind: str, column: str) -> str:
    """The name of a record's column in words. The ledger may have columns that no longer exist."""
    field = _field_of(kind, column)
    if field is not None and isinstance(field.verbose_name, Promise):
        return str(field.verbose_name)
    return str(OTHER_WORDS.get(column, column.removesuffix("_id").replace("_", " ")))


def choice(kind: str, column: str, value: str) -> str | None:
    """What a value of a record's column is called; None if it is not one of several."""
    field = _field_of(kind, column)
    label = None if field is None else dict(field.flatchoices).get(value)
    return None if label is None else str(label)


def is_amount(kind: str, column: str) -> bool:
    """Whether a record's column holds an amount of money."""
    return isinstance(_field_of(kind, column), AmountField)


def _field_of(kind: str, column: str) -> models.Field[Any, Any] | None:
    """The field of a record's column; None if there is no longer such a column."""
    model = MODELS.get(kind)
    fields = () if model is None else model._meta.concrete_fields  # noqa: SLF001 - as below
    return next((each for each in fields if each.attname == column), None)


def heading(model: type[models.Model], name: str) -> str | _StrPromise:
    """A column's name as a heading or label, in the reader's language."""
    heading: str | _StrPromise = capfirst(field_of(model, name).verbose_name)  # stays lazy
    return heading


def field_of(model: type[models.Model], name: str) -> models.Field[Any, Any]:
    field: Any = model._meta.get_field(name)  # noqa: SLF001 - Django's documented Meta API
    found: models.Field[Any, Any] = field
    return found


def of_form(form: type[ModelForm[Any]]) -> list[models.Field[Any, Any]]:
    """The fields of a thing that people set, in the order of its form."""
    meta: Any = form._meta  # noqa: SLF001 - as Django's own forms
    return [field_of(meta.model, name) for name in meta.fields]


def in_json(form: type[ModelForm[Any]]) -> dict[str, tuple[type, ...]]:
    """For the same fields, the JSON types that a body may have."""
    return {
        field.name: (_in_json(field), type(None)) if field.null else (_in_json(field),)
        for field in of_form(form)
    }


def _in_json(field: models.Field[Any, Any]) -> type:
    match field:
        case models.BooleanField():
            return bool
        case models.IntegerField():
            return int
        case models.CharField() | models.TimeField() | models.DateField():
            return str
        case _:
            raise TypeError(f"{field}: how does a body have a {type(field).__name__}?")


def in_lists(field: models.Field[Any, Any]) -> Kind:
    """The kind of a field's column in a list."""
    match field:
        case AmountField():
            return "money"
        case models.IntegerField():
            return "number"
        case models.DateTimeField():
            return "moment"
        case models.DateField():
            return "day"
        case _:
            return "text"


def usual(form: type[ModelForm[Any]]) -> dict[str, Any]:
    """Defaults of flags and amounts for a new thing; names and texts must be given."""
    return {
        field.name: field.default
        for field in of_form(form)
        if isinstance(field.default, int)  # bool is an int, so flags too; nothing without a default
    }
