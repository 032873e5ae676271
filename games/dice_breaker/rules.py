"""The rules of dice breaker: what may be done and what follows. See docs/games/dice-breaker.md."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from games.commands import BringMoney, CashOut, Close, Join, Leave, NoThrow, Stand
from games.decider import Decider
from games.dice_breaker.arena import (
    LATENT,
    TRUMP,
    Round,
    all_faces,
    exists,
    faces,
    in_arena,
    land,
    may_hit,
)
from games.dice_breaker.hands import DICE, HIGHEST, SIDES, HandName, hand_of, points, strength
from games.dice_breaker.messages import (
    BreakStart,
    Command,
    DieRested,
    DieThrown,
    FinalHand,
    GameEnded,
    Open,
    Place,
    PlayerLeft,
    RoundScored,
    RoundVoided,
    StartBroken,
    StartSettled,
    StartTied,
    Throw,
    parse,
)
from games.dice_breaker.opening import antes, check_covers_ante, may_sit, open_game
from games.dice_breaker.state import (
    Breaking,
    Ended,
    Playing,
    State,
    Unopened,
    evolve,
    in_order,
    pay,
)
from games.fees import NoMoneyPlayed, due, give_back, take_rake
from games.kinds import shorten
from games.messages import Fact, FeeTaken, TableClosed
from games.payments import POT, Payment, share
from games.refusals import (
    AlreadyOpen,
    GameOver,
    NoGame,
    NoSuchFace,
    NotInThisGame,
    NotNow,
    NotPlaying,
    NotYourTurn,
    Refused,
    RoundRunning,
    UnknownPlayer,
)
from games.seats import house_seat, stake_of_newcomer
from games.session import GameSession, decider_at_table
from games.table_events import cash_out, check_known, money_brought, no_throw, take_seat

TRUMP_AND_LATENT: Final = 1 + len(LATENT)


def decide(command: Command, state: State) -> tuple[Fact, ...]:
    """Decide a command: the events that it leads to, or a refusal."""
    match state, command:
        case Unopened(), Open():
            return open_game(command)
        case Unopened(), _:
            raise NoGame("No game is open: it begins with open.")
        case _, Open():
            raise AlreadyOpen("open: this game is open already.")
        case _, CashOut():
            check_known(command.player, state.stakes)
            playing = isinstance(state, Playing) and command.player in state.playing
            return (cash_out(command, state.stakes, playing=playing, leave_rule="DB11"),)
        case Playing(), _:
            return play(command, state)
        case _:
            raise GameOver(f"{type(command).__name__}: the game is over. DB6, G9")


def play(command: Command, state: Playing) -> tuple[Fact, ...]:
    match command:
        case BreakStart():
            return break_start(command, state)
        case Throw():
            return throw(command, state)
        case Stand():
            return stand(command, state)
        case NoThrow():
            in_action(command.player, state)
            return (no_throw(command, most=dice_at_the_table(state), sides=SIDES),)
        case _:
            return seating(command, state)


def seating(command: Command, state: Playing) -> tuple[Fact, ...]:
    """Decide commands of players who come and go, and of the money that they bring."""
    match command:
        case Join():
            return join(command, state)
        case Leave():
            return leave(command, state)
        case BringMoney():
            return (bring_money(command, state),)
        case Close():
            return (TableClosed(command.reason), *close_table(state))
        case _:
            raise NotNow(f"{type(command).__name__}: not while the game runs.")


def break_start(command: BreakStart, state: Playing) -> tuple[Fact, ...]:
    """Break the starting die (DB1): each player who must does so once, in any order."""
    player = command.player
    check_known(player, state.stakes)
    if state.breaking is None:
        raise NotNow("break_start: who starts the game is settled. DB1")
    if player not in state.breaking.due:
        who = ", ".join(state.breaking.due)
        raise NotYourTurn(f"{who} still break the starting die, not {player}. DB1")
    event = StartBroken(player, face(command.value, "value", "DB1"))
    after = _playing(evolve(state, event))
    return (event, *(decide_start(after.breaking) if after.breaking else ()))


def throw(command: Throw, state: Playing) -> tuple[Fact, ...]:
    """Throw a die (DB2). The round's first throw brings its fees (G6)."""
    check_known(command.player, state.stakes)
    if state.breaking is not None:
        raise NotNow("throw: the starting die is broken first, with break_start. DB1")
    happened = (throw_die(command, state.round), *fees(state, command.at))
    return (*happened, *outcome(_playing(RULES.fold(happened, state))))


