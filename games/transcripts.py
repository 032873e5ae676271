"""Transcripts: whole games as JSON Lines, one command on each line, played into a report."""

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NoReturn

from games import vocabulary
from games.commands import UNDO_SECONDS, Approve, Void
from games.corrections import NoSuchRequest, ask_again
from games.disputes import NoSuchDispute
from games.game import Ruleset
from games.game_session import NoSuchEvent
from games.kinds import shorten
from games.messages import Fact
from games.refusals import CommandReused, Malformed, NoGame, Refused, UnknownGame
from games.session import GameSession

Report = dict[str, Any]
REPORT: Final = (
    "game",
    "status",
    "round",
    "first",
    "next",
    "home_throws",
    "pot",
    "pay",
    "scores",
    "stakes",
    "points",
    "drinks",
    "out",
    "winners",
    "throws",
    "rounds",
    "refused",
)
REFERENCES: Final = (
    ("back_to", NoSuchEvent, "G4"),
    ("request", NoSuchRequest, "G4"),
    ("dispute", NoSuchDispute, "C3"),
)
LISTS: Final = ("home_throws", "out", "winners", "throws", "rounds")
OBJECTS: Final = ("scores", "stakes", "points", "drinks")


@dataclass(frozen=True, slots=True)
class Played:
    """The result of playing a transcript. `stopped`: a strict play ended at a refused line."""

    report: Report
    stopped: bool


@dataclass(slots=True)
class Play:
    """
    A transcript that is being played.

    :param first_events: line or command_id -> number of the first event that the command led to.
    :param line_of: event number -> line.
    :param times: first event of a command -> when it happened, in seconds since 1970, if known.
    :param answered: command_id -> the command, and the refusal if it was refused.
    """

    catalogue: Mapping[str, Ruleset]
    game: Any = None
    ruleset: Ruleset | None = None
    state: GameSession[Any] | None = None
    history: list[tuple[int, Fact]] = field(default_factory=list)
    first_events: dict[int | str, int] = field(default_factory=dict)
    line_of: dict[int, int] = field(default_factory=dict)
    times: dict[int, int | None] = field(default_factory=dict)
    answered: dict[str, tuple[Any, Refused | None]] = field(default_factory=dict)
    refused: list[dict[str, Any]] = field(default_factory=list)

    def put(self, line: int, raw: Mapping[str, Any]) -> None:
        """:raises Refused: if the line is refused; a known command_id gets the same answer."""
        command_id = str(raw.get("command_id", "")).lower()
        if command_id in self.answered:
            before, refusal = self.answered[command_id]
            if before != raw:
                raise CommandReused(
                    f"command_id {shorten(command_id)} was used for another command."
                )
            if refusal is not None:
                raise refusal
            return
        try:
            self.ask(line, raw, command_id)
        except Refused as refusal:
            self.keep(command_id, raw, refusal)
            raise
        self.keep(command_id, raw, None)

    def keep(self, command_id: str, raw: Mapping[str, Any], refusal: Refused | None) -> None:
        if command_id:
            self.answered[command_id] = (raw, refusal)

    def ask(self, line: int, raw: Mapping[str, Any], command_id: str) -> None:
        ruleset = self.rules_for(raw)
        fields = self.resolved(vocabulary.read(raw))
        command = self.situated(ruleset, ruleset.parse(raw["do"], fields), fields)
        state = ruleset.decider.initial if self.state is None else self.state
        happened = ruleset.decider.decide(command, state)
        self.state, self.ruleset = ruleset.decider.fold(happened, state), ruleset
        first = len(self.history) + 1
        self.history += enumerate(happened, first)
        self.line_of.update((first + place, line) for place in range(len(happened)))
        self.times[first] = fields.get("occurred_at")
        self.first_events[line] = self.first_events[command_id or line] = first

    def situated(self, ruleset: Ruleset, command: Any, fields: Mapping[str, Any]) -> Any:
        """
        The command; a void knows whether the last command of play is so recent that the attendant
        may undo it alone, and what was entered since (G4). Without times it is in time.
        """
        if self.state is None or self.state.live is None:
            return command
        at = fields.get("occurred_at")
        match command:
            case Void():
                before = self.times.get(self.state.live.value.first)
                late = at is not None and before is not None and at - before > UNDO_SECONDS
                command = replace(command, in_time=not late)
            case Approve():
                pass
            case _:
                return command
        again = ask_again(command, self.state, self.history, ruleset.command_of)
        return replace(command, again=again, at=at)

    def rules_for(self, raw: Mapping[str, Any]) -> Ruleset:
        if self.ruleset is not None:
            return self.ruleset
        if raw["do"] != "open":
            raise NoGame(f"do: {raw['do']} before a game is open; it begins with open.")
        if self.game is not None:
            raise NoGame("do: the opening of this game was refused; there is no game.")
        self.game = raw["game"]
        if self.game not in self.catalogue:
            raise UnknownGame(f"game is {shorten(self.game)}: {', '.join(self.catalogue)}.")
        return self.catalogue[self.game]

    def resolved(self, fields: dict[str, Any]) -> dict[str, Any]:
        """
        The fields with event numbers as references: a transcript names what happened earlier by its
        line, or by the command_id on that line.
        """
        for name, missing, rule in REFERENCES:
            if name in fields:
                if fields[name] not in self.first_events:
                    raise missing(f"{name}: nothing happened at {shorten(fields[name])}. {rule}")
                fields[name] = self.first_events[fields[name]]
        if "payout" in fields:
            fields["payout"] = self.payout(fields["payout"])
        return fields

    def payout(self, named: Any) -> Any:
        """:param named: as written or as games.vocabulary read it; the result has the same form."""
        line, seq = vocabulary.PAYOUT.read("payout", named) if unread(named) else named
        if line not in self.first_events:
            raise NoSuchEvent(f"payout: nothing happened at {shorten(line)}. A7")
        event = self.first_events[line]
        if unread(named):
            return event if seq is None else f"{event}.{seq}"
        return event, seq

    def report(self) -> Report:
        if self.ruleset is None:
            return {**blank(self.game), "refused": self.refused}
        shown_game = {**self.state_of_play(self.ruleset), "refused": self.refused}
        shown_game["throws"] = [self.on_its_line(throw) for throw in shown_game["throws"]]
        return {name: shown_game[name] for name in REPORT}

    def state_of_play(self, ruleset: Ruleset) -> Report:
        return ruleset.view(self.history)

    def on_its_line(self, throw: Mapping[str, Any]) -> dict[str, Any]:
        rest = {name: value for name, value in throw.items() if name != "event"}
        return {"line": self.line_of[throw["event"]], **rest}


