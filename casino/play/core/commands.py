"""Prepares a command for the rules: who puts it, checks, tokens for names, and its context."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from casino.house.attendants.models import Employment
from casino.house.attendants.permissions import ALLOWED
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals import requests
from casino.play.dice.models import DiceSet, State
from casino.play.settlement import settled
from games import corrections, vocabulary
from games.commands import Approve, Void, situate
from games.disputes import open_dispute, subject
from games.game_session import NoSuchEvent
from games.refusals import BadTime, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from casino.house.acts.game_streams.loading import Loaded
    from games.game import DiceNeeded, Ruleset
    from ledger.journal import NewEvent

A_DAY = timedelta(days=1)
REFERENCES = ("back_to", "request", "dispute")  # fields that name an earlier event
SEATS_PEOPLE = frozenset({"open", "join"})  # commands that can bring a new player
ADMITS = SEATS_PEOPLE | {"buy_in"}  # commands that somebody excluded has no part in (P1)


class ApprovalIsAnAct(Refused):
    code = "approval_is_an_act"


def check_values(raw: Mapping[str, Any], *, now: datetime) -> None:
    """
    Check the values of a command as far as this is possible without a game.

    :raises Refused: its sentence may quote the person's own words, so it is kept outside the
        ledger.
    """
    vocabulary.read(raw)
    if "occurred_at" in raw:
        _no_day_ahead(moment(raw["occurred_at"]), now)
    if "approved_by" in raw:
        raise ApprovalIsAnAct(
            "approved_by: the second person approves by a command of their own. G4, C1"
        )


def _no_day_ahead(at: datetime, now: datetime) -> None:
    """
    Check that a time is at most a day ahead of the house's clock (E3).

    Smaller differences between clocks are allowed, and flagged.

    :raises BadTime: if the time is more than a day ahead.
    """
    if at - now > A_DAY:
        raise BadTime("occurred_at: more than a day ahead of the house: set the device's clock. E3")


def moment(occurred_at: str) -> datetime:
    """
    Parse a time at the table; in UTC.

    :raises BadTime: if it is not a time, or lies outside the range of the calendar.
    """
    try:
        return datetime.fromisoformat(occurred_at).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadTime("occurred_at: no time, or one outside the calendar.") from None


def put_tokens(
    establishment: UUID, raw: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    """
    The fields of a command with tokens for names and texts, as the ledger may keep them.

    :returns: the fields, and the new players whom the command seats: name by token, not saved yet.
    """
    if raw["do"] in SEATS_PEOPLE:
        players, new = tokens.tokens_to_save(establishment, _player_names(raw))
    else:
        players, new = tokens.player_tokens(establishment, _player_names(raw), new=False), {}
    fields = vocabulary.read(_replace_words(establishment, raw, players))
    return {name: value for name, value in fields.items() if name != "command_id"}, new


def with_tokens(establishment: UUID, raw: Mapping[str, Any]) -> dict[str, Any]:
    """A raw command with tokens for names and texts; `tokens.resolve` puts the words back."""
    return _replace_words(
        establishment, raw, tokens.player_tokens(establishment, _player_names(raw), new=False)
    )


def _replace_words(
    establishment: UUID, raw: Mapping[str, Any], players: Mapping[str, str]
) -> dict[str, Any]:
    # A name that belongs to no player is still a person's word: it is kept like a text.
    command = vocabulary.map_players(
        raw, lambda name: players.get(name) or tokens.keep(establishment, name)
    )
    return vocabulary.map_texts(
        command, lambda text: tokens.keep(establishment, text) if text else text
    )


def _player_names(raw: Mapping[str, Any]) -> list[str]:
    """The names of players in a command."""
    names: list[str] = []

    def noted(name: str) -> str:
        names.append(name)
        return name

    vocabulary.map_players(raw, noted)
    return names


def players_to_seat(establishment: UUID, raw: Mapping[str, Any]) -> list[str]:
    """The tokens of the known players whom a command seats; empty for other commands."""
    return players_to_admit(establishment, raw) if raw["do"] in SEATS_PEOPLE else []


def players_to_admit(establishment: UUID, raw: Mapping[str, Any]) -> list[str]:
    """The tokens of the known players whom a command seats, or from whom it takes money."""
    if raw["do"] not in ADMITS:
        return []
    return list(tokens.player_tokens(establishment, _player_names(raw), new=False).values())


def has_words(fields: Mapping[str, Any]) -> bool:
    """
    Whether a pseudonymised command still contains words that are no tokens.

    Where one of a fixed set of words belongs, such as the reason of a no throw, people may have
    written a name.
    """
    return any(not tokens.is_token(each) for each in _strings(fields))


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for each in value.values():
                yield from _strings(each)
        case list() | tuple():
            for each in value:
                yield from _strings(each)


def put_in_context(  # noqa: PLR0913 - all that the rules cannot know, by name
    ruleset: Ruleset,
    fields: Mapping[str, Any],
    *,
    do: str,
    who: Who,
    around: Surroundings | Loaded,
    in_time: bool = False,
) -> Any:
    """
    The command as the rules take it, completed with context that the rules cannot know.

    :param in_time: whether a void comes in time to undo the last throw alone (G4).
    :raises Refused: if the game does not know the command, or the event that it refers to does not
        exist.
    """
    own = {name: value for name, value in fields.items() if name != "occurred_at"}
    at = fields.get("occurred_at", int(who.now.timestamp()))
    if isinstance(around, Surroundings):
        return situate(ruleset.parse(do, own), at=at, **around.as_fields())
    own |= {name: _event_number(around, own[name]) for name in REFERENCES if name in own}
    if "payout" in own:
        event, seq = own["payout"]
        own["payout"] = (_event_number(around, event), seq)
    context = _context(do, own, who, around)
    command = ruleset.parse(do, own)
    if isinstance(command, Void | Approve):
        again = corrections.ask_again(command, around.state, around.history, ruleset.command_of)
        context["again"] = again
    return situate(command, at=at, in_time=in_time, **context)


def takes_rollover(command: Any) -> bool:
    """Whether the game that this command opens has a rollover (TA10)."""
    return hasattr(command, "rollover")


def _context(do: str, fields: Mapping[str, Any], who: Who, loaded: Loaded) -> dict[str, Any]:
    """The context that a command needs: who acts, and what settlement has booked."""
    match do:
        case "void":
            return {
                "asked_by": who.attendant,
                "booked_through": settled.last_event_handled(loaded),
                "irreversible_through": settled.irreversible_through(loaded),
            }
        case "approve":
            return {
                "approved_by": who.attendant,
                "irreversible_through": settled.irreversible_through(loaded),
                "alone": who.alone,
                # Whoever does not say what they have seen has seen what the request was about.
                "through": fields.get("through", fields["request"]),
            }
        case "reject":
            return {"rejected_by": who.attendant}
        case "resolve":
            through = settled.irreversible_through(loaded)
            known = context_of_table_event(do, fields, who, loaded)
            return {**known, "irreversible_through": through}
        case "cash_out":
            return {"booked": settled.stake_in_ledger(loaded, fields["player"])}
        case _:
            return context_of_table_event(do, fields, who, loaded)


def _event_number(loaded: Loaded, reference: int | str) -> int:
    """The number of a referenced event: given as a number, or as the id of its command."""
    if isinstance(reference, int):
        return reference
    for number, event in enumerate(loaded.events, start=1):
        if str(event.provenance.command_id) == reference:
            return number
    raise NoSuchEvent(f"No event of this game came with the command {reference}. G4")


# `Who` puts a command to a game, and the `Surroundings` that an opening game gets.


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """
    Who sends a command, from which device, and when the server received it.

    :param plays_as: the token under which this person plays at the house's tables; "": none.
    :param alone: nobody else at the house could approve what they ask for (D1b).
    :param seen: versions of the house's streams that the command depends on: who is alone, which
        device records. If one of them has moved, the command is not decided again.
    :param extra_events: events that are appended with the command if the rules allow it, to streams
        of `seen`.
    """

    attendant: str
    device: str
    now: datetime
    plays_as: str
    alone: bool = False
    seen: Mapping[str, int] = field(default_factory=dict)
    extra_events: tuple[NewEvent, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What an opening game takes from the house; the opening event contains all but `seen`."""

    table: str
    dice_set: str
    stake_min: int | None = None
    stake_max: int | None = None
    home_throw: tuple[int, int, int] | None = None
    home_override: bool = False
    rollover: int = 0
    """Coins of the house's rollover that the game starts with."""
    awaited: int = 0
    seen: Mapping[str, int] = field(default_factory=dict)
    """Versions of the house's streams that these values were read from."""
    terms: Mapping[str, Any] = field(default_factory=dict)
    """Fields that the house's rules fill in; None removes the field from the command."""
    house_rules: Mapping[str, Any] | None = None
    """The version of the house's rules that the game is played by, as the opening pins it (A4)."""

    @property
    def place(self) -> dict[str, str]:
        return {"table": self.table, "dice_set": self.dice_set}

    def fill_in(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """The command's fields with those that the house's rules fill in."""
        whole = {**fields, **self.terms}
        return {name: value for name, value in whole.items() if value is not None}

    def as_fields(self) -> dict[str, Any]:
        """The fields that the rules get; without a home throw here, the command's own stays."""
        fields = {
            "table": self.table,
            "dice_set": self.dice_set,
            "stake_min": self.stake_min,
            "stake_max": self.stake_max,
            "home_override": self.home_override,
            "rollover": self.rollover,
            "awaited": self.awaited,
        }
        return fields | ({"home_throw": self.home_throw} if self.home_throw else {})


# Checks and context for commands beside the play: dice, handovers, witnesses, disputes.


class DiceUnfit(Refused):
    code = "dice_unfit"


class NotStaffHere(Refused):
    code = "not_staff_here"


def context_of_table_event(
    do: str, fields: Mapping[str, Any], who: Who, loaded: Loaded
) -> dict[str, Any]:
    """
    The context of a command beside the play that the rules cannot know.

    :param fields: fields of the command; references are numbers of events.
    :raises Refused: if the house does not have the dice or the person that the command names.
    """
    match do:
        case "pause" | "resume" | "dispute":
            return {"by": who.attendant}
        case "handover":
            on_the_floor(loaded.key.establishment, fields["to"])
            return {"by": who.attendant}
        case "change_dice":
            lying_ready(loaded, fields["dice_set"])
            return {"by": who.attendant}
        case "witness":
            return {
                "approved_by": who.attendant,
                "recorded_by": recorder(loaded, fields["payout"][0], who.attendant),
                "beneficiaries": who_play(loaded),
            }
        case "resolve":
            return {
                "approved_by": who.attendant,
                "recorded_by": recorders(loaded, fields["dispute"]),
                "beneficiaries": who_play(loaded),
            }
        case _:
            return {}


def on_the_floor(establishment: UUID, attendant: str) -> None:
    """
    Check that an attendant may record at the house, before a table is handed to them (B3).

    :raises NotStaffHere: if they may not.
    """
    employed = Employment.objects.filter(
        establishment=establishment, until__isnull=True, role__in=ALLOWED["record"]
    )
    if (person := read_id(attendant)) is None or not employed.filter(attendant=person).exists():
        raise NotStaffHere("to: nobody of that id records play at this house: name who does. B3")


def lying_ready(loaded: Loaded, named: str) -> None:
    """
    Check that a named dice set belongs to the house and fits the game (F1).

    Whether the set is free is checked when it is placed on the table.

    :raises DiceUnfit: if there is no such set, or it does not fit.
    """
    house, number = loaded.key.establishment, read_id(named)
    dice = DiceSet.objects.filter(establishment=house, pk=number).first() if number else None
    if dice is None:
        raise DiceUnfit("dice_set: this house has no such set: take another. F1")
    needed = loaded.ruleset.dice(loaded.opening.data)
    fitting(dice, needed, loaded.ruleset.id, loaded.place["table"])


def fitting(dice: DiceSet, needed: DiceNeeded, game: str, table: str) -> None:
    """:raises DiceUnfit: if a game of this kind cannot be played with the set at the table."""
    if dice.withdrawn:
        raise DiceUnfit(f"Set {dice.number} is withdrawn: take another.")
    if dice.state != State.ISSUED:
        raise DiceUnfit(f"Set {dice.number} is not issued: take another, or issue it first. F1")
    if not dice.may_lie_at(table):
        raise DiceUnfit(f"Set {dice.number} is issued to another table: take another. F1")
    if not dice.fits(needed):
        raise DiceUnfit(f"Set {dice.number} is {dice.dice}; {game} needs {needed}: take another.")


def recorders(loaded: Loaded, dispute: int) -> tuple[str, ...]:
    """
    The people who recorded any event that a dispute is about (C3).

    :raises NoSuchDispute: if the dispute is not open.
    """
    about = subject(open_dispute(dispute, loaded.state), loaded.state)
    return tuple(sorted(set().union(*map(loaded.recorders, about))))


def who_play(loaded: Loaded) -> tuple[str, ...]:
    """The ids of people who work at the house and play in the game (C1, D1b)."""
    players = list(loaded.stakes)
    return tuple(sorted(requests.who_play(loaded.key.establishment, players)))


def recorder(loaded: Loaded, number: int, witness: str) -> str:
    """
    The id of whoever recorded an event: the witness's own, if they had a part in it (A7).

    "" if there is no such event, which the rules refuse.
    """
    if witness in loaded.recorders(number):
        return witness
    known = 1 <= number <= loaded.version
    return loaded.events[number - 1].provenance.actor if known else ""


def read_id(named: str) -> UUID | None:
    """
    Parse an id; None unless it is written exactly as the house writes ids.

    Other spellings are not accepted, because ids are parts of stream names.
    """
    try:
        read = UUID(named)
    except ValueError:
        return None
    return read if str(read) == named else None
