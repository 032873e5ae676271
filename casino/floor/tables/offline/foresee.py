"""
What a device foresees: the game as far as the device knows it, with the device's own entries
applied.

The module is pure, and compiled for the device. It decides nothing: the house decides when it
receives the entries. Until then all that depends on them is marked as foreseen
(docs/explanation/offline.md).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from casino.floor.tables.board import posted
from casino.floor.tables.board.drawing import (
    describe_payments,
    draw_board,
    looks_twice,
    put_names,
    undo_of,
)
from casino.floor.tables.board.drawing_data import Game
from casino.words.languages.patterns import Patterns, patterns_of, translate
from games import corrections, pieces, vocabulary
from games.commands import Approve, Void, situate
from games.game_session import NoSuchEvent
from games.messages import live
from games.refusals import Malformed, Refused
from games.reporting import Kept

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from casino.floor.tables.board.drawing_data import Ahead, Given, Undo
    from casino.words.presenters.presenter import Presenter
    from games.game import Ruleset
    from games.messages import Fact
    from games.session import GameSession

REFERENCES: Final = ("back_to", "request", "dispute")  # fields that name an earlier event
PROVENANCE: Final = ("command_id", "occurred_at")  # fields that the rules do not get


@dataclass(frozen=True, slots=True)
class Form:
    """A form as a page sends it: names and values, in order."""

    pairs: tuple[tuple[str, str], ...]

    def get(self, name: str, otherwise: str = "") -> str:
        found = self.getlist(name)
        return found[-1] if found else otherwise

    def getlist(self, name: str) -> list[str]:
        return [value for each, value in self.pairs if each == name]


@dataclass(frozen=True, slots=True)
class Entry:
    """
    Something that somebody entered on the device.

    :param at: when, as "2026-11-22T20:14:03Z"; `clock`: as the house's clock writes it.
    """

    form: Form
    at: str
    clock: str


@dataclass(frozen=True, slots=True)
class Known:
    """
    A game as far as a device knows it.

    :param clocks, seconds, commands: for each event, when it happened, as the house's clock writes
        it and in seconds since 1970, and its command.
    :param decided: how many events the house has recorded; later ones are foreseen.
    :param kept: cached descriptions of these events.
    :param sentences: the rules' sentences in the reader's language.
    """

    ruleset: Ruleset
    presenter: Presenter
    facts: tuple[Fact, ...]
    state: GameSession[Any]
    clocks: tuple[str, ...]
    seconds: tuple[int, ...]
    commands: tuple[str, ...]
    decided: int
    given: Given
    kept: Kept
    sentences: Patterns


@dataclass(frozen=True, slots=True)
class Put:
    """
    A game after an entry; if the rules refuse the entry, the game as before, with code and
    sentence.
    """

    known: Known
    code: str = ""
    sentence: str = ""


def update_known(
    known: Known | None, sent: Mapping[str, Any], ruleset: Ruleset, presenter: Presenter
) -> Known:
    """
    Apply what the house sends about the game (`casino.floor.tables.offline.device_data`).

    :param known: the game as the house sent it before, without anything foreseen; None if unknown.
    """
    before = known if known is not None else _nothing(ruleset, presenter, sent)
    events = [each for each in sent["events"] if each["number"] > before.decided]
    facts = tuple(ruleset.decode(each["type"], each["data"]) for each in events)
    now = replace(
        before,
        facts=(*before.facts, *facts),
        state=ruleset.decider.fold(facts, before.state),
        clocks=(*before.clocks, *(each["clock"] for each in events)),
        seconds=(*before.seconds, *(each.get("second", 0) for each in events)),
        commands=(*before.commands, *(each["command_id"] for each in events)),
        decided=before.decided + len(events),
        given=sent["given"],
    )
    report(now)  # described now and kept: the next tap waits only for new events
    return now


def _nothing(ruleset: Ruleset, presenter: Presenter, sent: Mapping[str, Any]) -> Known:
    sentences = patterns_of(sent["words"].get("sentences", {}))
    state, given = ruleset.decider.initial, sent["given"]
    return Known(ruleset, presenter, (), state, (), (), (), 0, given, Kept(), sentences)


def put(known: Known, entry: Entry) -> Put:
    """Apply an entry to the game, as the house will apply it."""
    try:
        raw = {**posted.command(entry.form), "occurred_at": entry.at}
        vocabulary.shape(raw)
        at = vocabulary.read(raw)["occurred_at"]
        facts = known.ruleset.decider.decide(put_in_context(known, raw), known.state)
        check_pieces(known, raw)
    except Refused as refused:
        return Put(known, refused.code, in_names(known, str(refused)))
    except Malformed as malformed:
        return Put(known, "malformed", in_names(known, str(malformed)))
    return Put(
        replace(
            known,
            facts=(*known.facts, *facts),
            state=known.ruleset.decider.fold(facts, known.state),
            clocks=(*known.clocks, *(entry.clock for _ in facts)),
            seconds=(*known.seconds, *(at for _ in facts)),
            commands=(*known.commands, *(entry.form.get("command_id") for _ in facts)),
            kept=copy_kept(known.kept),
        )
    )


def copy_kept(kept: Kept) -> Kept:
    """A copy for descriptions of foreseen events, because they may not happen."""
    return Kept(dict(kept.throws), dict(kept.rounds))


def in_names(known: Known, sentence: str) -> str:
    """A sentence of the rules in the reader's language, with names in place of tokens."""
    spoken = translate(sentence, known.sentences)
    return str(put_names(spoken, known.given["names"], known.given["texts"]))


