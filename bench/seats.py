"""Tables where people play over HTTP, each through its own tablet, and their waiting times."""

from __future__ import annotations

import http.client
import json
import threading
import time
import uuid
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Final

from casino.demo.acts import OPENINGS, Somebody, any_opening

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

GUESTS: Final = ("Ada", "Bo", "Cyd", "Dara", "Elio", "Fenn")
SELDOM: Final = {  # how often people do what they may; all else at every chance
    **dict.fromkeys(("close", "leave", "join", "buy_in", "no_throw", "pause", "void"), 1 / 50),
    **dict.fromkeys(("dispute", "resolve", "witness", "handover", "change_dice", "cash_out"), 0),
}
OPENED: Final = 201
STACK: Final = 512 * 1024  # bytes of each player's thread


@dataclass
class Waits:
    """Seconds that commands and requests for the state took, as the client saw them."""

    commands: list[float] = field(default_factory=list)
    reads: list[float] = field(default_factory=list)
    refused: int = 0
    throttled: int = 0
    failed: int = 0


class Tablet:
    """A connection to the house that is kept open."""

    def __init__(self, port: int, token: str, name: str) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {
            "Authorization": f"Token {token}",
            "Content-Type": "application/json",
            "Home-Throw-Device": name,
        }

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        raw = None if body is None else json.dumps(body)
        for again in (False, True):
            try:
                self._line.request(method, f"/api/v1/{path}", raw, self._headers)
                answer = self._line.getresponse()
                return answer.status, json.loads(answer.read() or b"null")
            except (http.client.HTTPException, OSError):
                self._line.close()  # the process was replaced; the command keeps its id
                if again:
                    raise
        raise AssertionError("unreachable")  # pragma: no cover


def turned(kinds: list[str], number: int) -> list[str]:
    """The kinds in the same cyclic order, beginning elsewhere."""
    place = number % len(kinds)
    return kinds[place:] + kinds[:place]


class Seat:
    """A table where one game after another is played."""

    def __init__(self, tablet: Tablet, table: str, number: int) -> None:
        self._tablet, self._table, self.waits = tablet, table, Waits()
        self._chance = Random(number)  # noqa: S311 - the same play in every run
        self._kinds = turned([*OPENINGS], number)
        self._game: str | None = None
        self._state: dict[str, Any] = {}

    def goes_on(self) -> None:
        """Send one command and request the state after it, or open a new game."""
        if self._game is None or self._state["status"] != "open":
            self._opens()
            return
        somebody = Somebody(self._state, self._chance, GUESTS)
        rows = [
            row
            for row in self._state["offers"]
            if self._chance.random() < SELDOM.get(row["do"], 1) and somebody.may(row)
        ]
        if rows:
            self._puts(f"games/{self._game}/commands/", somebody.does(self._chance.choice(rows)))
        else:
            self._puts(f"games/{self._game}/commands/", {"do": "close"})
        self._read()

    def _opens(self) -> None:
        opening = any_opening(self._kinds[0], GUESTS, self._chance)
        self._kinds = [*self._kinds[1:], self._kinds[0]]
        if opening["game"] in {"stone-hand", "cinnabar-gate"}:
            opening |= {"home_throw": [1, 3, 8], "home_throw_policy": "fixed"}
        status, answer = self._puts("games/", {**opening, "table": self._table})
        if status == OPENED:
            self._game = answer["id"]
            self._read()

    def _puts(self, path: str, command: dict[str, Any]) -> tuple[int, Any]:
        began = time.perf_counter()
        status, answer = self._tablet.ask(
            "POST", path, {**command, "command_id": str(uuid.uuid4())}
        )
        self.waits.commands.append(time.perf_counter() - began)
        self.waits.refused += status == 422
        self.waits.throttled += status == 429
        self.waits.failed += status >= 500
        return status, answer

    def _read(self) -> None:
        began = time.perf_counter()
        _, self._state = self._tablet.ask("GET", f"games/{self._game}/")
        self.waits.reads.append(time.perf_counter() - began)


def seats_at(port: int, made: Sequence[Mapping[str, Any]], tables: int = 1) -> list[Seat]:
    """A seat at the first tables of each house. :param made: what bench.furnishing printed."""
    return [
        Seat(Tablet(port, each["token"], f"tablet-{number}-{place}"), table, number + place)
        for number, each in enumerate(made)
        for place, table in enumerate(each["tables"][:tables])
    ]


def all_play(pauses: Sequence[tuple[Seat, float]], seconds: float) -> None:
    """
    Let each play for that long, all at once.

    :param pauses: mean seconds that each thinks between two throws, exponential; 0: not at all.
    """
    ends = time.monotonic() + seconds

    def plays(number: int, seat: Seat, pause: float) -> None:
        chance = Random(number)  # noqa: S311 - pauses are no secret
        thinks = 0.0
        while True:
            if pause:
                thinks = chance.expovariate(1 / pause)
            if thinks >= ends - time.monotonic():
                return
            time.sleep(thinks)
            seat.goes_on()

    threading.stack_size(STACK)
    people = [
        threading.Thread(target=plays, args=(number, seat, pause))
        for number, (seat, pause) in enumerate(pauses)
    ]
    threading.stack_size(0)
    for each in people:
        each.start()
    for each in people:
        each.join()
