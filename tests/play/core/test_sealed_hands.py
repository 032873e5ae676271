"""A sealed hand is nobody's to read before its reveal (RV2): not in a page, the API or a record."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from casino.house.attendants.models import Role
from games.river.commitments import commitment
from ledger.models import CommandReceipt, Event
from tests.engine.test_logs import Lines, lines
from tests.support import builders
from tests.support.builders import GAMES, command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House

__all__ = ["lines"]  # a fixture

pytestmark = pytest.mark.django_db

HOLE = {"d4": 3, "d6": 5, "d8": 7, "d10": 9, "d12": 11}
SALT = "c0ffee0123456789" * 2
SEALED = commitment(SALT, tuple(HOLE.values()))
OFFERED = {"d4": 1, "d6": 1, "d8": 1, "d10": 1, "d12": 1}
FACES = tuple(HOLE.values())

# The hand as anything of ours, or of Python's, might write it down.
WRITTEN = [
    SALT,
    *(between.join(map(str, FACES)) for between in (",", ", ", "-", " ", "")),
    *(f'"{size}"{colon}{face}' for size, face in HOLE.items() for colon in (":", ": ")),
    *(f"'{size}': {face}" for size, face in HOLE.items()),
    *(f"{size}={face}" for size, face in HOLE.items()),
]
MISTAKEN: list[dict[str, Any]] = [
    {"dice": {**HOLE, "d4": 5}},
    {"dice": {size: face for size, face in HOLE.items() if size != "d12"}},
    {"dice": {**HOLE, "d12": 12}, "salt": SALT},
    {"dice": HOLE},
    {"dice": HOLE, "salt": SALT[:30]},
    {"dice": HOLE, "salt": SALT[::-1]},
]


@pytest.fixture
def house() -> House:
    made = builders.house(name="The Heron", dice_sets=0)
    builders.dice_set(made.establishment, sides=None, count=5)
    return made


@pytest.fixture
def game(house: House) -> str:
    """Ada has sealed with a commitment; it is Bruno's turn to seal."""
    game = builders.opened(house, game="river", players=["Ada", "Bruno"], stake=30, price=5)
    builders.put(
        house, game, command("start_round"), command("seal", player="Ada", commitment=SEALED)
    )
    return game


def asked(house: House, game: str, **told: Any) -> Any:
    return house.client().post(f"{GAMES}{game}/commands/", command("reveal", **told))


def goes_on_to(house: House, game: str, phase: str) -> None:
    steps = [command("seal", player="Bruno"), command("offer", dice=OFFERED)]
    steps += [command("withdraw", die=size) for size in HOLE]
    builders.put(house, game, *steps[: {"offering": 1, "bidding": 2, "revealing": 7}[phase]])


def everything_kept() -> Iterator[str]:
    """Every value of every row of every table, as text."""
    for model in apps.get_models():
        for row in model._default_manager.values_list():
            for value in row:
                plain = bytes(value) if isinstance(value, memoryview) else value
                yield plain.decode(errors="replace") if isinstance(plain, bytes) else str(plain)


def tells_nothing(text: str) -> None:
    assert [written for written in WRITTEN if written in text] == []


def refused_without_a_face(answer: Any) -> None:
    assert answer.status_code in {400, 422}, answer.content
    tells_nothing(answer.text)
    body = answer.json()["detail"]
    assert not re.search(r"(?<![\w.])(3|5|7|9|11)(?!\w)", body), body


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("phase", ["sealing", "offering", "bidding"])
def test_a_reveal_that_comes_too_early_leaves_nothing(
    house: House, game: str, phase: str, lines: Lines
) -> None:
    if phase != "sealing":
        goes_on_to(house, game, phase)

    right: dict[str, Any] = {"dice": HOLE, "salt": SALT}
    for reveal in (right, *MISTAKEN):
        refused_without_a_face(asked(house, game, player="Ada", **reveal))
        refused_without_a_face(asked(house, game, player="Bruno", **reveal))
        refused_without_a_face(asked(house, game, player="Zoe", **reveal))

    tells_nothing("\n".join(everything_kept()))
    tells_nothing(lines.getvalue())