def put_in_context(known: Known, raw: Mapping[str, Any]) -> Any:
    """
    A command as the rules take it, with its context: who, when, what is booked.

    :raises Refused: if a value is not valid, or the game has no such command.
    """
    fields = vocabulary.read(tokens_of(known, raw))
    at = fields["occurred_at"]
    own = {name: value for name, value in fields.items() if name not in PROVENANCE}
    own |= {name: event_number(known, own[name]) for name in REFERENCES if name in own}
    command = known.ruleset.parse(raw["do"], own)
    given = known.given
    return situate(
        command,
        at=at,
        by=given["person"],
        asked_by=given["person"],
        booked_through=given["through"],
        irreversible_through=given["irreversible"],
        booked=given["booked"].get(own.get("player", ""), 0),
        in_time=in_time(known, at),
        again=again(known, command),
    )


def check_pieces(known: Known, raw: Mapping[str, Any]) -> None:
    """:raises Refused: if the house's pieces do not make what comes to the table, or leaves it."""
    house, fields = known.given["house"], vocabulary.read(tokens_of(known, raw))
    stakes = known.state.inner.stakes
    pieces.check_command(house["pieces"], raw["do"], fields, house["unit"], stakes)


def again(known: Known, command: Any) -> tuple[Any, ...]:
    """What a void, or the approval of one, enters again."""
    if not isinstance(command, Void | Approve):
        return ()
    history = tuple(enumerate(known.facts, 1))
    return corrections.ask_again(command, known.state, history, known.ruleset.command_of)


def in_time(known: Known, at: int) -> bool:
    """
    Whether an undo that is made now comes in time for the last command of play (G4), by the clock
    of this device.

    :param at: now, in seconds since 1970.
    """
    made, given = last_made(known), undo_of(known.given)["seconds"]
    return made is not None and given > 0 and abs(at - made) <= given


def last_made(known: Known) -> int | None:
    """When the last command of play was made, in seconds since 1970; None before the opening."""
    live = known.state.live
    return None if live is None else known.seconds[live.value.first - 1]


def tokens_of(known: Known, raw: Mapping[str, Any]) -> dict[str, Any]:
    """The command with tokens for the players in it; a new player's name serves as the token."""
    tokens = {name: token for token, name in known.given["names"].items()}
    return vocabulary.map_players(raw, lambda name: tokens.get(name, name))


def event_number(known: Known, reference: int | str) -> int:
    """
    The number of an event that is given by its number, or by the command that caused it.

    :raises NoSuchEvent: if no known event was caused by that command.
    """
    if isinstance(reference, int):
        return reference
    if reference not in known.commands:
        raise NoSuchEvent(f"No event of this game came with the command {reference}. G4")
    return known.commands.index(reference) + 1


def report(known: Known) -> dict[str, Any]:
    history = tuple(enumerate(known.facts, 1))
    return known.ruleset.view(history, session=known.state, kept=known.kept)


def board(known: Known, unsent: int, now: int = 0) -> dict[str, Any]:
    """
    The board as foreseen: what the server would draw, had it recorded the entries.

    :param now: in seconds since 1970, by the clock of this device; 0: it is not known.
    """
    made, given = last_made(known), undo_of(known.given)["seconds"]
    undo: Undo = {
        "seconds": given,
        "open": in_time(known, now),
        "left": 0 if made is None else max(0, given - (now - made)),
        "at": made,
    }
    game = Game(
        ruleset=known.ruleset,
        presenter=known.presenter,
        facts=known.facts,
        state=known.state,
        live=live(tuple(enumerate(known.facts, 1))),
        view=report(known),
        when=lambda number: known.clocks[number - 1],
    )
    ahead: Ahead | None = {"unsent": unsent, "from": known.decided} if unsent else None
    drawn_board = draw_board(game, {**known.given, "ahead": ahead, "undo": undo})
    drawn_board["can"] = {do: rows_of(known, rows) for do, rows in drawn_board["can"].items()}
    return drawn_board


def second_look(before: Known, after: Known) -> str:
    """
    What an entry pays that ends its round and could not be undone alone, for a second look before
    it is recorded (G4); "" if the house wants none, or none is needed.
    """
    facts = after.facts[len(before.facts) :]
    if not facts or not looks_twice(after.given) or not (facts[0].is_throw or facts[0].is_decision):
        return ""
    return in_names(after, describe_payments(facts))


def rows_of(known: Known, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """
    The offers, where a `back_to` that names an event without a number from the house names its
    command instead: another person's entries may come in between.
    """
    return [
        {**row, "back_to": known.commands[row["back_to"] - 1]}
        if row.get("back_to", 0) > known.decided
        else dict(row)
        for row in rows
    ]
