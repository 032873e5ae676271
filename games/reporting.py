"""What every game's report and explanations have in common."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, Protocol, TypeVar

from games.decider import Decider
from games.dice import Dice
from games.game import History, Named, Outcome
from games.messages import Fact, Numbered, VoidRequested, live
from games.payments import RESERVED, Payment
from games.session import GameSession

Row = dict[str, Any]
Describe = Callable[[int, Fact], Row | None]

PARTS: Final = {
    Fraction(1, 2): "\N{VULGAR FRACTION ONE HALF}",
    Fraction(1, 3): "\N{VULGAR FRACTION ONE THIRD}",
    Fraction(2, 3): "\N{VULGAR FRACTION TWO THIRDS}",
    Fraction(1, 4): "\N{VULGAR FRACTION ONE QUARTER}",
    Fraction(3, 4): "\N{VULGAR FRACTION THREE QUARTERS}",
}


def exactly(points: Fraction) -> str:
    """Points as text, also when shared: 3½; parts that have no sign of their own as 2 1/5."""
    whole, part = divmod(points, 1)
    if not part:
        return str(whole)
    written = PARTS.get(part, f" {part}" if whole else str(part))
    return f"{whole or ''}{written}"


def account(name: str, named: Named) -> str:
    """A player's name as people call them; pot, house and rollover under the names of the rules."""
    return name if name in RESERVED else named(name)


def because(rules: Iterable[str], said: Callable[[Named], str], named: Named) -> Row:
    """
    Why something is so: a sentence, and the rules that it names after those that were recorded.

    They are looked for in the sentence without names, because a player may be called G6.
    """
    named_rules = (word.strip("().,:;") for word in said(lambda _player: "").split())
    cited = (rule for rule in named_rules if rule[:1].isupper() and rule[-1:].isdigit())
    return {"rules": list(dict.fromkeys((*rules, *cited))), "because": said(named)}


def payment(moved: Payment, because: str, named: Named) -> dict[str, Any]:
    return {
        "from": account(moved.payer, named),
        "to": account(moved.payee, named),
        "amount": moved.amount,
        "rules": list(moved.rules),
        "because": because,
    }


@dataclass(frozen=True, slots=True)
class Kept:
    """
    Rows of earlier reports of one game, kept so that a new event adds only its own rows.

    :param throws: the row of each event, by its number: an event reads the same for ever.
    :param rounds: the row of each ended round, by the number of its last event: while that event
        counts, so do all before it.
    """

    throws: dict[int, Row | None] = field(default_factory=dict)
    rounds: dict[int, Row] = field(default_factory=dict)


def throws(
    history: History, standing: set[int], describe: Describe, known: dict[int, Row | None]
) -> list[Row]:
    """
    The rows of all throws, with the cancelled ones marked.

    :param standing: the numbers of the events that count.
    :param describe: makes a row of the report from an event; None: the event is no throw.
    :param known: rows of earlier reports; the new ones are added to it.
    """
    rows: list[Row] = []
    for number, event in history:
        if number not in known:
            known[number] = describe(number, event)
        row = known[number]
        if row is not None:
            rows.append(row if number in standing else {**row, "void": True})
    return rows


def throw(
    number: int, player: str | None, dice: Dice, hand: str | None = None, score: Any = None
) -> Row:
    """A throw as a row of the report; `player` is the name to show."""
    return {"event": number, "player": player, "dice": list(dice), "hand": hand, "score": score}


class Story(Protocol):
    """A round that has ended. :param last: the number of the last event that belongs to it."""

    @property
    def last(self) -> int: ...


Round = TypeVar("Round", bound=Story)


def rounds(
    stories: Iterable[Round], describe: Callable[[Round], Row], known: dict[int, Row]
) -> list[Row]:
    """
    The rows of the rounds that have ended, in order.

    :param describe: makes a row of the report from a round.
    :param known: rows of earlier reports, as in `Kept`; the new ones are added to it.
    """
    rows: list[Row] = []
    for story in stories:
        if story.last not in known:
            known[story.last] = describe(story)
        rows.append(known[story.last])
    return rows


def row_of_end(number: int, how: Outcome, payments: list[Row], carried: int, named: Named) -> Row:
    """
    A round as a row of the report; it has the field `void` only if the round is void.

    :param payments: rows with explanations; the report leaves out their throws.
    """
    return {
        "round": number,
        "winners": list(map(named, how.winners)),
        "losers": list(map(named, how.losers)),
        "payments": [
            {name: value for name, value in each.items() if name != "throws"} for each in payments
        ],
        "carried": carried,
        **({"void": True} if how.void else {}),
    }


@dataclass(frozen=True, slots=True)
class Sheet:
    """
    What a report is made from.

    :param standing: the numbers of the events that count; `events`: those events.
    """

    history: History
    named: Named
    session: GameSession[Any]
    kept: Kept
    events: list[Numbered]
    standing: set[int]


def sheet(
    history: History,
    named: Named,
    session: GameSession[Any] | None,
    kept: Kept | None,
    decider: Decider[Any, Any, GameSession[Any]],
) -> Sheet:
    """:raises TypeError: before the opening, when there is nothing to report."""
    if not history:
        raise TypeError("A game is shown from its opening on.")
    session = session or decider.fold(event for _, event in history)
    events = live(history)
    return Sheet(history, named, session, kept or Kept(), events, {number for number, _ in events})


def report(game: str, sheet: Sheet, thrown: Describe, rounds: list[Row], **own: Any) -> Row:
    """
    The report of a game, with the fields that all games have.

    :param thrown: makes a row from an event, as `describe` of `throws` does.
    :param own: the game's own fields, and its values for the fields here. These describe a game
        that is over, with nobody next, and without home throws, hands, points and drinks.
    """
    state, named = sheet.session.inner, sheet.named
    return {
        "game": game,
        "status": "closed",
        "round": state.round,
        "first": None,
        "next": {"players": [], "may": []},
        "home_throws": [],
        "pot": state.pot,
        "pay": None,
        "scores": {},
        "stakes": {named(player): stake for player, stake in state.stakes.items()},
        "points": {},
        "drinks": {},
        "out": [],
        "winners": [],
        "throws": throws(sheet.history, sheet.standing, thrown, sheet.kept.throws),
        "rounds": rounds,
        **own,
        "requests": [request(each) for each in sheet.session.requests],
    }


def request(requested: VoidRequested) -> dict[str, Any]:
    return {
        "request": requested.request,
        "back_to": requested.back_to,
        "reason": requested.reason,
        "asked_by": requested.asked_by,
    }


def faces(dice: Dice) -> str:
    """The faces of dice as text: `2-2-7`."""
    return "-".join(map(str, dice))
