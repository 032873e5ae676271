"""Strict reading of a request: fields of the body, parameters of the query, the device."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import UUID

from games import kinds, vocabulary
from games.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from rest_framework.request import Request

    from casino.house.attendants.models import Attendant

DEVICE_HEADER: Final = "Home-Throw-Device"
DEVICE: Final = r"[ -~]{1,100}"
DEVICE_DEFAULT: Final = "api"
NUMBER_MAX: Final = 2**53 - 1
A_DATE: Final = "a date, as 2026-11-21"
DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
PLAYER: Final = {"type": "string", "minLength": 1, "maxLength": kinds.NAME_MAX}

COMMANDS_MAX: Final = 500  # in one request


def person(request: Request) -> Attendant:
    """The person who sent the request. Only for views that require authentication."""
    return cast("Attendant", request.user)


def device(request: Request) -> str:
    """
    The name of the device that sent the request, from its header.

    :raises Malformed: if it cannot be a device's name.
    """
    named = request.headers.get(DEVICE_HEADER, DEVICE_DEFAULT)
    if re.fullmatch(DEVICE, named) is None:
        raise Malformed(
            f"{DEVICE_HEADER} holds 1 to 100 printable ASCII characters.", field=DEVICE_HEADER
        )
    return named


def fields(request: Request) -> Mapping[str, Any]:
    """
    The fields of the body.

    :raises Malformed: if the body is not a JSON object.
    """
    if not isinstance(request.data, dict):
        raise Malformed("The body is a JSON object.")
    return request.data


def reference(body: Mapping[str, Any], name: str) -> UUID | None:
    """
    The id in a field, None if the field is absent.

    :raises Malformed: if the field holds anything but a UUID.
    """
    if name not in body:
        return None
    given = body[name]
    if not isinstance(given, str) or kinds.UUID.fullmatch(given) is None:
        raise Malformed(f"{name} is no UUID.", field=name)
    return UUID(given)


def commands(body: list[Any]) -> list[Any]:
    """
    The commands of a list, after each was checked for the shape of a command.

    :raises Malformed: if the list is empty or too long; or naming the place, such as ``[3].dice``.
    """
    if not 1 <= len(body) <= COMMANDS_MAX:
        raise Malformed(f"A list holds 1 to {COMMANDS_MAX} commands, not {len(body)}.")
    for place, raw in enumerate(body):
        try:
            vocabulary.shape(raw)
        except Malformed as malformed:
            where = f"[{place}].{malformed.field}" if malformed.field else f"[{place}]"
            raise Malformed(f"[{place}]: {malformed}", field=where) from None
    return body


def number(request: Request, name: str, *, default: int, least: int, most: int = NUMBER_MAX) -> int:
    """
    A whole number in the query string.

    :raises Malformed: if it is not a whole number from `least` to `most`.
    """
    return whole(request.query_params, name, default=default, least=least, most=most)


def whole(given: Mapping[str, str], name: str, *, default: int, least: int, most: int) -> int:
    """Like `number`, for parameters of an address that have been parsed."""
    text = given.get(name)
    if text is None:
        return default
    if re.fullmatch(r"-?[0-9]{1,16}", text) is None or not least <= int(text) <= most:
        raise Malformed(f"{name} is a whole number from {least} to {most}.", field=name)
    return int(text)


def day(request: Request, name: str = "day") -> date | None:
    """
    A gaming day in the query string, None if absent.

    :raises Malformed: if it is not a date.
    """
    given = request.query_params.get(name)
    found = None if given is None else day_in(given)
    if given is not None and found is None:
        raise Malformed(f"{name} is {A_DATE}.", field=name)
    return found


def identity(request: Request, name: str) -> UUID | None:
    """
    An id in the query string, None if absent.

    :raises Malformed: if it is not a UUID.
    """
    return reference(request.query_params.dict(), name)


def choice(request: Request, name: str, among: Collection[str]) -> str | None:
    """
    One of several words in the query string, None if absent.

    :raises Malformed: if it is another word, naming the possible ones.
    """
    given = request.query_params.get(name)
    if given is not None and given not in among:
        raise Malformed(f"{name} is one of {', '.join(among)}.", field=name)
    return given


def player(request: Request) -> str | None:
    """
    A player's name in the query string, None if absent.

    :raises Malformed: if it cannot be a name.
    """
    given = request.query_params.get("player")
    if given is not None and not 1 <= len(given) <= kinds.NAME_MAX:
        raise Malformed(f"player is a name of 1 to {kinds.NAME_MAX} characters.", field="player")
    return given


def day_in(given: str) -> date | None:
    """The day in a text such as 2026-11-20; None if it is not a day in this spelling."""
    try:
        return date.fromisoformat(given) if DATE.fullmatch(given) else None
    except ValueError:
        return None


def moment_in(given: str) -> datetime | None:
    """The moment in a text in ISO 8601 with an offset, in UTC; None if it is not one."""
    try:
        at = datetime.fromisoformat(given)
        return at.astimezone(UTC) if at.tzinfo else None
    except (ValueError, OverflowError):
        return None
