"""Offers, report and explanations of the game."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from games import commands, explaining, offering, parsing, reporting
from games import messages as common
from games.explaining import Explaining, Round
from games.game import History, Leaders, Named, Outcome, as_is
from games.messages import Fact, Numbered
from games.payments import HOUSE, Payment
from games.seats import Opening
from games.session import GameSession
from ship_captain_crew.rules import messages as ship
from ship_captain_crew.rules import play
from ship_captain_crew.rules.opening import GAME, PLAYERS_MAX

NO_CARGO: Final = "none"
COMMANDS: Final[Mapping[type[Fact], Callable[[Any], Any]]] = {
    ship.GameOpened: lambda fact: parsing.opening_command(Opening, fact),
    ship.DiceThrown: lambda fact: ship.Throw(fact.player, fact.dice),
    ship.Stood: lambda fact: commands.Stand(fact.player),
    ship.PlayerLeft: lambda fact: commands.Leave(fact.player),
}


def command_of(fact: Fact) -> Any | None:
    return parsing.fields_of(fact, COMMANDS)


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


OFFERING: Final = offering.Offering(playing, play.able, over=play.RULES.is_terminal)


def leaders(state: play.State) -> Leaders:
    """SC5: the highest cargo of the turns that have ended."""
    done = {} if isinstance(state, play.Unopened) else state.done
    best = max((each or 0 for each in done.values()), default=0)
    return Leaders(tuple(name for name, cargo in done.items() if cargo and cargo == best))


def outcome(end: Fact) -> Outcome:
    winners = end.winners if isinstance(end, ship.RoundEnded) else ()
    return Outcome(winners=winners, void=not winners, to_the_end=False)


def chronicle_of(events: Iterable[Numbered]) -> explaining.Chronicle[Round]:
    return explaining.chronicle_of(events, Round)


def view(
    history: History,
    *,
    named: Named = as_is,
    session: GameSession[play.State] | None = None,
    kept: reporting.Kept | None = None,
) -> dict[str, Any]:
    of = reporting.sheet(history, named, session, kept, play.DECIDER)
    state: play.Table = of.session.inner
    player, order = play.thrower(state), state.order or play.able(state)
    may = ["throw", *(["stand"] if state.turn.cargo is not None else [])]
    stays = () if state.over else play.able(state)
    ended = partial(EXPLAINING.ended, named)
    turn = {"kept": state.turn.kept, "cargo": state.turn.cargo, "throws": state.turn.throws}
    return reporting.report(
        GAME,
        of,
        partial(thrown, named),
        reporting.rounds(chronicle_of(of.events).ended, ended, of.kept.rounds),
        status="closed" if state.over else "open",
        round=max(1, state.round - state.over),
        first=named(order[0]) if order and not state.over else None,
        next={"players": [named(player)], "may": may} if player else {"players": [], "may": []},
        scores={named(name): cargo or NO_CARGO for name, cargo in state.done.items()},
        out=[named(name) for name in state.stakes if name not in stays],
        tied=[named(name) for name in state.order] if state.order != state.members else [],
        sitting_out=[named(name) for name in state.members if name not in state.order],
        turn={"player": named(player), **turn} if player else None,
    )


def thrown(named: Named, number: int, event: Fact) -> dict[str, Any] | None:
    if not isinstance(event, ship.DiceThrown):
        return None
    return reporting.throw(number, named(event.player), event.dice, score=event.cargo)


def throws(event: Fact, story: Round, named: Named) -> list[dict[str, Any]]:
    """The pot rests on everybody's throws, and a void round on none."""
    rows = [thrown(named, number, each) for number, each in story.events]
    return [row for row in rows if row is not None and event is story.end and event.winners]


def verdict(story: Round, named: Named) -> str:
    if not story.end.winners:
        return "The table was closed before the round was decided; it is void (G9)."
    names, cargo = " and ".join(map(named, story.end.winners)), story.end.cargo
    if len(story.end.winners) == 1:
        return f"{names} has the highest cargo, {cargo}, and takes the pot (SC5)."
    return f"{names} are level {f'with {cargo}' if cargo else 'without a cargo'} and share (SC6)."


def reason(payment: Payment, event: Fact, story: Round, named: Named) -> str:
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


EXPLAINING: Final = Explaining(chronicle_of, outcome, verdict, reason, throws)