def fees(state: Playing, at: int | None) -> tuple[Fact, ...]:
    if state.round.begun:
        return ()
    house = house_seat(state.opened.players)
    payers = [player for player in state.round.order if player != house]
    owed = due(state.opened.fee, payers, state.stakes, at=at, charged_at=state.charged_at)
    return () if owed is None else (FeeTaken(*owed),)


def stand(command: Stand, state: Playing) -> tuple[Fact, ...]:
    """
    Say that the last die of the round, which spun, is at rest (DB10): no latent die is thrown at it
    any more.
    """
    check_known(command.player, state.stakes)
    this = state.round
    if this.turn is not None or not this.spinning:
        raise NotNow("stand: only the last die of a round, if it spins, is waited for. DB10")
    if command.player != this.thrower:
        raise NotYourTurn(f"{this.thrower} threw the die that spins, not {command.player}. DB10")
    event = DieRested(command.player)
    return (event, *outcome(_playing(evolve(state, event))))


def in_action(player: str, state: Playing) -> None:
    """:raises Refused: if it is not that player who breaks the starting die, or throws."""
    check_known(player, state.stakes)
    breaking = state.breaking
    due = breaking.due if breaking is not None else (state.round.turn or state.round.thrower,)
    if player not in due:
        who = ", ".join(each for each in due if each is not None)
        raise NotYourTurn(f"{who} throws, not {player}. DB3")


def dice_at_the_table(state: Playing) -> int:
    """The greatest number of faces that may be seen in a no throw (G3)."""
    return DICE * len(state.playing) + (TRUMP_AND_LATENT if state.battle else 0)


def join(command: Join, state: Playing) -> tuple[Fact, ...]:
    """Join between rounds, for an ante and without points (G1, DB11)."""
    player, ante = command.player, state.ante
    between_rounds(state, f"{player} may join between rounds")
    if state.play_off:
        tied = " and ".join(state.play_off)
        raise NotNow(f"join: {tied} play off who has won; nobody joins them. DB6")
    may_sit(player)
    event = take_seat(
        command,
        state.stakes,
        state.pot,
        agreed=stake_of_newcomer(state.opened.players),
        left=state.left,
        least=1 if ante else 0,
    )
    check_covers_ante(player, event.stake + state.stakes.get(player, 0), ante)
    return (event, *antes(ante, (player,)))


def leave(command: Leave, state: Playing) -> tuple[Fact, ...]:
    """Leave between rounds (G1); only before the game's first throw the ante goes back (DB11)."""
    player, back = command.player, state.ante > 0 and not state.thrown
    still_here(player, state)
    between_rounds(state, f"{player} may leave between rounds")
    event = PlayerLeft(
        player,
        first=first_without(player, state),
        payments=(Payment(POT, player, state.ante, ("G1", "DB11")),) if back else (),
        rules=("G1", "DB11") if state.ante else ("G1",),
    )
    return (event, *follow_leave(state, event))


def first_without(player: str, state: Playing) -> str | None:
    """Who starts the round once `player` has left: the next seat; None while DB1 is open."""
    if state.breaking is not None:
        return None
    this = state.round
    others = (name for name in this.order if name != player)
    return next(iter(in_order(state, this.order[0], others)))


def between_rounds(state: Playing, what: str) -> None:
    if state.round.begun:
        raise RoundRunning(f"{what}; round {state.round.number} is running. G1")


def bring_money(command: BringMoney, state: Playing) -> Fact:
    still_here(command.player, state)
    if state.ante == 0:
        raise NoMoneyPlayed("buy_in: no money moves with ante=0. DB11")
    house = command.player == house_seat(state.opened.players)
    return money_brought(command, state.stakes, state.pot, house=house)


def still_here(player: str, state: Playing) -> None:
    check_known(player, state.stakes)
    if player not in state.playing:
        raise NotPlaying(f"player: {player} has left the game. G1")


