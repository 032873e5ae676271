"""
Plays in the demo house, by HTTP: written transcripts, a game of each kind, evenings at random.

It also sets the house's rules, fees and scoreboards, which needs a manager's sign-in.
"""

from __future__ import annotations

import json
import random
import time
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from casino.demo.acts import FOR_POINTS, OPENINGS, Somebody, any_opening, by_the_house, for_points
from casino.demo.client import Client, Reply, Unanswered, new_id
from casino.demo.house import NAME, PASSWORD
from casino.engine.processes.paths import TRANSCRIPTS
from casino.words.presenters.registered import games

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from pathlib import Path
    from uuid import UUID

    from casino.words.presenters.registration import Demonstrated

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
        self.rules = rules_in_force(self.approver, self.id)

    def publish(self) -> Iterator[str]:
        """Publish rules and fees; yields the games whose rules are published."""
        yield from publish_rules(self.approver, self.id)
        self.rules = rules_in_force(self.approver, self.id)

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


# --- Rules, fees and scoreboards that the demo sets, and its next home throw ----------------------


HOME_THROW_IN: Final = timedelta(days=14)
WEEKLY: Final = {"season": "week", "place_tie": "split"}
REASON_OF_RULES: Final = "It was asked for at the tables."


def rules_in_force(manager: Client, house: UUID | str) -> frozenset[str]:
    """The games for which the house has published rules."""
    now = manager.get(f"establishments/{house}/configuration/")
    return frozenset(each["game"] for each in now["house_rules"])


def values_of_rules() -> list[dict[str, Any]]:
    """The values of the house rules of each game, as the API takes them."""
    return [{"game": game, **of.rules} for game, of in _play_all()]


def coming_home_throw() -> dict[str, Any] | None:
    """The values of the next home throw, as the API takes them; None if no game has one."""
    return next(({"game": game, **of.coming} for game, of in _play_all() if of.coming), None)


def _play_all() -> Iterator[tuple[str, Demonstrated]]:
    return ((name, game.is_demonstrated()) for name, game in games().items() if game.demo)


def publish_rules(manager: Client, house: UUID | str) -> Iterator[str]:
    """Publish the rules that are not published yet; yields their games one after another."""
    there = rules_in_force(manager, house)
    for rules in values_of_rules():
        if rules["game"] not in there:
            _put(manager, house, "house_rules", rules)
            yield rules["game"]
    if there:
        return
    for game, of in _play_all():
        if of.prizes:
            _put(manager, house, "scoreboard", {"ruleset": game, **WEEKLY})
        for prize in of.prizes:
            _put(manager, house, "prize_rule", {"ruleset": game, **prize})
    if (throw := coming_home_throw()) is not None:
        begins = (datetime.now(UTC) + HOME_THROW_IN).isoformat(timespec="seconds")
        _put(manager, house, "home_throw", {**throw, "effective_from": begins})


def _put(manager: Client, house: UUID | str, kind: str, values: dict[str, Any]) -> None:
    body = {
        "thing": kind,
        "values": values,
        "reason": REASON_OF_RULES,
        "command_id": str(uuid.uuid4()),
    }
    reply = manager.post(f"establishments/{house}/configuration/", body)
    if reply.refused:
        raise Unanswered(f"{kind}: {reply.body['detail']}")


# --- An evening of random games, and of people who wait for a seat --------------------------------


GUESTS = (
    "Ada", "Bo", "Cyd", "Dara", "Elio", "Fenn", "Gil", "Hana", "Ivo", "Juna", "Kit", "Lio", "Mina",
    "Nils", "Oda", "Pau", "Rhea", "Sami", "Tove", "Uma", "Vito", "Wanda", "Yaro", "Zita",
)  # fmt: skip
DEVIATES = 1 / 8  # share of openings that deviate from the house's rules, by a supervisor
COMES = 1 / 8  # how likely it is seen to the waiting list instead of an act
WAIT_MOST = 4  # for one game
SEATS_MOST = 5  # whoever waits is called to a table with fewer
CALLED_MOST = 3  # at once, to a table where a game has ended
ENOUGH = 1 / 6  # how likely a table where nobody can play closes, instead of being helped on
SELDOM = {  # how likely these acts are when they are possible; other acts: always
    "close": 1 / 80,
    "no_throw": 1 / 60,
    "leave": 1 / 80,
    "join": 1 / 40,
    "buy_in": 1 / 60,
    "stand": 1 / 2,
    "pass": 1 / 3,
    "withdraw": 1 / 20,
    "cash_out": 1 / 10,
    "void": 0,  # only a person can notice a mistake
    "reject": 0,
    "approve": 0,
    "pause": 1 / 200,
    "handover": 0,  # this needs two people
    "change_dice": 0,
    "witness": 0,
    "dispute": 0,
    "resolve": 0,
}
PLAY = {"no_throw", "stand", "pass", "withdraw"}  # what is seldom, but part of the play
HELPS = ("join", "buy_in")  # what lets a table go on where too few can pay


