"""What a request says, read strictly: its fields, its numbers, the device it came from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import UUID

from casino.play.operations import LIST_MAX
from games import kinds, vocabulary
from games.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rest_framework.request import Request

    from casino.attendants.models import Attendant

DEVICE_HEADER: Final = "Home-Throw-Device"
DEVICE: Final = r"[ -~]{1,100}"
DEVICE_DEFAULT: Final = "api"
NUMBER_MAX: Final = 2**53 - 1


def person(request: Request) -> Attendant:
    """Who asks. Only behind permissions that let nobody in without a name."""
    return cast("Attendant", request.user)


def device(request: Request) -> str:
    """:raises Malformed: if the header holds what cannot be a device's name."""
    named = request.headers.get(DEVICE_HEADER, DEVICE_DEFAULT)
    if re.fullmatch(DEVICE, named) is None:
        raise Malformed(
            f"{DEVICE_HEADER} holds 1 to 100 printable ASCII characters.", field=DEVICE_HEADER
        )
    return named


def fields(request: Request) -> Mapping[str, Any]:
    """:raises Malformed: if the body is no JSON object."""
    if not isinstance(request.data, dict):
        raise Malformed("The body is a JSON object.")
    return request.data


def reference(body: Mapping[str, Any], name: str) -> UUID | None:
    """
    The id that a field holds, None where the field is absent.

    :raises Malformed: if it holds anything but a UUID.
    """
    if name not in body:
        return None
    given = body[name]
    if not isinstance(given, str) or kinds.UUID.fullmatch(given) is None:
        raise Malformed(f"{name} is no UUID.", field=name)
    return UUID(given)


def commands(body: list[Any]) -> list[Any]:
    """
    The commands of a list, each with the shape of one.

    :raises Malformed: if the list is empty or too long; or naming the place, as ``[3].dice``.
    """
    if not 1 <= len(body) <= LIST_MAX:
        raise Malformed(f"A list holds 1 to {LIST_MAX} commands, not {len(body)}.")
    for place, raw in enumerate(body):
        try:
            vocabulary.shape(raw)
        except Malformed as malformed:
            where = f"[{place}].{malformed.field}" if malformed.field else f"[{place}]"
            raise Malformed(f"[{place}]: {malformed}", field=where) from None
    return body


def number(request: Request, name: str, *, default: int, least: int, most: int = NUMBER_MAX) -> int:
    """
    A whole number of the query string.

    :raises Malformed: if it is none, or lies outside.
    """
    given = request.query_params.get(name)
    if given is None:
        return default
    if re.fullmatch(r"-?[0-9]{1,16}", given) is None or not least <= int(given) <= most:
        raise Malformed(f"{name} is a whole number from {least} to {most}.", field=name)
    return int(given)
