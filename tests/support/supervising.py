"""A supervisor who answers on the attendant's device."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from casino.house.attendants import pins, signins
from ledger import journal
from tests.support import builders, playing
from tests.support.playing import game_of

if TYPE_CHECKING:
    import uuid
    from collections.abc import Mapping

    from django.test import Client

    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

PIN, PASSWORD = "4711", builders.PASSWORD
NOWHERE = signins.Where()
SHEET = {"HX-Request": "true"}


def with_pins_and_passwords() -> House:
    made = builders.house()
    for who in (made.attendant, made.supervisor, made.manager):
        pins.set_pin(person=who, pin=PIN, place=NOWHERE, now=timezone.now())
        who.set_password(PASSWORD)
        who.save()
    return made


def address(game: uuid.UUID, part: str = "supervisor") -> str:
    return f"/floor/games/{game}/{part}/"


def waiting(house: House, game: uuid.UUID) -> list[int]:
    return [each.request for each in game_of(house, game).state.requests]


def answers(
    device: Client, house: House, game: uuid.UUID, do: str = "approve", **fields: Any
) -> Any:
    """The request that waits is answered, as the sheet sends it."""
    loaded = game_of(house, game)
    sent = {
        "do": do,
        "request": waiting(house, game)[0],
        "version": loaded.version,
        "command_id": playing.new_id(),
        **({"reason": "as thrown"} if do == "reject" else {}),
        **fields,
    }
    return device.post(address(game), sent)


def by_pin(who: Attendant, pin: str = PIN, **more: Any) -> dict[str, Any]:
    return {"person": str(who.pk), "pin": pin, **more}


def by_name(who: Attendant, password: str = PASSWORD, **more: Any) -> dict[str, Any]:
    return {"username": who.username, "password": password, **more}


def last(house: House, game: uuid.UUID) -> tuple[str, str, Mapping[str, Any]]:
    """Type, actor and data of a game's last event."""
    event = journal.last(establishment=house.id, stream=f"game/{game}")
    assert event is not None
    return event.event_type, event.provenance.actor, event.data


def session_of(device: Client) -> dict[str, Any]:
    return dict(device.session.items())


def refuses(answer: Any, words: str) -> None:
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY, answer.content
    assert words in answer.content.decode()
