"""Prepares a command for the rules: checks it, replaces names by tokens, adds the context."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from casino.house.attendants.pseudonyms import tokens
from casino.play.core import table_events
from casino.play.core.who import Surroundings, Who
from casino.play.settlement import settled
from games import corrections, vocabulary
from games.commands import Approve, Void, situate
from games.game_session import NoSuchEvent
from games.refusals import BadTime, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from uuid import UUID

    from casino.house.acts.game_streams.loading import Loaded
    from games.game import Ruleset

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
            known = table_events.context(do, fields, who, loaded)
            return {**known, "irreversible_through": through}
        case "cash_out":
            return {"booked": settled.stake_in_ledger(loaded, fields["player"])}
        case _:
            return table_events.context(do, fields, who, loaded)


def _event_number(loaded: Loaded, reference: int | str) -> int:
    """The number of a referenced event: given as a number, or as the id of its command."""
    if isinstance(reference, int):
        return reference
    for number, event in enumerate(loaded.events, start=1):
        if str(event.provenance.command_id) == reference:
            return number
    raise NoSuchEvent(f"No event of this game came with the command {reference}. G4")