def _playing(state: State) -> Playing:
    if not isinstance(state, Playing):  # only an outcome leads elsewhere
        raise TypeError(state)
    return state


def is_terminal(state: State) -> bool:
    return isinstance(state, Ended)


RULES: Final[Decider[Command, Fact, State]] = Decider(
    initial=Unopened(), decide=decide, evolve=evolve, is_terminal=is_terminal
)
DECIDER: Final[Decider[Command, Fact, GameSession[State]]] = decider_at_table(RULES, parse)


# A throw in dice breaker: which dice may be thrown, hit and caught (DB2, DB3, DB8 to DB10).


class NoSuchDie(Refused):
    code = "no_such_die"


class AlreadyThrown(Refused):
    code = "already_thrown"


class DieOut(Refused):
    code = "die_out"


class NotYourDie(Refused):
    code = "not_your_die"


class TrumpFirst(Refused):
    code = "trump_first"


class NotInTheArena(Refused):
    code = "not_in_the_arena"


class DieNamedTwice(Refused):
    code = "die_named_twice"


class NothingSpins(Refused):
    code = "nothing_spins"


def throw_die(command: Throw, this: Round) -> DieThrown:
    """:raises Refused: if the player may not throw the die now, or it could not fall so."""
    latent = command.die in this.corner
    if latent:
        may_use_latent(command, this)
    else:
        may_throw(command, this)
    consequences(command, this)
    event = fallen(command, this)
    after = land(this, event)
    if command.spinning and not latent and not after.moving:
        raise NothingSpins("spinning: no die that this throw set in motion is in the arena. DB10")
    return replace(event, hand=hand_of(faces(after, command.player)).name)


def may_throw(command: Throw, this: Round) -> None:
    """Check that it is the player's turn, and that the die is in their hand (DB3, DB9)."""
    player, die = command.player, command.die
    if this.turn is None:
        raise NotNow(
            f"throw: the die of {this.thrower} spins; stand once it has come to rest. DB10"
        )
    if player != this.turn:
        raise NotYourTurn(f"{this.turn} throws, not {player}. DB3")
    if die not in this.hands[player]:
        raise not_in_hand(player, die, this)
    if this.battle and not this.begun and die != TRUMP:
        raise TrumpFirst(f"die is {shorten(die)}: the trump is thrown before anything else. DB9")
    if command.spinning and not this.battle:
        raise NotInThisGame("spinning: only a battle has latent dice to use it for. DB10")


def not_in_hand(player: str, die: str, this: Round) -> Refused:
    if not exists(this, die):
        return no_such_die("die", die, this)
    if in_arena(this, die):
        return AlreadyThrown(f"die: {die} lies in the arena already. DB2")
    if die in this.lying:
        return DieOut(f"die: {die} is out of the arena until the round ends. DB8")
    return NotYourDie(f"die: {die} is not {player}'s to throw. DB1, DB8")


def no_such_die(field: str, die: str, this: Round) -> NoSuchDie:
    if not this.battle and (die == TRUMP or die in LATENT):
        return NoSuchDie(f"{field}: quick play has no {die}. DB3, DB9, DB10")
    return NoSuchDie(f"{field} is {shorten(die)}: there is no such die in this round. DB1")


def may_use_latent(command: Throw, this: Round) -> None:
    """
    Check that a latent die may be thrown (DB10): by anybody of the round, out of turn, while a die
    spins.
    """
    if command.player not in this.hands:
        raise NotPlaying(f"player: {command.player} does not play in this round. DB6")
    if not (command.spinning or this.spinning):
        raise NothingSpins(
            f"die: {command.die} may be thrown only while a die spins: spinning. DB10"
        )
    if not this.moving:
        raise NothingSpins(f"die: {command.die} has no die to be thrown at: none moves. DB10")


