"""What is offered, shown and explained, and the commands from the fields of the vocabulary."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Final

from games import commands, commands_of, offering, parsing, reporting, seats
from games import messages as common
from games.game import History, Named, Outcome, as_is
from games.history import Numbered, live
from games.leaders import Leaders
from games.messages import Fact
from games.payments import HOUSE, Payment
from games.session import GameSession
from ship_captain_crew.rules import messages as ship
from ship_captain_crew.rules import play
from ship_captain_crew.rules.opening import GAME, PLAYERS_MAX

NO_CARGO: Final = "none"


def parse(do: str, fields: Mapping[str, Any]) -> Any:
    """:raises Refused: if the game has no such command, or the command no such field."""
    at = fields.get("occurred_at")
    match do:
        case "open":
            names = ("game", "players", "stake", "options", "first", "fee")
            own = parsing.only(fields, *names, do=do, game=GAME)
            players = tuple(map(seats.seat, own.pop("players")))
            del own["game"]
            return ship.Open(players=players, at=at, **own)
        case "throw":
            return ship.Throw(**parsing.only(fields, "player", "dice", do=do, game=GAME), at=at)
        case _:
            return parsing.shared(do, fields, game=GAME)


def command_of(fact: Fact) -> Any | None:
    """The command that a fact came of; None for what followed from the fact before."""
    match fact:
        case ship.GameOpened():
            values = {name: getattr(fact, name) for name in ASKED}
            options, fee = asdict(fact.options), commands_of.announced(fact.fee)
            return ship.Open(players=fact.players, options=options, fee=fee, **values)
        case ship.DiceThrown():
            return ship.Throw(fact.player, fact.dice)
        case ship.Stood():
            return commands.Stand(fact.player)
        case ship.PlayerLeft():
            return commands.Leave(fact.player)
        case _:
            return commands_of.shared(fact)


ASKED: Final = ("first", "stake_min", "stake_max", "table", "dice_set", "at")


def offers(
    state: GameSession[play.State],
    *,
    booked_through: int | None = None,
    irreversible_through: int = 0,
) -> list[offering.Row]:
    inner = state.inner
    if isinstance(inner, play.Unopened):
        return [{"do": "open"}]
    rows = [
        *(() if inner.over else playing(inner)),
        *offering.cash_outs(inner.stakes, () if inner.over else play.able(inner)),
        *offering.table_event_offers(state, booked_through, irreversible_through, over=inner.over),
    ]
    return offering.at_the_table(state, rows)


def playing(state: play.Table) -> Iterator[offering.Row]:
    player, dice = play.thrower(state), {"dice": state.turn.dice, "sides": play.SIDES}
    if player is not None:
        yield {"do": "throw", "player": player, **dice}
        if state.turn.cargo is not None:
            yield {"do": "stand", "player": player}
        yield offering.no_throw(player, **dice)
    if not state.order:
        if len(state.seats) < PLAYERS_MAX:
            yield {"do": "join", "back": list(play.gone(state))}
        for each in state.seats:
            yield {"do": "leave", "player": each}
    yield from offering.buy_ins(state.seats)
    yield {"do": "close"}


def leaders(state: play.State) -> Leaders:
    """SC5: the highest cargo of the turns that have ended."""
    done = {} if isinstance(state, play.Unopened) else state.done
    best = max((each or 0 for each in done.values()), default=0)
    return Leaders(tuple(name for name, cargo in done.items() if cargo and cargo == best))


def outcome(end: Fact | None) -> Outcome:
    winners = end.winners if isinstance(end, ship.RoundEnded) else ()
    return Outcome(winners=winners, void=not winners, to_the_end=False)


@dataclass(frozen=True, slots=True)
class Story:
    """A round: what happened in it, its end the last."""

    number: int
    events: tuple[Numbered, ...]

    @property
    def last(self) -> int:
        return self.events[-1][0]

    @property
    def end(self) -> ship.RoundEnded | None:
        end = self.events[-1][1] if self.events else None
        return end if isinstance(end, ship.RoundEnded) else None


def stories_of(events: list[Numbered]) -> tuple[list[Story], Story]:
    """The rounds that have ended, and what has happened since."""
    ends = [place for place, (_, event) in enumerate(events, 1) if event.ends_round]
    parts = zip([0, *ends], [*ends, len(events)], strict=True)
    stories = [Story(number, tuple(events[a:b])) for number, (a, b) in enumerate(parts, 1)]
    return stories[:-1], stories[-1]


def view(
    history: History,
    *,
    named: Named = as_is,
    sitting: GameSession[play.State] | None = None,
    kept: reporting.Kept | None = None,
) -> dict[str, Any]:
    sitting = sitting or play.DECIDER.fold(event for _, event in history)
    kept = kept or reporting.Kept()
    state, events = sitting.inner, live(history)
    if isinstance(state, play.Unopened):
        raise TypeError("A game is shown from its opening on.")
    player, order = play.thrower(state), state.order or play.able(state)
    may = ["throw", *(["stand"] if state.turn.cargo is not None else [])]
    stays = () if state.over else play.able(state)
    turn = {"kept": state.turn.kept, "cargo": state.turn.cargo, "throws": state.turn.throws}
    return {
        "game": GAME,
        "status": "closed" if state.over else "open",
        "round": max(1, state.round - state.over),
        "first": named(order[0]) if order and not state.over else None,
        "next": {"players": [named(player)], "may": may} if player else {"players": [], "may": []},
        "home_throws": [],
        "pot": state.pot,
        "pay": None,
        "scores": {named(name): cargo or NO_CARGO for name, cargo in state.done.items()},
        "stakes": {named(name): stake for name, stake in state.stakes.items()},
        "points": {},
        "drinks": {},
        "out": [named(name) for name in state.stakes if name not in stays],
        "winners": [],
        "throws": reporting.throws(
            history, {number for number, _ in events}, partial(thrown, named), kept.throws
        ),
        "rounds": reporting.rounds(stories_of(events)[0], partial(told_round, named), kept.rounds),
        "tied": [named(name) for name in state.order] if state.order != state.members else [],
        "sitting_out": [named(name) for name in state.members if name not in state.order],
        "turn": {"player": named(player), **turn} if player else None,
        "requests": [reporting.request(each) for each in sitting.requests],
    }


def thrown(named: Named, number: int, event: Fact) -> dict[str, Any] | None:
    if not isinstance(event, ship.DiceThrown):
        return None
    return {
        "event": number,
        "player": named(event.player),
        "dice": list(event.dice),
        "hand": None,
        "score": event.cargo,
    }


def told_round(named: Named, story: Story) -> dict[str, Any]:
    return {
        "round": story.number,
        "winners": [named(name) for name in outcome(story.end).winners],
        "losers": [],
        "payments": payments(story, named),
        "carried": 0,
        **({"void": True} if outcome(story.end).void else {}),
    }


def explain(
    history: History, round_no: int | None = None, *, named: Named = as_is
) -> list[dict[str, Any]]:
    return [
        {
            "round": story.number,
            "void": outcome(story.end).void,
            "rules": list(story.end.rules) if story.end else [],
            "because": verdict(story, named),
            "throws": dice(story, named),
            "payments": payments(story, named, throws=True),
        }
        for story in stories_of(live(history))[0]
        if round_no is None or story.number == round_no
    ]


def so_far(history: History, *, named: Named = as_is) -> list[dict[str, Any]]:
    return payments(stories_of(live(history))[1], named, throws=True)


def dice(story: Story, named: Named) -> list[dict[str, Any]]:
    """What the pot rests on: everybody's throws; of a void round none."""
    rows = [thrown(named, number, event) for number, event in story.events]
    return [row for row in rows if row is not None and outcome(story.end).winners]


