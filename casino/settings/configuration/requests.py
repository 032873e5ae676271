"""Changes that an API body asks for, checked by the same forms as in the office."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ValidationError
from django.forms import model_to_dict
from django.shortcuts import get_object_or_404

from casino.house.establishments.decimals import AMOUNTS
from casino.house.establishments.denominations import sound_denominations as sound
from casino.house.establishments.models import Establishment, Table
from casino.house.home_throws import house_rules
from casino.house.home_throws import operations as home_throws
from casino.kit.web.api import params
from casino.play.dice.models import DiceSet
from casino.play.settlement.models import PrizeRule, Scoreboard
from casino.settings.configuration import descriptions
from casino.settings.configuration import operations as configuration
from casino.settings.configuration.forms import LATEST, REASON
from casino.settings.configuration.forms.house import FOLLOWING, HouseForm, write_list
from casino.settings.configuration.forms.rules import STORY, WALL_TEXT
from casino.settings.configuration.forms.things import (
    DiceSetForm,
    PrizeForm,
    ScoreboardForm,
    TableForm,
)
from casino.settings.configuration.operations import Adding, Changing
from casino.words.languages import locales
from casino.words.languages.amounts import as_typed
from casino.words.presenters import registered
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime
    from uuid import UUID

    from casino.house.acts import acts

Values = dict[str, Any]

THREE: Final = 3  # dice of a home throw

TEXT, FLAG = (str,), (bool,)
COLUMNS: Final[dict[str, dict[str, tuple[type, ...]]]] = {
    "house": {**descriptions.in_json(HouseForm), "denominations": (list,)},
    "table": descriptions.in_json(TableForm),
    "dice_set": descriptions.in_json(DiceSetForm),
    "scoreboard": descriptions.in_json(ScoreboardForm),
    "prize_rule": descriptions.in_json(PrizeForm),
    "home_throw": {
        "faces": (list,), "game": TEXT, "story": TEXT, "override_reason": TEXT,
        "effective_from": TEXT,
    },
    "house_rules": {
        "game": TEXT, "played": FLAG, "options": (dict,), "fee": (dict, type(None)),
        "home_throws": TEXT, "deviations": TEXT, "text": TEXT, "effective_from": TEXT,
    },
}  # fmt: skip
"""The columns that may be set of each thing, with their JSON types."""
TYPES: Final[dict[type, str]] = {
    str: "a text", int: "a whole number", bool: "true or false", list: "a list",
    dict: "an object", type(None): "null",
}  # fmt: skip


class DoesNotFit(Refused):
    code = "does_not_fit"


def put(act: acts.Act, given: Mapping[str, Any]) -> configuration.ChangeOutcome:
    """
    Change or add the thing that a body names, or return the answer that the same act got before.

    :param given: `thing`, `id` or None, `values` by column, `reason` or None.
    :raises DoesNotFit: naming the value that is not valid.
    :raises Http404: if the house has no such thing.
    """
    thing, pk, reason = given["thing"], given["id"], given["reason"]
    values = check_types(thing, given["values"])
    requested = configuration.with_request(act, thing=thing, id=pk, values=values, reason=reason)
    if (before := configuration.earlier_outcome(requested)) is not None:
        return before
    try:
        return configuration.put(
            requested, CHANGES[thing](requested, pk, values), reason=reason or ""
        )
    except ValidationError as invalid:
        raise DoesNotFit(_first(invalid)) from None


def check_types(thing: str, values: Mapping[str, Any]) -> Values:
    """
    The values of a thing, checked to have the JSON types of their columns.

    :raises DoesNotFit: naming the value that has not.
    """
    kinds = COLUMNS[thing]
    for name, value in values.items():
        if name not in kinds:
            raise DoesNotFit(f"values.{name}: {thing} has no such value; {', '.join(kinds)}.")
        if type(value) not in kinds[name]:
            wanted = " or ".join(TYPES[each] for each in kinds[name])
            raise DoesNotFit(f"values.{name} is {wanted}.")
    return dict(values)


def _house(act: acts.Act, pk: UUID | None, values: Values) -> Changing:
    if pk is not None:
        raise DoesNotFit("id: the house is the one in the address.")
    house = Establishment.objects.get(pk=act.house.pk)
    own_values = dict(values)
    counted = own_values.pop("denominations", None)
    if counted is not None:
        sound(counted)
    form = HouseForm(
        {**_as_it_is(house, HouseForm.Meta.fields), **_amounts(house), **own_values}, instance=house
    )
    named = _columns_named(form, own_values)
    for name in FOLLOWING:
        if named.get(name, own_values.get(name)) != own_values.get(name):
            raise DoesNotFit(f"values.{name}: it follows from currency_code, {named[name]}.")
    more = {} if counted is None else {"denominations": counted}
    return Changing(Establishment.objects.get(pk=house.pk), {**named, **form.values(), **more})


def _amounts(house: Establishment) -> Values:
    """The house's amounts as its page would send them: with other decimals the figures stay."""
    with locales.decimals(house.coin_digits):
        single = {name: as_typed(getattr(house, name)) for name in AMOUNTS}
        return {**_as_posted(single), "counted": write_list(house.denominations)}


def _table(act: acts.Act, pk: UUID | None, values: Values) -> Adding | Changing:
    return _read_change(act, pk, values, Table, TableForm)