def consequences(command: Throw, this: Round) -> None:
    """
    Check the dice that were hit (DB2, DB3, DB8): each lies in the arena, is hit once, and may be
    hit by the player.
    """
    seen: set[str] = set()
    for field, die in dice_of_command(command):
        if die in seen:
            raise DieNamedTwice(f"{field} is {shorten(die)}: it came to rest in one place. DB2")
        seen.add(die)
        if die != command.die or field.startswith("breaks"):
            may_be_hit(field, die, command, this)
    for place, broken in enumerate(command.breaks):
        face(broken.value, f"breaks[{place}].value", "DB2")
    for place, each in enumerate(command.caught):
        may_catch(f"caught[{place}].by", each.by, this)


def dice_of_command(command: Throw) -> list[tuple[str, str]]:
    return [
        *((f"breaks[{place}].die", each.die) for place, each in enumerate(command.breaks)),
        *((f"out[{place}]", each) for place, each in enumerate(command.out)),
        *((f"caught[{place}].die", each.die) for place, each in enumerate(command.caught)),
    ]


def may_be_hit(field: str, die: str, command: Throw, this: Round) -> None:
    if not exists(this, die):
        raise no_such_die(field, die, this)
    if die == command.die or not in_arena(this, die):
        raise NotInTheArena(f"{field}: {die} does not lie in the arena. DB2")
    if not may_hit(this, command.player, die):
        raise NotYourDie(f"{field}: in quick play {command.player} breaks no {die}. DB3")


def may_catch(field: str, player: str, this: Round) -> None:
    if player not in this.hands:
        raise UnknownPlayer(f"{field}: {shorten(player)} does not play in this round. DB8")


def fallen(command: Throw, this: Round) -> DieThrown:
    """Where the thrown die and the dice that it hit have come to rest."""
    place = place_of(command, this)
    left = any(command.die in dice for dice in (command.out, [each.die for each in command.caught]))
    return DieThrown(
        player=command.player,
        die=command.die,
        value=None if left else face(command.value, "value", "DB2"),
        lies=place,
        hand="nothing",
        breaks=command.breaks,
        out=command.out,
        caught=command.caught,
        spinning=command.spinning,
    )


def place_of(command: Throw, this: Round) -> Place:
    """
    Where the thrown die is (DB8, DB10): a latent die stays if it hit one that moved, else it is
    back at its corner.
    """
    out, caught = set(command.out), {each.die for each in command.caught}
    if command.die in this.corner:
        hit = {each.die for each in command.breaks} | out | caught
        stays = command.die not in out | caught and not hit.isdisjoint(this.moving)
        return "arena" if stays else "corner"
    if command.die in out:
        return "out"
    return "caught" if command.die in caught else "arena"


def face(value: int | None, field: str, rule: str) -> int:
    if value is None or not 1 <= value <= SIDES:
        raise NoSuchFace(f"{field}: a die shows 1 to {SIDES}, not {str(value)[:20]}. {rule}")
    return value


# What follows in dice breaker: who starts, what a round scores, when the game is won.


def decide_start(breaking: Breaking) -> tuple[Fact, ...]:
    """
    Who starts (DB1): the lowest new face; tied lowest break again; a player who is left alone
    starts.
    """
    if len(breaking.players) == 1:
        return (StartSettled(breaking.players[0]),)
    if breaking.due:
        return ()
    lowest = min(breaking.faces.values())
    tied = tuple(player for player in breaking.players if breaking.faces[player] == lowest)
    return (StartTied(tied),) if len(tied) > 1 else (StartSettled(tied[0]),)


def outcome(state: Playing) -> tuple[Fact, ...]:
    """
    The result of a round once all dice are thrown (DB5, DB6): it is scored, and perhaps the game is
    won.
    """
    if not state.round.over:
        return ()
    hands = _hands(state)
    winners, name = _highest(state, hands)
    if name == HIGHEST:
        return win_at_once(state, hands, winners)
    share = Fraction(points(name), len(winners)) if winners else Fraction()
    scores = tuple((player, share) for player in winners)
    leaders = _leaders(state, dict(scores))
    event = RoundScored(
        round=state.round.number,
        hands=hands,
        winners=winners,
        first=_next_first(state, winners, leaders if len(leaders) > 1 else ()),
        scores=scores,
        play_off=leaders if len(leaders) > 1 else (),
        rules=("DB4", "DB5"),
        counted=state.opened.options.scoreboard,
    )
    return (event, *([win_game(state, leaders, "DB6")] if len(leaders) == 1 else []))


