"""How a house is configured: what holds, what changed, and changing it, as its pages do."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID  # noqa: TC003 - read from the signature by the schema

from django.core.exceptions import ValidationError
from django.forms import model_to_dict
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.api import bodies, paging, reading
from casino.api.answers import Shape
from casino.api.establishments import own
from casino.api.schema import DEVICE, documented
from casino.attendants import permissions
from casino.dice.models import DiceSet
from casino.establishments import configuration, house_rules
from casino.establishments.configuration import Adding, Changing
from casino.establishments.forms.home_throws import STORY
from casino.establishments.forms.house import HouseForm, written
from casino.establishments.forms.rules import WALL_TEXT
from casino.establishments.forms.things import DiceSetForm, PrizeForm, TableForm
from casino.establishments.forms.why_and_when import REASON
from casino.establishments.models import Change, Establishment, HouseRules, Table
from casino.establishments.models import sound_denominations as sound
from casino.home_throws import operations as home_throws
from casino.openings import OPENINGS
from casino.play.models import PrizeRule
from casino.players import veil
from games.refusals import Malformed, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.db.models import QuerySet
    from rest_framework.request import Request

    from casino.establishments import acts

Values = dict[str, Any]

HOUSE: Final = (
    "name", "currency", "currency_symbol", "coin_digits", "time_zone", "day_cutoff",
    "closing_grace", "large_prize", "cash_threshold", "tips_allowed", "counts_floats",
    "publishes_rules", "two_configure", "denominations",
)  # fmt: skip
TEXT, WHOLE, FLAG = (str,), (int,), (bool,)
PERHAPS: Final = (int, type(None))
COLUMNS: Final[dict[str, dict[str, tuple[type, ...]]]] = {
    "house": {
        "name": TEXT, "currency": TEXT, "currency_symbol": TEXT, "coin_digits": WHOLE,
        "time_zone": TEXT, "day_cutoff": TEXT, "closing_grace": PERHAPS, "large_prize": WHOLE,
        "cash_threshold": PERHAPS, "tips_allowed": FLAG, "counts_floats": FLAG,
        "publishes_rules": FLAG, "two_configure": FLAG, "denominations": (list,),
    },
    "table": {"name": TEXT, "stake_min": PERHAPS, "stake_max": PERHAPS, "in_use": FLAG},
    "dice_set": {
        "number": TEXT, "sides": PERHAPS, "count": WHOLE, "colour": TEXT, "withdrawn": FLAG,
    },
    "prize_rule": {
        "ruleset": TEXT, "kind": TEXT, "at": WHOLE, "prize": TEXT, "amount": WHOLE, "active": FLAG,
    },
    "home_throw": {
        "faces": (list,), "game": TEXT, "story": TEXT, "override_reason": TEXT,
        "effective_from": TEXT,
    },
    "house_rules": {
        "game": TEXT, "played": FLAG, "options": (dict,), "fee": (dict, type(None)),
        "home_throws": TEXT, "deviations": TEXT, "text": TEXT, "effective_from": TEXT,
    },
}  # fmt: skip
"""What may be said of each thing, and as which kinds of JSON."""
CHANGE: Final = bodies.described(
    {"thing": {"type": "string", "enum": list(COLUMNS)}, "values": {"type": "object"}},
    id={**bodies.ID, "description": "Of the thing; without one, a new thing is added."},
    reason=bodies.REASON,
)


class DoesNotFit(Refused):
    code = "does_not_fit"


class Rules(serializers.ModelSerializer[HouseRules]):
    """One version of how a game is played there."""

    options = serializers.DictField(help_text="Those that are not the rules' usual ones.")
    fee = serializers.JSONField(help_text="As an opening announces it, or null.")
    in_force = serializers.SerializerMethodField(help_text="Whether it holds now.")
    text = serializers.SerializerMethodField(help_text="What hangs on the wall.")

    class Meta:
        model = HouseRules
        fields = [
            "id", "game", "version", "effective_from", "in_force", "played", "options", "fee",
            "home_throws", "deviations", "text", "set_by",
        ]  # fmt: skip

    def get_in_force(self, rules: HouseRules) -> bool:
        return rules.pk in self.context["in_force"]

    def get_text(self, rules: HouseRules) -> str:
        return str(veil.unveil(rules.establishment_id, rules.text))


class Settings(serializers.ModelSerializer[Establishment]):
    """The house's own settings."""

    day_cutoff = serializers.CharField(help_text="When a gaming day ends, by the clock there.")
    denominations = serializers.JSONField(help_text="What is counted: a list of value and name.")

    class Meta:
        model = Establishment
        fields = list(HOUSE)


class Configured(Shape):
    settings = Settings()
    house_rules = Rules(many=True, help_text="Those in force, one for each game that has any.")


class Changed(Shape):
    became = serializers.ChoiceField(
        ["done", "waiting", "unchanged"],
        help_text="waiting: a second person approves it, see approvals.",
    )
    request = serializers.UUIDField(allow_null=True, help_text="The request that waits.")