@dataclass(slots=True)
class GameSession:
    """A game that is being played. :param points: whether its points are for the scoreboard."""

    client: Client
    game: str
    table: str
    points: bool = False


@dataclass(slots=True)
class Evening:
    """Plays games at every free table, one act at a time, until it is stopped."""

    house: House
    chance: random.Random
    say: Callable[[str], None]
    sessions: list[GameSession] = field(default_factory=list)

    def act(self) -> None:
        """Open a game at a free table, play one act in a running game, or see to who waits."""
        if self.sessions and self.chance.random() < COMES:
            self.see_to_who_waits(self.chance.choice(self.sessions))
            return
        table = self.house.free_table()
        over = next((session for session in self.sessions if session.table == table), None)
        if over is not None:  # to be paid out, once it is booked
            self.step(self.chance.choice([over, *self.sessions]))
        elif table is not None and (not self.sessions or self.chance.random() < 1 / 4):
            self.open_next(table)
        elif self.sessions:
            self.step(self._next())

    def _next(self) -> GameSession:
        """One of the two games in which nothing was done for longest."""
        session = self.sessions.pop(self.chance.randrange(min(2, len(self.sessions))))
        self.sessions.append(session)
        return session

    def open_next(self, table: str) -> None:
        """
        Open a game: for points of the scoreboard if none is played for them; else by the house's
        rules, mostly one that somebody was called to here, or waits for.
        """
        waiting = self.waiting()
        points = not self._plays_for_points()
        games = [game for game in OPENINGS if FOR_POINTS[game] or not points]
        called = [
            game for game in games if any(each["table"] == table for each in waiting.get(game, ()))
        ]
        wanted = [game for game in games if game in waiting]
        game = self.chance.choice(called or [*games, *wanted])
        first = [each["name"] for each in waiting.get(game, ())]
        self.sit_down(game, table, first=first, points=points)

    def _plays_for_points(self) -> bool:
        return any(session.points for session in self.sessions)

    def sit_down(
        self, game: str, table: str, *, first: Sequence[str] = (), points: bool = False
    ) -> GameSession | None:
        """
        Open a game; None if that is refused.

        :param first: who sits down before others.
        """
        client, opening = self._opening(game, first, points=points)
        reply = client.post("games/", {**opening, "table": table, "command_id": new_id()})
        if reply.refused:
            self.say(f"refused: {reply.body['detail']}")
            return None
        session = GameSession(client, reply.body["id"], table, points)
        self.sessions.append(session)
        names = ", ".join(seat["name"] for seat in opening["players"])
        self.say(f"{names} sit down to {game}.")
        return session

    def _opening(
        self, game: str, first: Sequence[str], *, points: bool
    ) -> tuple[Client, dict[str, Any]]:
        """The client that opens a game, and the command: mostly by the house's rules, if any."""
        client = self.chance.choice(self.house.attendants)
        if not points and game in self.house.rules and self.chance.random() >= DEVIATES:
            return client, by_the_house(game, GUESTS, self.chance, first=first)
        opens = for_points if points else any_opening
        opening = opens(game, GUESTS, self.chance, first=first)
        if games()[game].opening_form().homes:  # play it with the house's home throw
            opening["home_throw_policy"] = "fixed"
        if game not in self.house.rules:
            return client, opening
        opening.pop("fee", None)  # the fee is the house's, and cannot deviate
        return self.house.recorder, opening

    # --- Who waits

    def waiting(self) -> dict[str, list[dict[str, Any]]]:
        """Who waits, in order, by game."""
        lines = self.house.attendants[0].get(f"establishments/{self.house.id}/waiting/")["games"]
        return {line["game"]: line["places"] for line in lines}

    def see_to_who_waits(self, session: GameSession) -> None:
        """Call the first who waits, if people may join and there is a seat; else somebody comes."""
        state = session.client.get(f"games/{session.game}/")
        places = self.waiting().get(state["game"], [])
        waiting = [each for each in places if not each["called_at"]]
        seated = sum(player not in state["out"] for player in state["stakes"])
        if waiting and len(waiting) == len(places) and _joins(state) and seated < SEATS_MOST:
            self.call(session, waiting[:1])
        elif len(waiting) < WAIT_MOST:
            body = {"name": self.chance.choice(GUESTS), "game": state["game"]}
            self._see_to(session, "", body)

    def _seats(self, session: GameSession, state: dict[str, Any]) -> bool:
        """Seat whoever was called to the table of a game, if people may join now."""
        if not (joins := _joins(state)):
            return False
        places = self.waiting().get(state["game"], [])
        called = [each["name"] for each in places if each["table"] == session.table]
        somebody = Somebody(state, self.chance, called[:1])
        return bool(called) and self._put(session, somebody.does({**joins, "back": []}))

    def call(self, session: GameSession, places: Sequence[dict[str, Any]]) -> None:
        """Call people to the table of a game."""
        for each in places:
            self._see_to(session, f"{each['entry']}/call/", {"table": session.table})

    def _see_to(self, session: GameSession, path: str, body: dict[str, Any]) -> None:
        path = f"establishments/{self.house.id}/waiting/{path}"
        reply = session.client.post(path, {**body, "command_id": new_id()})
        if reply.refused:  # they sit there, or wait already
            self.say(f"refused: {reply.body['detail']}")

    # --- Play

    def step(self, session: GameSession) -> None:
        state = session.client.get(f"games/{session.game}/")
        if state["status"] == "closed":
            self._pay_out(session, state)
            return
        if self._seats(session, state):
            return
        somebody = Somebody(state, self.chance, GUESTS, alike=0)  # fair dice: surveillance watches
        possible = [row for row in state["offers"] if somebody.may(row)]
        rows = [row for row in possible if self._chosen(row)]
        if not any(row["do"] in PLAY or row["do"] not in SELDOM for row in possible):
            helps = [row for row in possible if row["do"] in HELPS]
            closes = [row for row in possible if row["do"] == "close"]
            rows = closes if not helps or self.chance.random() < ENOUGH else helps
        if rows:
            self._put(session, somebody.does(self.chance.choice(rows)))

    def _chosen(self, row: dict[str, Any]) -> bool:
        return self.chance.random() < SELDOM.get(row["do"], 1)

    def _pay_out(self, session: GameSession, state: dict[str, Any]) -> None:
        """Pay out the stakes of a closed game, once everything is booked; call who waits for it."""
        if state["settled_through"] < state["position"]:
            return
        for player, stake in state["stakes"].items():
            if stake:
                self._put(session, {"do": "cash_out", "player": player, "amount": stake})
        self.sessions.remove(session)
        self.say(f"{' and '.join(state['winners']) or 'Nobody'} wins.")
        game = state["game"]
        if FOR_POINTS[game] or self._plays_for_points():  # else another game is opened there
            places = self.waiting().get(game, [])
            self.call(session, [each for each in places if not each["called_at"]][:CALLED_MOST])

    def _put(self, session: GameSession, command: dict[str, Any]) -> bool:
        """Put a command to a game; returns whether it was taken."""
        path = f"games/{session.game}/commands/"
        reply = session.client.post(path, {**command, "command_id": new_id()})
        if reply.refused:
            self.say(f"refused: {reply.body['detail']}")
        return not reply.refused


def _joins(state: dict[str, Any]) -> dict[str, Any] | None:
    """What the game offers to whoever would join it now; None if nobody may."""
    return next((row for row in state["offers"] if row["do"] == "join"), None)


def plays_for_points(state: dict[str, Any]) -> bool:
    """Whether a game, as the API has it, is played for points of the scoreboard."""
    return bool(state["points"]) and FOR_POINTS[state["game"]] is not None