def _hands(state: Playing) -> tuple[FinalHand, ...]:
    return tuple(
        FinalHand(player, hand_of(dice).name, dice)
        for player, dice in all_faces(state.round).items()
    )


def _highest(state: Playing, hands: tuple[FinalHand, ...]) -> tuple[tuple[str, ...], HandName]:
    """Who has the highest hand, in turn order, and what it is (DB5); nobody if all have nothing."""
    tie_by = state.opened.options.tie_by
    strengths = {each.player: strength(hand_of(each.dice), tie_by) for each in hands}
    best = max(strengths.values())
    winners = tuple(each.player for each in hands if strengths[each.player] == best)
    name = next(each.hand for each in hands if each.player in winners)
    return ((), name) if points(name) == 0 and name != HIGHEST else (winners, name)


def _leaders(state: Playing, more: dict[str, Fraction]) -> tuple[str, ...]:
    """Who of the round has the highest total (DB6), once that is the target or above."""
    this = state.round
    totals = {player: state.scores[player] + more.get(player, 0) for player in this.order}
    top = max(totals.values())
    if top < state.opened.options.target:
        return ()
    return tuple(player for player in this.order if totals[player] == top)


def _next_first(state: Playing, winners: tuple[str, ...], among: tuple[str, ...]) -> str:
    """
    Who starts the next round (DB7): the winner, of several the earlier in turn order; without a
    winner, the same player.
    """
    candidates = (*winners, *state.round.order)
    return next(player for player in candidates if not among or player in among)


def win_at_once(
    state: Playing, hands: tuple[FinalHand, ...], winners: tuple[str, ...]
) -> tuple[Fact, ...]:
    """Win the game by five of a kind (DB6), which scores no points."""
    event = RoundScored(
        round=state.round.number,
        hands=hands,
        winners=winners,
        first=winners[0],
        rules=("DB4", "DB6"),
    )
    return (event, win_game(state, winners, "DB6"))


def win_game(state: Playing, winners: tuple[str, ...], rule: str) -> GameEnded:
    """
    Win the game (DB11): the pot, less the house's rake, goes to the winner, or is shared by the
    winners (G5).
    """
    unit = state.opened.options.unit
    rake = take_rake(state.pot, state.opened.fee, unit=unit)
    rest = state.pot - sum(payment.amount for payment in rake)
    rules = ("DB11", "G5") if len(winners) > 1 else ("DB11",)
    payments = (*rake, *share(rest, winners, rules, unit=unit))
    return GameEnded(state.round.number, winners, payments, (rule,))


def close_table(state: Playing) -> tuple[Fact, ...]:
    """
    Close the table (G9): the running round is void, and the pot is shared among those still in the
    game (G5).
    """
    this = state.round
    event = RoundVoided(this.number, give_back(this.seat_fees), rules=("G9",))
    after = pay(state, event.payments)
    among = in_order(state, this.order[0], state.playing)
    payments = share(after.pot, among, ("G9", "G5"), unit=state.opened.options.unit)
    return (event, GameEnded(this.number, payments=payments, rules=("G9",)))


def follow_leave(before: Playing, event: PlayerLeft) -> tuple[Fact, ...]:
    """
    What follows when a player has left: the last of a play-off has won (DB6), and so has who is
    left alone (DB11); if nothing was thrown, the game is over without a winner (G1). It may be
    known now who starts (DB1).
    """
    state = evolve(before, event)
    if not isinstance(state, Playing):
        return ()
    number = before.round.number
    if len(state.play_off) == 1:
        return (RoundVoided(number, rules=("G1",)), win_game(state, state.play_off, "DB6"))
    if len(state.playing) == 1 and before.thrown:
        return (RoundVoided(number, rules=("DB11",)), win_game(state, state.playing, "DB11"))
    if len(state.playing) == 1:
        unit = state.opened.options.unit
        back = share(state.pot, state.playing, ("G1", "G5"), unit=unit)
        return (
            RoundVoided(number, rules=("G1",)),
            GameEnded(number, payments=back, rules=("G1",)),
        )
    return () if state.breaking is None else decide_start(state.breaking)
