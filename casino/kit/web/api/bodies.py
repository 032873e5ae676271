"""Reads bodies of acts strictly by the same descriptions that the API's description shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from casino.house.acts.custody import PIECES_MOST
from casino.kit.web.api import params
from games import kinds
from games.payments import COINS_MAX
from games.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rest_framework.request import Request

Schema = dict[str, Any]

REASON_MAX: Final = 500
COMMAND_ID: Final[Schema] = {"type": "string", "format": "uuid"}
REASON: Final[Schema] = {"type": "string", "maxLength": REASON_MAX}
COINS: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": COINS_MAX}
ID: Final[Schema] = {"type": "string", "format": "uuid"}
FLAG: Final[Schema] = {"type": "boolean"}
DAY: Final[Schema] = {"type": "string", "format": "date"}
NOT_BLANK: Final = r"\S"
NAME: Final[Schema] = {"type": "string", "minLength": 1, "maxLength": 80, "pattern": NOT_BLANK}
SHEET: Final[Schema] = {
    "type": "object",
    "description": "Value of a piece to number of pieces, by the house's denominations.",
    "additionalProperties": {"type": "integer", "minimum": 0, "maximum": PIECES_MOST},
}


def describe_body(required: Mapping[str, Schema], **optional: Schema) -> dict[str, Any]:
    """The description of a body with a `command_id` and these fields, and no others."""
    fields = {"command_id": COMMAND_ID, **required}
    return {
        "application/json": {
            "type": "object",
            "additionalProperties": False,
            "required": list(fields),
            "properties": {**fields, **optional},
        }
    }


NOTHING: Final = describe_body({})
WITH_REASON: Final = describe_body({"reason": REASON})


def one_of(subject: str, *kinds_of_body: Mapping[str, Any]) -> dict[str, Any]:
    """
    A body that is one of several; the field `do`, with one value for each, says which.

    :param subject: what it is about, in the names that clients have for its variants.
    """
    each = [kind["application/json"] for kind in kinds_of_body]
    named = [{"title": subject + do_of(body).title().replace("_", ""), **body} for body in each]
    return {"application/json": {"oneOf": named}}


def do_of(body: Schema) -> str:
    """The value of the field `do` in this variant."""
    [do] = body["properties"]["do"]["enum"]
    return str(do)


def read(request: Request, description: Mapping[str, Any]) -> dict[str, Any]:
    """
    The fields of a body, each checked by its description; an absent optional field is None.

    :raises Malformed: naming the field that is not valid, and what it has to be.
    """
    body = params.fields(request)
    schema = _chosen(body, description["application/json"])
    for name in body:
        if name not in schema["properties"]:
            raise Malformed(f"{name}: there is no such field.", field=name)
    for name in schema.get("required", ()):
        if name not in body:
            raise Malformed(f"{name} is missing.", field=name)
    return {
        name: _value(name, body[name], kind) if name in body else None
        for name, kind in schema["properties"].items()
    }


def has_to_be(kind: Schema) -> str:  # noqa: PLR0911 - one return for each kind
    """What a value of this kind has to be, in words that complete "`name` is …"."""
    match kind:
        case {"enum": words}:
            return f"one of {', '.join(words)}"
        case {"type": "boolean"}:
            return "true or false"
        case {"type": "integer"}:
            return f"a whole number from {kind['minimum']} to {kind['maximum']}"
        case {"type": "object", "additionalProperties": each}:
            return f"an object, each of its values {has_to_be(each)}"
        case {"type": "object"}:
            return "an object"
        case {"format": "uuid"}:
            return "a UUID"
        case {"format": "date"}:
            return params.A_DATE
        case _:
            return _kind_of_text(kind)


def _kind_of_text(kind: Schema) -> str:
    least, pattern = kind.get("minLength", 0), kind.get("pattern", "")
    length = f"{least} to {kind['maxLength']}" if least else f"at most {kind['maxLength']}"
    like = {"": "", NOT_BLANK: ", not all of them spaces"}.get(pattern, f" that match {pattern}")
    return f"a text of {length} characters{like}"


def _chosen(body: Mapping[str, Any], schema: Schema) -> Schema:
    """The description of the body that the field `do` names, if there are several."""
    if "oneOf" not in schema:
        return schema
    found: dict[str, Schema] = {do_of(each): each for each in schema["oneOf"]}
    do = body.get("do")
    if not isinstance(do, str) or do not in found:
        raise Malformed(f"do is one of {', '.join(found)}.", field="do")
    return found[do]


def _value(name: str, given: Any, kind: Schema) -> Any:
    """
    The value of a field.

    :raises Malformed: if the value is not of this kind.
    """
    if (value := _of(given, kind)) is None:
        raise Malformed(f"{name} is {has_to_be(kind)}.", field=name)
    return value


def _of(given: Any, kind: Schema) -> Any:
    """The value that was given; None if it is not of this kind."""
    match kind["type"], given:
        case "boolean", bool():
            return given
        case "integer", _:
            return _whole(given, kind)
        case "object", dict():
            return _each(given, kind) if "additionalProperties" in kind else given
        case "string", str():
            return _text(given, kind)
        case _:
            return None


def _whole(given: Any, bounds: Schema) -> int | None:
    """A whole number within bounds, else None. JSON may write 5 as 5.0."""
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    within = type(given) is int and bounds["minimum"] <= given <= bounds["maximum"]
    return given if within else None


def _each(given: Mapping[str, Any], kind: Schema) -> dict[str, Any] | None:
    """Values of one kind by name; None if one of them is not of this kind."""
    read = {name: _of(each, kind["additionalProperties"]) for name, each in given.items()}
    return None if None in read.values() else read


def _text(given: str, kind: Schema) -> Any:
    """The value that a text stands for; None if it is not of this kind."""
    if kind.get("format") == "uuid":
        return UUID(given) if kinds.UUID.fullmatch(given) else None
    if kind.get("format") == "date":
        return params.day_in(given)
    if "enum" in kind:
        return given if given in kind["enum"] else None
    sound = kind.get("minLength", 0) <= len(given.strip()) and len(given) <= kind["maxLength"]
    like = re.search(kind.get("pattern", ""), given, re.ASCII)
    return given if sound and like else None