def play(
    lines: Iterable[tuple[int, str]], catalogue: Mapping[str, Ruleset], *, strict: bool = False
) -> Played:
    """
    Play a transcript into a report.

    :param lines: (line number, text); blank ones are skipped.
    :raises Malformed: with line and field, if a line is no command, or if there is no command at
        all.
    """
    return carry_on(Play(catalogue), lines, strict=strict)


def carry_on(playing: Play, lines: Iterable[tuple[int, str]], *, strict: bool = False) -> Played:
    """Play lines as `play` does, with a `Play` that decides where the commands go."""
    seen = False
    for line, text in lines:
        if not text.strip(" \t\r\n"):
            continue
        seen = True
        try:
            playing.put(line, command_on(line, text))
        except Refused as refusal:
            entry = {"line": line, "code": refusal.code, "detail": str(refusal)}
            playing.refused.append(entry)
            if strict:
                return Played(playing.report(), stopped=True)
    if not seen:
        raise Malformed("There is no command in it.", line=1)
    return Played(playing.report(), stopped=False)


def command_on(line: int, text: str) -> Mapping[str, Any]:
    try:
        raw = loads(unicodedata.normalize("NFC", text))  # one name, however it is composed
        vocabulary.shape(raw)
    except Malformed as malformed:
        malformed.line = line
        raise
    command: Mapping[str, Any] = raw
    return command


def unread(payout: Any) -> bool:
    return not isinstance(payout, tuple)


def blank(game: Any) -> Report:
    """The report if no game was opened."""
    return {
        **dict.fromkeys(REPORT),
        **{name: [] for name in LISTS},
        **{name: {} for name in OBJECTS},
        "game": game,
        "status": "refused",
        "round": 0,
        "pot": 0,
        "next": {"players": [], "may": []},
    }


# A strict JSON reader for the ledger: no duplicate keys, no NaN, no endless numbers or nesting.


DIGITS_MAX: Final = 400  # more than any sensible number has; Python itself stops at 4300


def loads(text: str) -> Any:
    """
    :raises Malformed: if `text` is not one JSON value, or one that JSON readers understand
        differently.
    """
    try:
        return json.loads(
            text, object_pairs_hook=_unique, parse_constant=_no_number, parse_int=_integer
        )
    except json.JSONDecodeError as broken:
        raise Malformed(f"Not JSON: {broken.msg} at column {broken.colno}.") from None
    except RecursionError:
        raise Malformed("Not a command: nested too deeply.") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        [(twice, _), *_] = Counter(name for name, _ in pairs).most_common(1)
        raise Malformed(f"{twice} stands twice in one object.", field=twice)
    return fields


def _no_number(literal: str) -> NoReturn:
    raise Malformed(f"{literal} is no JSON number.")


def _integer(digits: str) -> int:
    return int(digits[:DIGITS_MAX])
