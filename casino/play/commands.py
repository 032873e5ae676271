"""A command on its way from a person's words to the rules: names become pseudonyms."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from casino.exclusions import operations as exclusions
from casino.play import table_events
from casino.play.who import Surroundings, Who
from casino.pseudonyms import tokens as pseudonyms
from casino.settlement import settled
from games import vocabulary
from games.commands import situate
from games.refusals import BadTime, Refused
from games.standing import NoSuchEvent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date
    from uuid import UUID

    from casino.establishments.models import Establishment
    from casino.game_streams.loading import Loaded
    from games.game import Ruleset

A_DAY = timedelta(days=1)
REFERENCES = ("back_to", "request", "dispute")  # fields that name an earlier event
SEATS_PEOPLE = frozenset({"open", "join"})  # commands by which a new player is met


class ApprovalIsAnAct(Refused):
    code = "approval_is_an_act"


def checked(raw: Mapping[str, Any], *, now: datetime) -> None:
    """
    The values as far as they can be judged without a game.

    :raises Refused: in the person's own words, so the sentence is kept beside the ledger.
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
    Clocks differ, and that is flagged; a day ahead of the house nothing has happened yet (E3).

    :raises BadTime: if it is later than that.
    """
    if at - now > A_DAY:
        raise BadTime("occurred_at: more than a day ahead of the house: set the device's clock. E3")


def moment(occurred_at: str) -> datetime:
    """
    A time at the table, in UTC.

    :raises BadTime: if it is none, or lies before or after all calendars.
    """
    try:
        return datetime.fromisoformat(occurred_at).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadTime("occurred_at: no time, or one outside the calendar.") from None


def pseudonymised(establishment: UUID, raw: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with tokens for names and texts: what may stand in the ledger for ever."""
    fields = vocabulary.read(with_tokens(establishment, raw))
    return {name: value for name, value in fields.items() if name != "command_id"}


def with_tokens(establishment: UUID, raw: Mapping[str, Any]) -> dict[str, Any]:
    """A command as it was asked, tokens for names and texts; back by `pseudonyms.resolve`."""
    names = []

    def noted(name: str) -> str:
        names.append(name)
        return name

    vocabulary.map_players(raw, noted)
    new = raw["do"] in SEATS_PEOPLE
    tokens = pseudonyms.player_tokens(establishment, names, new=new)
    # A name that nobody bears is still somebody's word: it is kept like a text.
    command = vocabulary.map_players(
        raw, lambda name: tokens.get(name) or pseudonyms.keep(establishment, name)
    )
    return vocabulary.map_texts(
        command, lambda text: pseudonyms.keep(establishment, text) if text else text
    )


def seated(establishment: UUID, raw: Mapping[str, Any]) -> list[str]:
    """The tokens of the people whom a command seats; of others none are asked for."""
    if raw["do"] not in SEATS_PEOPLE:
        return []
    names: list[str] = []

    def noted(name: str) -> str:
        names.append(name)
        return name

    vocabulary.map_players(raw, noted)
    return list(pseudonyms.player_tokens(establishment, names, new=False).values())


def may_sit(house: Establishment, raw: Mapping[str, Any], day: date) -> dict[str, int]:
    """
    The guard that seating people rests on; of a command that seats nobody, none.

    :raises Refused: if one of them is excluded, or bears a name that reads so (P1).
    """
    if raw["do"] not in SEATS_PEOPLE:
        return {}
    return exclusions.checked(house, seated(house.pk, raw), day)


def worded(fields: Mapping[str, Any]) -> bool:
    """
    Whether somebody's own words stand in a pseudonymised command: where a word of the house
    belongs, as the reason of a no throw, people write names, too.
    """
    return any(not pseudonyms.is_token(each) for each in _strings(fields))


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


def situated(
    ruleset: Ruleset,
    fields: Mapping[str, Any],
    *,
    do: str,
    who: Who,
    around: Surroundings | Loaded,
) -> Any:
    """
    The command as the rules take it, told what they cannot know.

    :raises Refused: if the game does not know the command, or it names no event.
    """
    own = {name: value for name, value in fields.items() if name != "occurred_at"}
    at = fields.get("occurred_at", int(who.now.timestamp()))
    if isinstance(around, Surroundings):
        return situate(ruleset.parse(do, own), at=at, **around.as_fields())
    own |= {name: _event_number(around, own[name]) for name in REFERENCES if name in own}
    if "payout" in own:
        event, seq = own["payout"]
        own["payout"] = (_event_number(around, event), seq)
    return situate(ruleset.parse(do, own), at=at, **_context(do, own, who, around))


def takes_rollover(command: Any) -> bool:
    """Whether the game that this command opens has a rollover (TA10)."""
    return hasattr(command, "rollover")


def _context(do: str, fields: Mapping[str, Any], who: Who, loaded: Loaded) -> dict[str, Any]:
    """What settlement has booked, and whose hand it is: for the commands that depend on it."""
    match do:
        case "void":
            return {
                "asked_by": who.attendant,
                "booked_through": settled.settled_through(loaded),
                "irreversible_through": settled.irreversible_through(loaded),
            }
        case "approve":
            return {
                "approved_by": who.attendant,
                "irreversible_through": settled.irreversible_through(loaded),
                "alone": who.alone,
            }
        case "reject":
            return {"rejected_by": who.attendant}
        case "resolve":
            through = settled.irreversible_through(loaded)
            known = table_events.context(do, fields, who, loaded)
            return {**known, "irreversible_through": through}
        case "cash_out":
            return {"booked": settled.settled_stake(loaded, fields["player"])}
        case _:
            return table_events.context(do, fields, who, loaded)


def _event_number(loaded: Loaded, reference: int | str) -> int:
    """An event of the game by its number, or the first one of the command that is named."""
    if isinstance(reference, int):
        return reference
    for number, event in enumerate(loaded.events, start=1):
        if str(event.provenance.command_id) == reference:
            return number
    raise NoSuchEvent(f"No event of this game came with the command {reference}. G4")
