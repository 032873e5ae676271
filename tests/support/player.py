"""
A person who plays at a house, in a process of their own: ``python -m tests.support.player <JSON>``.

Says ``ready``, waits for a line, and answers with one line of JSON. ``{"house", "table", "seed"}``
does whatever the games at one table offer until standard input ends; ``{"house", "commands"}`` puts
those commands, the first of which opens the game.
"""

import json
import statistics
import sys
import threading
import time
from random import Random
from typing import Any

import django

django.setup()

from django.utils import timezone  # noqa: E402  once Django is up

from casino.house.attendants.models import Employment, Role  # noqa: E402
from casino.house.establishments.models import Establishment  # noqa: E402
from casino.play.core import operations  # noqa: E402
from tests.support.builders import House  # noqa: E402
from tests.support.playing import DEVICE  # noqa: E402
from tests.support.random_player import RandomPlayer  # noqa: E402


def known(house: str) -> House:
    establishment = Establishment.objects.get(pk=house)
    return House(
        establishment=establishment,
        tables=list(establishment.tables.all()),
        dice_sets=list(establishment.dice_sets.all()),
        people={
            Role(each.role): each.attendant
            for each in Employment.objects.filter(establishment=establishment)
        },
    )


def plays(house: House, table: int, seed: int, pause: float) -> dict[str, Any]:
    """Until standard input ends. What is raised is told, not hidden."""
    stopping = threading.Event()
    threading.Thread(target=_when_input_ends, args=(stopping,), daemon=True).start()
    at = House(house.establishment, [house.tables[table]], house.dice_sets, house.people)
    croupier = RandomPlayer(at, Random(seed))  # noqa: S311 - dice of a test
    seconds, failures, acknowledged = [], [], []
    while not stopping.wait(pause):
        began = time.monotonic()
        try:
            acknowledged.append(str(croupier.does_something().receipt.command_id))
        except Exception as failure:  # noqa: BLE001 - it is the test's to judge
            failures.append(repr(failure))
        seconds.append(time.monotonic() - began)
    return {
        "games": [str(game) for game in croupier.games],
        "commands": len(seconds),
        "usual": statistics.median(seconds),
        "slowest": max(seconds),
        "failures": failures,
        "acknowledged": acknowledged,
    }


def _when_input_ends(stopping: threading.Event) -> None:
    sys.stdin.read()
    stopping.set()


def puts(house: House, commands: list[dict[str, Any]]) -> list[list[Any]]:
    """Each command's answer: game, refusal, and where its events stand."""
    raw, *raws = commands
    who: dict[str, Any] = {"by": house.attendant, "now": timezone.now(), "device": DEVICE}
    opened = operations.open_game(table=house.table, raw=raw, **who)
    game = opened.key.game
    answers = [
        opened,
        *(
            operations.command(house=house.establishment, game=game, raw=each, **who)
            for each in raws
        ),
    ]
    return [
        [
            str(game),
            answer.refusal and answer.refusal.code,
            answer.receipt.first_position,
            answer.receipt.last_position,
            answer.receipt.repeated,
        ]
        for answer in answers
    ]


def main(asked: dict[str, Any]) -> None:
    house = known(asked["house"])
    print("ready", flush=True)  # noqa: T201 - the answer
    sys.stdin.readline()
    if "commands" in asked:
        answer: Any = puts(house, asked["commands"])
    else:
        answer = plays(house, asked["table"], asked["seed"], asked.get("pause", 0))
    print(json.dumps(answer))  # noqa: T201 - the answer


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