def payments(story: Story, named: Named, *, throws: bool = False) -> list[dict[str, Any]]:
    """:param throws: each with those that it rests on."""
    return [
        {
            **reporting.payment(each, reason(each, event, story, named), named),
            **({"throws": dice(story, named) if event is story.end else []} if throws else {}),
        }
        for _, event in story.events
        for each in event.payments
    ]


def verdict(story: Story, named: Named) -> str:
    if story.end is None or not story.end.winners:
        return "The table was closed before the round was decided; it is void (G9)."
    names, cargo = " and ".join(map(named, story.end.winners)), story.end.cargo
    if len(story.end.winners) == 1:
        return f"{names} has the highest cargo, {cargo}, and takes the pot (SC5)."
    return f"{names} are level {f'with {cargo}' if cargo else 'without a cargo'} and share (SC6)."


def reason(payment: Payment, event: Fact, story: Story, named: Named) -> str:
    match event:
        case ship.RoundEnded() if payment.payee == HOUSE:
            return "The house's rake on the pot, announced at the opening (G6)."
        case ship.RoundEnded():
            back = "" if event.winners else " What was paid into it goes back."
            return verdict(story, named) + back
        case common.FeeTaken():
            return "The fee of the round, announced at the opening (G6)."
        case _:
            return f"The ante of {named(payment.payer)} (SC1)."
