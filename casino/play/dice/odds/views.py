"""The page of odds: choose a game, its options and, if dice lie on the table, these dice."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino.house.attendants import permissions
from casino.house.establishments.clock import show_times_of
from casino.house.establishments.gaming_day import current
from casino.house.establishments.models import Establishment
from casino.house.home_throws import house_rules
from casino.kit.web.current_house import house_of
from casino.play.dice.odds import queries
from casino.play.dice.odds.queries import (
    GAMES,
    answer,
    query_of,
    translate_sentence,
    translate_word,
)
from casino.words.languages import amounts
from casino.words.languages.messages import ODDS
from casino.words.presenters.odds_tables import Choice, Faces, Flag, OptionValue, Whole, as_text
from casino.words.presenters.opening_forms import UNIT
from casino.words.presenters.registered import games
from games.refusals import Malformed, Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.http import HttpRequest, HttpResponse, QueryDict

    from casino.words.presenters.odds_tables import Field, QueryKind, Raw
    from casino.words.presenters.opening_forms import Option


@login_required
@require_safe
def first(request: HttpRequest) -> HttpResponse:
    del request
    return redirect("odds-of", next(iter(GAMES)))


@login_required
@require_safe
@never_cache
def odds(request: HttpRequest, game: str) -> HttpResponse:
    """
    The odds of a game for a query; without a query, by the house's own options and home throw.

    Of options beyond those that odds are worked out for the page says so. A point is worth
    what it is at the house, if the query does not say.
    """
    if game not in GAMES:
        raise Http404("No odds are known of such a game.")
    house = house_of(request)
    context = {**about(request, house), "subject": GAMES[game], "games": GAMES.values()}
    usual, is_beyond = query_of(house, game, timezone.now())
    unit = {name: value for name, value in usual.items() if name == UNIT}
    asked = raw_texts(GAMES[game].fields, request.GET)
    raw = {**unit, **(asked or usual)}
    context["is_beyond"] = is_beyond and not asked
    context["form"] = form_context(game, GAMES[game].fields, raw, usual)
    try:
        context["answer"] = queries.translate_answer(answer(game, raw))
    except (Malformed, Refused) as wrong:
        context["refused"] = refusal(game, GAMES[game].fields, str(wrong))
    status = HTTPStatus.UNPROCESSABLE_ENTITY if "refused" in context else HTTPStatus.OK
    return render(request, "play/odds/index.html", context, status=status)


def about(request: HttpRequest, house: Establishment) -> dict[str, Any]:
    show_times_of(house)
    return {
        "house": house,
        "houses": Establishment.objects.filter(pk__in=permissions.houses(request.user)),
        "gaming_day": current(house, timezone.now()),
        "section": "odds",
        "opens_admin": permissions.may(request.user, "audit", house.pk),
    }


# The form for a query about the odds of a game, and the query that a filled-in form stands for.


def raw_texts(fields: Sequence[Field], sent: QueryDict) -> dict[str, list[str]]:
    """
    The query that a sent form stands for.

    Empty inputs are left out. Each die of a throw has an input; several throws share one input.
    Amounts become coins.
    """
    query = {name: sent.getlist(name) for name in sent}
    for field in fields:
        if isinstance(field.kind, Faces) and field.name in query:
            query[field.name] = _throws(field, query[field.name])
        elif field.money and any(query.get(field.name, ())):
            query[field.name] = [str(amounts.read(text)) for text in query[field.name]]
    return {name: kept for name, texts in query.items() if (kept := [t for t in texts if t])}


def _throws(field: Field, texts: list[str]) -> list[str]:
    if field.several:
        return [throw for text in texts for throw in text.replace("-", ",").split()]
    return [",".join(text for text in texts if text)]


def form_context(game: str, fields: Sequence[Field], query: Raw, usual: Raw) -> dict[str, Any]:
    """
    The context of the form: questions, house options that matter, and minor fields.

    Options are called as in the form that opens the game. `unmoved`: those that change no odds,
    each with why. `open`: an option or a minor field does not have its default, so they are shown
    unfolded.

    :param usual: the default query of the house.
    """
    called = {option.name: option for option in games()[game].opening_form().options}
    inputs = [
        (field, _input(field, query, called.get(field.name)))
        for field in fields
        if not field.unmoved
    ]
    return {
        "unmoved": [
            (_name_field(field, called.get(field.name)), translate_sentence(field.unmoved))
            for field in fields
            if field.unmoved
        ],
        "questions": [each for field, each in inputs if not (field.is_option or field.minor)],
        "options": [each for field, each in inputs if field.is_option],
        "minor": [each for field, each in inputs if field.minor],
        "open": any(
            list(query[field.name]) not in (_default(field), usual.get(field.name))
            for field, _ in inputs
            if (field.is_option or field.minor) and field.name in query
        ),
    }


def refusal(game: str, fields: Sequence[Field], sentence: str) -> str:
    """A refusal in the reader's language, with fields and options as the form calls them."""
    said = house_rules.refusal_in_words(game, sentence, ODDS)
    called = {option.name: option for option in games()[game].opening_form().options}
    for field in fields:
        if found := re.match(rf"(?:options\.)?{field.name}\b", said):
            return f"{_name_field(field, called.get(field.name))}{said[found.end() :]}"
    return said


def _name_field(field: Field, option: Option | None) -> str:
    if option is not None:
        return str(option.label)
    return translate_word(field.name).capitalize()


def _input(field: Field, query: Raw, option: Option | None) -> dict[str, Any]:
    texts = list(query.get(field.name, ())) or _default(field)
    if field.money:
        texts = [amounts.as_typed(int(each)) if each.isdecimal() else each for each in texts]
    return {
        "name": field.name,
        "label": _name_field(field, option),
        "description": translate_sentence(field.description),
        "value": " ".join(texts),
        **_widget(field, texts, option),
    }


def _default(field: Field) -> list[str]:
    if field.default is None:
        return []
    return [as_text(each) for each in (field.default if field.several else [field.default])]


def _widget(field: Field, texts: list[str], option: Option | None) -> dict[str, Any]:
    match field.kind:
        case Faces(sides=sides) if not field.several:
            faces = (texts[0].split(",") if texts else []) + [""] * len(sides)
            dice = [
                {
                    "sides": each,
                    "face": int(face) if face in map(str, range(1, each + 1)) else None,
                    "choices": _choices(range(1, each + 1), face),
                }
                for each, face in zip(sides, faces, strict=False)
            ]
            return {"widget": "dice", "dice": dice}
        case _ if field.money:
            return {"widget": "money"}
        case Whole(numbers=numbers):
            return {"widget": "number", "least": numbers[0], "most": numbers[-1]}
        case _ if words := _words(field.kind):
            return {"widget": "choice", "choices": _choices(words, " ".join(texts), option)}
        case _:
            return {"widget": "text", "example": field.kind.metavar}


def _words(kind: QueryKind) -> Iterable[Any]:
    match kind:
        case Choice(words=words):
            return words
        case Flag():
            return (True, False)
        case OptionValue(values=values, numbers=None):
            return values
        case _:
            return ()


def _choices(
    values: Iterable[Any], chosen: str, option: Option | None = None
) -> list[dict[str, Any]]:
    labels = {choice.written: str(choice.label) for choice in option.choices} if option else {}
    return [
        {"value": text, "label": labels.get(text) or _label(value), "chosen": text == chosen}
        for value in values
        if (text := as_text(value))
    ]


def _label(value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return translate_word(as_text(value))
