"""The form for a query about the odds of a game, and the query that a filled-in form stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casino.presenters.odds.params import Choice, Faces, Flag, OptionValue, Whole, as_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.http import QueryDict

    from casino.presenters.odds.params import Field, Kind, Raw


def raw(fields: Sequence[Field], sent: QueryDict) -> dict[str, list[str]]:
    """
    The query that a sent form stands for.

    Empty inputs are left out. Each die of a throw has an input; several throws share one input.
    """
    query = {name: sent.getlist(name) for name in sent}
    for field in fields:
        if isinstance(field.kind, Faces) and field.name in query:
            query[field.name] = _throws(field, query[field.name])
    return {name: kept for name, texts in query.items() if (kept := [t for t in texts if t])}


def _throws(field: Field, texts: list[str]) -> list[str]:
    if field.several:
        return [throw for text in texts for throw in text.replace("-", ",").split()]
    return [",".join(text for text in texts if text)]


def form_context(fields: Sequence[Field], query: Raw) -> dict[str, Any]:
    """
    The context of the form: questions, house options that matter, and minor fields.

    `open`: an option or a minor field does not have its default, so they are shown unfolded.
    """
    inputs = [(field, _input(field, query)) for field in fields if not field.unmoved]
    return {
        "questions": [each for field, each in inputs if not (field.is_option or field.minor)],
        "options": [each for field, each in inputs if field.is_option],
        "minor": [each for field, each in inputs if field.minor],
        "open": any(
            list(query[field.name]) != _default(field)
            for field, _ in inputs
            if (field.is_option or field.minor) and field.name in query
        ),
    }


def _input(field: Field, query: Raw) -> dict[str, Any]:
    texts = list(query.get(field.name, ())) or _default(field)
    return {
        "name": field.name,
        "label": field.name.replace("_", " ").capitalize(),
        "description": field.description,
        "value": " ".join(texts),
        **_widget(field, texts),
    }


def _default(field: Field) -> list[str]:
    if field.default is None:
        return []
    return [as_text(each) for each in (field.default if field.several else [field.default])]


def _widget(field: Field, texts: list[str]) -> dict[str, Any]:
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
        case Whole(numbers=numbers):
            return {"widget": "number", "least": numbers[0], "most": numbers[-1]}
        case _ if words := _words(field.kind):
            return {"widget": "choice", "choices": _choices(words, " ".join(texts))}
        case _:
            return {"widget": "text", "example": field.kind.metavar}


def _words(kind: Kind) -> Iterable[Any]:
    match kind:
        case Choice(words=words):
            return words
        case Flag():
            return (True, False)
        case OptionValue(values=values, numbers=None):
            return values
        case _:
            return ()


def _choices(values: Iterable[Any], chosen: str) -> list[dict[str, Any]]:
    return [
        {"value": text, "label": _label(value), "chosen": text == chosen}
        for value in values
        if (text := as_text(value))
    ]


def _label(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return as_text(value).replace("_", " ")
