"""Bodies of acts, read as strictly as they are described: one description serves both."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.utils import timezone

from casino.api import reading
from casino.establishments import acts
from games import kinds
from games.payments import COINS_MAX
from games.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rest_framework.request import Request

    from casino.establishments.models import Establishment

Schema = dict[str, Any]

REASON_MAX: Final = 500
COMMAND_ID: Final[Schema] = {"type": "string", "format": "uuid"}
REASON: Final[Schema] = {"type": "string", "maxLength": REASON_MAX}
COINS: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": COINS_MAX}
ID: Final[Schema] = {"type": "string", "format": "uuid"}
FLAG: Final[Schema] = {"type": "boolean"}
DAY: Final[Schema] = {"type": "string", "format": "date"}
DAY_TEXT: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
NAME: Final[Schema] = {"type": "string", "minLength": 1, "maxLength": 80, "pattern": r"\S"}


def described(required: Mapping[str, Schema], **optional: Schema) -> dict[str, Any]:
    """A body with a `command_id` and these fields, and no others, for the API's description."""
    fields = {"command_id": COMMAND_ID, **required}
    return {
        "application/json": {
            "type": "object",
            "additionalProperties": False,
            "required": list(fields),
            "properties": {**fields, **optional},
        }
    }


def read(request: Request, description: Mapping[str, Any]) -> dict[str, Any]:
    """
    The fields of a body, each what its description says; one that may be absent is None then.

    :raises Malformed: naming the field.
    """
    body, schema = reading.fields(request), description["application/json"]
    for name in body:
        if name not in schema["properties"]:
            raise Malformed(f"{name}: there is no such field.", field=name)
    for name in schema["required"]:
        if name not in body:
            raise Malformed(f"{name} is missing.", field=name)
    return {
        name: _value(name, body[name], kind) if name in body else None
        for name, kind in schema["properties"].items()
    }


def act(request: Request, house: Establishment, fields: Mapping[str, Any]) -> acts.Act:
    """What the person does with it now; the operation says what was asked."""
    return acts.Act(
        house=house,
        by=reading.person(request),
        device=reading.device(request),
        now=timezone.now(),
        command_id=fields["command_id"],
        asked={},
    )


def day(given: str) -> date | None:
    """The day that is written as 2026-11-20; None: it is no day, or written otherwise."""
    try:
        return date.fromisoformat(given) if DAY_TEXT.fullmatch(given) else None
    except ValueError:
        return None


def _value(name: str, given: Any, kind: Schema) -> Any:
    """:raises Malformed: if it is not of the kind."""
    if kind["type"] == "boolean":
        if isinstance(given, bool):
            return given
    elif kind["type"] == "integer":
        if (whole := _whole(given, kind)) is not None:
            return whole
    elif kind["type"] == "object" and "additionalProperties" not in kind:
        if isinstance(given, dict):
            return given
    elif kind["type"] == "object":
        if isinstance(given, dict) and (counted := _counted(given, kind)) is not None:
            return counted
    elif isinstance(given, str) and (value := _text(given, kind)) is not None:
        return value
    raise Malformed(f"{name} is not what it has to be.", field=name)


def _whole(given: Any, bounds: Schema) -> int | None:
    """A whole number within bounds; JSON writes 5 as 5.0, too."""
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    within = type(given) is int and bounds["minimum"] <= given <= bounds["maximum"]
    return given if within else None


def _counted(given: Mapping[str, Any], kind: Schema) -> dict[str, int] | None:
    """Whole numbers by name; None: one of them is none."""
    counted = {}
    for name, each in given.items():
        whole = _whole(each, kind["additionalProperties"])
        if whole is None:
            return None
        counted[name] = whole
    return counted


def _text(given: str, kind: Schema) -> Any:
    """The value that a text stands for; None: it is none of the kind."""
    if kind.get("format") == "uuid":
        return UUID(given) if kinds.UUID.fullmatch(given) else None
    if kind.get("format") == "date":
        return day(given)
    if "enum" in kind:
        return given if given in kind["enum"] else None
    sound = kind.get("minLength", 0) <= len(given.strip()) and len(given) <= kind["maxLength"]
    like = re.search(kind.get("pattern", ""), given, re.ASCII)
    return given if sound and like and "\0" not in given else None