def _dice_set(act: acts.Act, pk: UUID | None, values: Values) -> Adding | Changing:
    fixed = {"number", "sides", "count"} & set(values)
    if pk is not None and fixed:
        raise DoesNotFit(f"values.{min(fixed)}: a set keeps its dice; add another. F1")
    return _read_change(act, pk, values, DiceSet, DiceSetForm)


def _prize_rule(act: acts.Act, pk: UUID | None, values: Values) -> Adding | Changing:
    return _read_change(act, pk, values, PrizeRule, PrizeForm)


def _scoreboard(act: acts.Act, pk: UUID | None, values: Values) -> Adding | Changing:
    return _read_change(act, pk, values, Scoreboard, ScoreboardForm)


def _read_change(
    act: acts.Act, pk: UUID | None, values: Values, model: type[Any], form_of: type[Any]
) -> Adding | Changing:
    if pk is None:
        thing = model(id=configuration.new_id(act), establishment=act.house)
        whole = _as_posted({**descriptions.usual(form_of), **values})
        _columns_named(form_of(whole, instance=thing), values)
        return Adding(thing)
    stored = get_object_or_404(model, pk=pk, establishment=act.house)
    whole = {**_as_it_is(stored, form_of.Meta.fields), **_as_posted(values)}
    changed = _columns_named(form_of(whole, instance=stored), values)
    return Changing(model.objects.get(pk=pk, establishment=act.house), changed)


def _home_throw(act: acts.Act, pk: UUID | None, values: Values) -> Adding:
    _only_added(pk)
    faces = values.get("faces", [])
    if len(faces) != THREE or any(type(face) is not int for face in faces):
        raise DoesNotFit("values.faces: three whole numbers from 1 to 8. H1")
    having = [game.id for game in registered.with_home_throws()]
    if values.get("game", "") not in {"", *having}:
        raise DoesNotFit(f"values.game: {', '.join(having)}, or absent for all of them. H1")
    low, middle, high = sorted(faces)
    throw = home_throws.draft_home_throw(
        establishment=act.house,
        faces=(low, middle, high),
        effective_from=_begins(values, act.now),
        by=_by(act),
        story=_text(values, "story", STORY),
        override_reason=_text(values, "override_reason", REASON),
        game=values.get("game", ""),
    )
    throw.pk = configuration.new_id(act)
    return Adding(throw)


def _house_rules(act: acts.Act, pk: UUID | None, values: Values) -> Adding:
    _only_added(pk)
    terms: Values = {name: values[name] for name in ("options", "fee", "played") if name in values}
    for name in ("home_throws", "deviations"):
        if name in values:
            terms[name] = values[name]
    game = values.get("game", "")
    rules = house_rules.draft_rules(
        establishment=act.house,
        game=game,
        effective_from=_begins(values, act.now),
        by=_by(act),
        now=act.now,
        text=_text(values, "text", WALL_TEXT),
        **terms,
    )
    rules.pk = configuration.new_id(act)
    current = house_rules.in_force(establishment=act.house, game=game, at=act.now)
    return Adding(rules, current)


CHANGES: Final[dict[str, Callable[[acts.Act, UUID | None, Values], Adding | Changing]]] = {
    "house": _house,
    "table": _table,
    "dice_set": _dice_set,
    "scoreboard": _scoreboard,
    "prize_rule": _prize_rule,
    "home_throw": _home_throw,
    "house_rules": _house_rules,
}


def _only_added(pk: UUID | None) -> None:
    if pk is not None:
        raise DoesNotFit("id: this is history; what follows is added, nothing of it changes.")


def _by(act: acts.Act) -> Any:
    return act.by


def _begins(values: Values, otherwise: datetime) -> datetime:
    """
    The moment at which something begins.

    :raises DoesNotFit: if it is no moment, has passed, or is out of a calendar's range.
    """
    if "effective_from" not in values:
        return otherwise
    begins = params.moment_in(values["effective_from"])
    if begins is None:
        raise DoesNotFit("values.effective_from: a moment with its offset, 2026-11-21T20:00:00Z.")
    if begins < otherwise:
        raise DoesNotFit("values.effective_from has passed: nothing is announced for the past. A4")
    if begins > LATEST:
        raise DoesNotFit("values.effective_from: so far ahead nothing is announced.")
    return begins


def _text(values: Values, name: str, most: int) -> str:
    """
    A text value.

    :raises DoesNotFit: if it is too long.
    """
    text: str = values.get(name, "")
    if len(text) > most:
        raise DoesNotFit(f"values.{name}: at most {most} letters.")
    return text


def _as_it_is(thing: Any, fields: list[str]) -> Values:
    return _as_posted(model_to_dict(thing, fields))


def _as_posted(values: Mapping[str, Any]) -> Values:
    """The values as a browser's form would send them: nothing for null and false."""
    return {name: each for name, each in values.items() if each is not None and each is not False}


def _columns_named(form: Any, values: Values) -> Values:
    """
    The columns that were named, with the values that the form makes of them.

    :raises DoesNotFit: naming the value that is not valid.
    """
    for name in values:
        if values[name] is None or values[name] is False:
            form.data.pop(name, None)
    if form.is_valid():
        return {name: form.cleaned_data[name] for name in values}
    name, sentences = next(iter(form.errors.items()))
    raise DoesNotFit(f"values.{name}: {sentences[0]}")


def _first(invalid: ValidationError) -> str:
    if hasattr(invalid, "error_dict"):
        name, sentences = next(iter(invalid.message_dict.items()))
        return f"values.{name}: {sentences[0]}"
    return str(invalid.messages[0])
