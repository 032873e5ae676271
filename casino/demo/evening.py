"""An evening of random games in the demo house, and of people who wait for a seat."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from casino.demo.acts import Somebody
from casino.demo.client import new_id
from casino.demo.openings import FOR_POINTS, OPENINGS, any_opening, by_the_house, for_points
from casino.words.presenters.registered import games

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from casino.demo.client import Client
    from casino.demo.play import House

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