def test_a_reveal_that_is_mistaken_leaves_nothing(house: House, game: str, lines: Lines) -> None:
    goes_on_to(house, game, "revealing")

    for reveal in MISTAKEN:
        refused_without_a_face(asked(house, game, player="Ada", **reveal))

    tells_nothing("\n".join(everything_kept()))
    tells_nothing(lines.getvalue())


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(
    "body",
    [
        {"do": "reveal", "player": "Ada", "dice": {**HOLE, "d4": "three"}, "salt": SALT},
        {"do": "reveal", "player": "Ada", "dice": list(FACES), "salt": SALT},
        {"do": "reveal", "player": "Ada", "dice": HOLE, "salt": SALT, "note": "quick"},
        {"do": "seal", "player": "Ada", "dice": HOLE},
        {"do": "throw", "player": "Ada", "dice": list(FACES)},
        {"do": "no_throw", "player": "Ada", "reason": "cocked", "dice": list(FACES)},
        {"do": "keep", "player": "Ada", "dice": list(FACES)},
    ],
)
def test_a_hand_in_the_wrong_words_leaves_nothing(
    house: House, game: str, body: dict[str, Any], lines: Lines
) -> None:
    goes_on_to(house, game, "revealing")
    fields = {name: value for name, value in body.items() if name != "do"}

    answer = house.client().post(f"{GAMES}{game}/commands/", command(body["do"], **fields))

    refused_without_a_face(answer)
    tells_nothing("\n".join(everything_kept()))
    tells_nothing(lines.getvalue())


def test_the_receipt_of_a_refused_reveal_is_a_hash_that_nobody_can_try(
    house: House, game: str
) -> None:
    """23 040 hands are soon hashed: the house's secret is part of it."""
    raw = command("reveal", player="Ada", dice=HOLE, salt=SALT)
    house.client().post(f"{GAMES}{game}/commands/", raw)

    receipt = CommandReceipt.objects.get(command_id=raw["command_id"])

    kept = bytes(receipt.request_hash)
    guesses = [json.dumps(guess, sort_keys=True) for guess in (raw, [game, raw])]
    assert kept not in {sha256(guess.encode()).digest() for guess in guesses}
    assert receipt.first_position is None


@pytest.mark.long("postgresql")
def test_what_people_look_at_shows_a_seal_and_no_dice(house: House, game: str) -> None:
    asked(house, game, player="Ada", dice=HOLE, salt=SALT)
    goes_on_to(house, game, "revealing")
    asked(house, game, player="Ada", dice={**HOLE, "d4": 4}, salt=SALT)

    for role in Role:
        for path in ("", "events/", "explain/1/"):
            tells_nothing(house.client(role).get(f"{GAMES}{game}/{path}").text)
        tells_nothing(house.client(role).get(house.url("ledger/?limit=500")).text)
        for page in pages(game):
            tells_nothing(browser(house, role).get(page, follow=True).text)


def pages(game: str) -> list[str]:
    own = [reverse(name, args=[game]) for name in ("floor-game", "floor-board", "floor-log")]
    events = Event.objects.filter(stream=f"game/{game}").values_list("pk", flat=True)
    return [
        *own,
        reverse("start"),
        reverse("admin:ledger_event_changelist"),
        *(reverse("admin:ledger_event_change", args=[event]) for event in events),
    ]


def browser(house: House, role: Role) -> Client:
    client = Client()
    client.force_login(house.people[role])
    return client


def test_after_the_reveal_it_is_there_for_everybody(house: House, game: str) -> None:
    """The tests above look for the right thing."""
    goes_on_to(house, game, "revealing")

    answer = asked(house, game, player="Ada", dice=HOLE, salt=SALT)

    assert answer.status_code == 200, answer.content
    kept = "\n".join(everything_kept())
    assert SALT in kept
    assert any(written in kept for written in WRITTEN[1:])