class ChangeRow(serializers.ModelSerializer[Change]):
    before = serializers.JSONField(help_text="Column to value, or null.")
    after = serializers.JSONField(help_text="Column to value.")
    reason = serializers.SerializerMethodField()
    asked_by = serializers.CharField(help_text="Who asked, where a second person approved.")

    class Meta:
        model = Change
        fields = [
            "position", "at", "gaming_day", "kind", "happened", "thing", "before", "after",
            "actor", "asked_by", "alone", "reason",
        ]  # fmt: skip

    def get_reason(self, change: Change) -> str:
        return str(veil.unveil(change.establishment_id, change.reason))


class NewestChanges(paging.SignedCursorPagination):
    ordering = ("-position",)


class NewestRules(paging.SignedCursorPagination):
    ordering = ("-effective_from", "game", "-version")


class Configuration(APIView):
    @documented("How a house is configured now", answers={200: Configured}, errors=(403, 404))
    def get(self, request: Request, establishment: UUID) -> Response:
        house = own(request, establishment)
        permissions.require(reading.person(request), "audit", house)
        current = house_rules.all_in_force(house, timezone.now())
        context = {"in_force": {rules.pk for rules in current.values()}}
        rules = Rules(list(current.values()), many=True, context=context).data
        return Response({"settings": Settings(house).data, "house_rules": rules})

    @documented(
        "Change how a house is configured",
        answers={200: Changed},
        errors=(400, 403, 404, 409, 413, 415, 422),
        request=CHANGE,
        parameters=[DEVICE],
    )
    def post(self, request: Request, establishment: UUID) -> Response:
        """
        `values` holds what is to change, by column: of `house` (no `id`) its settings, of `table`,
        `dice_set` and `prize_rule` their columns, of `home_throw` `faces`, `game`, `story`,
        `override_reason`, of `house_rules` `game`, `options`, `fee`, `home_throws`, `deviations`,
        `text`, `played`. The last two are only ever added, in force `effective_from` a moment or
        now. Games that are open keep what they were opened with.

        422 `does_not_fit` names the value that does not; `reason_missing` where a second person
        approves changes and no reason was given.
        """
        house = own(request, establishment)
        person = reading.person(request)
        permissions.require(person, "configure", house)
        fields = bodies.read(request, CHANGE)
        values = _typed(fields["thing"], fields["values"])
        act = configuration.asked(
            bodies.act(request, house, fields),
            thing=fields["thing"], id=fields["id"], values=values, reason=fields["reason"],
        )  # fmt: skip
        if (before := configuration.answered(act)) is not None:
            return Response({"became": before.became, "request": before.request})
        try:
            change = CHANGES[fields["thing"]](act, fields["id"], values)
            outcome = configuration.put(act, change, reason=fields["reason"] or "")
        except ValidationError as invalid:
            raise DoesNotFit(_first(invalid)) from None
        return Response({"became": outcome.became, "request": outcome.request})


