"""Plays in the demo house: the written transcripts, then a game of each kind by its rules."""

from __future__ import annotations

import json
import random
import time
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from casino.demo import rules
from casino.demo.client import Client, Reply, Unanswered, new_id
from casino.demo.evening import Evening
from casino.demo.house import NAME, PASSWORD
from casino.engine.processes.paths import TRANSCRIPTS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

ATTENDANTS = ("mira", "tomas")
SUPERVISOR, MANAGER = "sela", "orso"
SECOND_PERSON = ("approve", "reject")
SETTLED_WITHIN = 20  # seconds
QUIET = 1.5  # seconds after which no more alarms about earlier throws come
ACTS = 30  # acts in each game that is played by the house's rules on the first evening
CHOSEN = "The written games of the demo: whoever wrote them chose the dice."


class House:
    """
    The demo house, with an API client for each member of staff.

    :param at: the names of the tables at which games may be opened; None: all.
    """

    def __init__(self, address: str, *, at: Collection[str] | None = None) -> None:
        self._at = at
        self.attendants = [Client(address, name, PASSWORD) for name in ATTENDANTS]
        # Transcripts contain requests and approvals: one person records, another approves.
        self.recorder = Client(address, SUPERVISOR, PASSWORD)
        self.approver = Client(address, MANAGER, PASSWORD)
        houses = self.attendants[0].get("establishments/")["results"]
        self.id = next(house["id"] for house in houses if house["name"] == NAME)
        self.rules = rules.in_force(self.approver, self.id)

    def publish(self) -> Iterator[str]:
        """Publish rules and fees; yields the games whose rules are published."""
        yield from rules.publish(self.approver, self.id)
        self.rules = rules.in_force(self.approver, self.id)

    def tables(self) -> list[dict[str, Any]]:
        """The tables at which games may be opened, each with the id of its game or None."""
        tables = self.attendants[0].get(f"establishments/{self.id}/tables/")["results"]
        return [each for each in tables if self._at is None or each["name"] in self._at]

    def free_table(self) -> str | None:
        return next((table["id"] for table in self.tables() if table["game"] is None), None)


def play_written_games(house: House) -> Iterator[tuple[str, str | None]]:
    """
    Play the written games: the first of each kind of game, then the second of each, and so on.

    :returns: the name of each game, and its id if it was opened.
    """
    kinds = [sorted(folder.glob("*.jsonl")) for folder in sorted(TRANSCRIPTS.iterdir())]
    for files in zip_longest(*kinds):
        for file in files:
            if file is not None:
                yield f"{file.parent.name}: {file.stem}", transcript(house, file)


def first_evening(house: House) -> Iterator[tuple[str, str | None]]:
    """
    Publish rules and fees if there are none yet, and play each game by them.

    :returns: as `play_written_games`.
    """
    if list(house.publish()):
        yield from by_the_rules(house)


def by_the_rules(house: House) -> Iterator[tuple[str, str | None]]:
    """
    Play each game by the house's rules, with fair dice: always the same ones.

    :returns: as `play_written_games`.
    """
    evening = Evening(house, random.Random(1), lambda _line: None)  # noqa: S311 - dice of a demo
    for game in sorted(house.rules):
        table = house.free_table()
        if table is not None and (session := evening.sit_down(game, table)) is not None:
            for _ in range(ACTS):
                if session in evening.sessions:
                    evening.step(session)
            leave(session.client, session.game)
            yield f"{game}: by the house's rules", session.game


def acknowledge(house: House) -> Iterator[str]:
    """
    Acknowledge the alarms that the transcripts cause, in the manager's name, with a reason.

    Workers read throws a moment later, so this waits until no more alarms come.

    :returns: the subject of each alarm.
    """
    path = f"establishments/{house.id}/surveillance/alarms/"
    for _ in range(SETTLED_WITHIN):
        time.sleep(QUIET)
        alarms = house.approver.get(f"{path}?state=open")["results"]
        if not alarms:
            return
        for alarm in alarms:
            body = {"command_id": new_id(), "reason": CHOSEN}
            house.approver.post(f"{path}{alarm['alarm']}/acknowledge/", body)
            yield f"{alarm['title']}, d{alarm['sides']}"


def transcript(house: House, file: Path) -> str | None:
    """
    Play a transcript at a free table. Lines that the transcript shows as refused are refused too.

    :returns: the game's id; None if its opening is refused.
    :raises Unanswered: if no table is free.
    """
    lines = _lines(file)
    number, opening = next((line for line in lines if line[1]["do"] == "open"), (0, None))
    if opening is None:
        return None
    table = house.free_table()
    if table is None:
        raise Unanswered(f"{file.stem} needs a free table, and there is none.")
    if opening["game"] in house.rules:  # the house's fee replaces the one in the transcript
        opening = {name: value for name, value in opening.items() if name != "fee"}
    opened = house.recorder.post("games/", {**opening, "table": table, "command_id": new_id()})
    if opened.refused:
        return None
    game = str(opened.body["id"])
    numbers = _note_number({}, number, opened)
    for line, command in lines:
        _note_number(numbers, line, _send_line(house, game, command, numbers))
    leave(house.recorder, game)
    return game


def leave(client: Client, game: str) -> None:
    """Close a game that is still open, and pay every player their stake."""
    if client.get(f"games/{game}/")["status"] == "open":
        client.post(f"games/{game}/commands/", {"do": "close", "command_id": new_id()})
    for player, stake in wait_until_settled(client, game)["stakes"].items():
        if stake:
            paid = {"do": "cash_out", "player": player, "amount": stake, "command_id": new_id()}
            client.post(f"games/{game}/commands/", paid)


def _lines(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if text.strip():
            yield number, json.loads(text)


def _send_line(house: House, game: str, command: dict[str, Any], numbers: dict[int, int]) -> Reply:
    """Send a line of a transcript; another person approves it if the line names an approver."""
    body = {name: value for name, value in command.items() if name != "approved_by"}
    for reference in ("back_to", "request"):
        if isinstance(body.get(reference), int):
            body[reference] = numbers.get(body[reference], 0)
    if command["do"] == "cash_out":
        wait_until_settled(house.recorder, game)
    path = f"games/{game}/commands/"
    person = house.approver if command["do"] in SECOND_PERSON else house.recorder
    reply = person.post(path, body | {"command_id": new_id()})
    if "approved_by" in command and not reply.refused:
        request = reply.body["events"][0]
        if request["type"] == "game.void_requested":
            approval = {"do": "approve", "request": request["number"], "command_id": new_id()}
            return house.approver.post(path, approval)
    return reply


def _note_number(numbers: dict[int, int], line: int, reply: Reply) -> dict[int, int]:
    """Note the number of a line's event: transcripts refer to lines, the API to events."""
    if not reply.refused and reply.body["events"]:
        numbers[line] = reply.body["events"][0]["number"]
    return numbers


def wait_until_settled(client: Client, game: str) -> dict[str, Any]:
    """
    Wait until everything of a game is booked; returns the game's state.

    :raises Unanswered: if settlement takes more than `SETTLED_WITHIN` seconds.
    """
    until = time.monotonic() + SETTLED_WITHIN
    while time.monotonic() < until:
        state: dict[str, Any] = client.get(f"games/{game}/")
        if state["settled_through"] >= state["position"]:
            return state
        time.sleep(0.1)  # poll, as a page does
    raise Unanswered(f"Game {game} is not settled after {SETTLED_WITHIN} s: is a worker running?")
