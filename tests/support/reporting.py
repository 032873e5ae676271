"""Reports asked for in tests, as the API writes them."""

from __future__ import annotations

import json
from datetime import time
from random import Random
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.attendants.models import Role
from casino.kit.documents.writers import FORMATS
from casino.play.core.subscriptions.tasks import advance
from casino.reports.registers import catalogue, preparing
from tests.support import builders
from tests.support.builders import settled
from tests.support.cashier import fee_taken
from tests.support.dayend import TODAY, closed
from tests.support.playing import NOW, game_of, opened, round_played
from tests.support.random_player import RandomPlayer
from tests.support.staff import Staff

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from ledger.wire import StoredEvent
    from tests.support.builders import House

WIDE: dict[str, Any] = {"from": "2026-11-01", "to": "2026-11-30"}


def body(answer: Any) -> bytes:
    """Of an answer, whether it is sent as it is written or whole."""
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def got(house: House, name: str, role: Role = Role.AUDITOR, **given: Any) -> dict[str, Any]:
    """A report through the API, as JSON."""
    answer = house.client(role).get(house.url(f"reports/{name}/"), given)
    content = body(answer)
    assert answer.status_code == 200, content
    found: dict[str, Any] = json.loads(content)
    return found


def written(house: House, name: str, form: str = "json", **given: str) -> bytes:
    """The bytes of one, of a time that does not count."""
    made = preparing.ready(
        house.establishment, catalogue.report(name), given, asked_by="Ines", now=timezone.now()
    )
    with preparing.file(made, FORMATS[form]).content as file:
        return file.read()


def figures(report: dict[str, Any]) -> dict[str, Any]:
    return {each["name"]: each["value"] for each in report["figures"]}


def disagreeing(report: dict[str, Any]) -> list[str]:
    """The figures that are not what the ledger says."""
    return [each["name"] for each in report["figures"] if each["agrees"] is False]


def table(report: dict[str, Any], name: str) -> list[dict[str, Any]]:
    [found] = [each for each in report["tables"] if each["name"] == name]
    rows: list[dict[str, Any]] = found["rows"]
    return rows


def days_by_chance(seed: int, stretches: int, steps: int = 25) -> Iterator[House]:
    """A house in play; again and again, with everything booked."""
    chance = Random(seed)  # noqa: S311 - of a test
    house = builders.house(tables=3, dice_sets=0, counts_floats=True)
    builders.dice_for_every_game(house.establishment, sets=3)
    croupier = RandomPlayer(house, chance)
    croupier.now = timezone.now()
    staff = Staff(house, chance, croupier)
    staff.opens_the_house()
    for _ in range(stretches):
        for _step in range(steps):
            if chance.random() < 1 / 4:
                staff.does_something()
            croupier.does_something()
        settled(house)
        yield house


DAY = f"{TODAY}"


def with_a_fee_and_a_payout() -> House:
    """A fee was taken at the first table; at the second Bo won a game."""
    made = builders.house(day_cutoff=time(6))
    fee_taken(made)
    won(made)
    return made


def won(at: House, now: datetime = NOW) -> None:
    """A game that Ada has lost, and with it all that Bo was paid."""
    game = opened(at, table=at.tables[1], now=now)
    while not game_of(at, game).closed:
        round_played(at, game, now=now)
    caught_up(at)


def frozen(at: House, *given: Any, **more: Any) -> StoredEvent:
    """A day closed, and read."""
    event = closed(at, *given, **more)
    caught_up(at)
    return event


def caught_up(at: House) -> None:
    settled(at)
    advance(HOUSE, at.id)