class HouseRulesOf(ListAPIView[HouseRules]):
    queryset = HouseRules.objects.none()
    serializer_class = Rules
    pagination_class = NewestRules

    def get_queryset(self) -> QuerySet[HouseRules]:
        rows = HouseRules.objects.filter(
            establishment=own(self.request, self.kwargs["establishment"])
        )
        game = self.request.query_params.get("game")
        if game is not None and game not in OPENINGS:
            raise Malformed("game: there is none such.", field="game")
        return rows.filter(game=game) if game else rows

    def get_serializer_context(self) -> dict[str, Any]:
        house = own(self.request, self.kwargs["establishment"])
        current = house_rules.all_in_force(house, timezone.now())
        in_force = {rules.pk for rules in current.values()}
        return {**super().get_serializer_context(), "in_force": in_force}

    @documented(
        "How a house plays its games: every version, the latest to begin first",
        answers={200: Rules(many=True)},
        errors=(400, 404),
        parameters=[OpenApiParameter("game", {"type": "string", "enum": list(OPENINGS)})],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """An opening that names no options takes those in force, and the fee always."""
        return super().get(request, *args, **kwargs)


class Changes(ListAPIView[Change]):
    queryset = Change.objects.none()
    serializer_class = ChangeRow
    pagination_class = NewestChanges

    def get_queryset(self) -> QuerySet[Change]:
        house = own(self.request, self.kwargs["establishment"])
        permissions.require(reading.person(self.request), "audit", house)
        return Change.objects.filter(establishment=house)

    @documented(
        "What changed in a house's configuration and staff, newest first",
        answers={200: ChangeRow(many=True)},
        errors=(400, 403, 404),
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """From what to what, by whom, and why (C2). It may lag a moment behind the ledger."""
        return super().get(request, *args, **kwargs)


def _typed(thing: str, values: Mapping[str, Any]) -> Values:
    """
    Values of the kinds that their columns have.

    :raises DoesNotFit: naming the one that is not.
    """
    kinds = COLUMNS[thing]
    for name, value in values.items():
        if name not in kinds:
            raise DoesNotFit(f"values.{name}: {thing} has no such value; {', '.join(kinds)}.")
        if type(value) not in kinds[name]:
            raise DoesNotFit(f"values.{name} is not of the kind it has to be.")
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
        {**_as_it_is(house, HouseForm.Meta.fields), **own_values,
         "counted": written(house.denominations)},
        instance=house,
    )  # fmt: skip
    changed = _judged(form, own_values)
    more = {} if counted is None else {"denominations": counted}
    return Changing(Establishment.objects.get(pk=house.pk), {**changed, **more})


def _table(act: acts.Act, pk: UUID | None, values: Values) -> Adding | Changing:
    return _named(act, pk, values, Table, TableForm, {"in_use": True})


def _dice_set(act: acts.Act, pk: UUID | None, values: Values) -> Adding | Changing:
    fixed = {"number", "sides", "count"} & set(values)
    if pk is not None and fixed:
        raise DoesNotFit(f"values.{min(fixed)}: a set keeps its dice; add another. F1")
    return _named(act, pk, values, DiceSet, DiceSetForm, {})


def _prize_rule(act: acts.Act, pk: UUID | None, values: Values) -> Adding | Changing:
    return _named(act, pk, values, PrizeRule, PrizeForm, {"amount": 0, "active": True})


def _named(  # noqa: PLR0913, PLR0917 - a thing, and how it is judged
    act: acts.Act,
    pk: UUID | None,
    values: Values,
    model: type[Any],
    form_of: type[Any],
    usual: Values,
) -> Adding | Changing:
    if pk is None:
        thing = model(id=configuration.new_id(act), establishment=act.house)
        _judged(form_of({**usual, **_posted(values)}, instance=thing), values)
        return Adding(thing)
    stored = get_object_or_404(model, pk=pk, establishment=act.house)
    whole = {**_as_it_is(stored, form_of.Meta.fields), **_posted(values)}
    changed = _judged(form_of(whole, instance=stored), values)
    return Changing(model.objects.get(pk=pk), changed)


def _home_throw(act: acts.Act, pk: UUID | None, values: Values) -> Adding:
    _only_added(pk)
    faces = values.get("faces", [])
    if len(faces) != THREE or any(type(face) is not int for face in faces):
        raise DoesNotFit("values.faces: three whole numbers from 1 to 8. H1")
    if values.get("game", "") not in {"", "stone-hand", "cinnabar-gate"}:
        raise DoesNotFit("values.game: stone-hand, cinnabar-gate, or absent for both. H1")
    low, middle, high = sorted(faces)
    throw = home_throws.drafted(
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
    said: Values = {name: values[name] for name in ("options", "fee", "played") if name in values}
    for name in ("home_throws", "deviations"):
        if name in values:
            said[name] = values[name]
    game = values.get("game", "")
    rules = house_rules.drafted(
        establishment=act.house,
        game=game,
        effective_from=_begins(values, act.now),
        by=_by(act),
        now=act.now,
        text=_text(values, "text", WALL_TEXT),
        **said,
    )
    rules.pk = configuration.new_id(act)
    current = house_rules.in_force(establishment=act.house, game=game, at=act.now)
    return Adding(rules, current)


THREE: Final = 3
CHANGES: Final[dict[str, Callable[[acts.Act, UUID | None, Values], Adding | Changing]]] = {
    "house": _house,
    "table": _table,
    "dice_set": _dice_set,
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
    """:raises DoesNotFit: if it is no moment, or has passed."""
    if "effective_from" not in values:
        return otherwise
    try:
        begins = datetime.fromisoformat(values["effective_from"])
        begins = begins.astimezone(UTC) if begins.tzinfo else begins
    except (ValueError, OverflowError):
        raise DoesNotFit("values.effective_from is no moment.") from None
    if begins.tzinfo is None:
        raise DoesNotFit("values.effective_from: with its offset, as 2026-11-21T20:00:00Z.")
    if begins < otherwise:
        raise DoesNotFit("values.effective_from has passed: nothing is announced for the past. A4")
    return begins


def _text(values: Values, name: str, most: int) -> str:
    """:raises DoesNotFit: if it is too long."""
    text: str = values.get(name, "")
    if len(text) > most or "\0" in text:
        raise DoesNotFit(f"values.{name}: at most {most} letters.")
    return text


def _as_it_is(thing: Any, fields: list[str]) -> Values:
    return _posted(model_to_dict(thing, fields))


def _posted(values: Mapping[str, Any]) -> Values:
    """As a form would send them: nothing for null and false."""
    return {name: each for name, each in values.items() if each is not None and each is not False}


def _judged(form: Any, values: Values) -> Values:
    """
    The columns that were named, as the form reads them.

    :raises DoesNotFit: naming the value that does not.
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
