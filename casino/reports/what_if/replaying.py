"""
Replay one game from its recorded facts, under a changed opening. Pure.

All acts are taken in the order in which they were recorded: throws as they fell, choices as they
were made. The game's own rules decide each command on the state after the previous decisions. The
replay ends where the next recorded act no longer fits, or was a choice in another situation: nobody
knows what would have followed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field, fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal

from casino.words.presenters.registered import games
from games import regrade
from games.messages import CashedOut, Fact, TableEvent, Voided, live
from games.payments import HOUSE, POT, ROLLOVER
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from games.game import Ruleset
    from games.payments import Payment
    from games.regrade import Recorded
    from games.session import GameSession


# The figures of a game's history: its length, and where coins went. Pure.


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """
    Sums over the events that stand, without cancelled ones: coins, except `rounds` and `throws`.

    :param staked: from players into pots.
    :param won: from pots to players.
    :param between: from one player to another without a pot.
    :param fees: what the house keeps, without fees that were given back.
    :param rolled: from pots into the house's rollover.
    :param drawn: out of the house's rollover.
    """

    rounds: int = 0
    throws: int = 0
    staked: int = 0
    won: int = 0
    between: int = 0
    fees: int = 0
    rolled: int = 0
    drawn: int = 0

    @property
    def pot(self) -> int:
        """The coins that came into pots: staked and drawn."""
        return self.staked + self.drawn

    @property
    def paid(self) -> int:
        """The coins that players got, from pots and from each other."""
        return self.won + self.between

    def __add__(self, other: Figures) -> Figures:
        return Figures(
            **{each.name: getattr(self, each.name) + getattr(other, each.name) for each in NAMES}
        )

    def as_json(self) -> dict[str, int]:
        return {**asdict(self), "pot": self.pot, "paid": self.paid}

    @classmethod
    def from_json(cls, values: Mapping[str, int]) -> Figures:
        return cls(**{each.name: values.get(each.name, 0) for each in NAMES})


NAMES = fields(Figures)


@dataclass(frozen=True, slots=True)
class Outcome:
    """
    The result of a history.

    :param players: player -> what payments have won or lost them.
    :param points: player -> points scored.
    """

    figures: Figures = Figures()
    players: Mapping[str, int] = field(default_factory=dict)
    points: Mapping[str, Fraction] = field(default_factory=dict)


def outcome(facts: Iterable[Fact]) -> Outcome:
    """The result of a game's history, which starts with its first event and includes voids."""
    sums: Counter[str] = Counter()
    players: Counter[str] = Counter()
    points: dict[str, Fraction] = {}
    for _, fact in live(enumerate(facts, 1)):
        sums["rounds"] += fact.ends_round
        sums["throws"] += fact.is_throw
        for payment in fact.payments:
            _add_payment(payment, sums, players)
        for player, scored in fact.points:
            points[player] = points.get(player, Fraction()) + scored
    return Outcome(Figures(**sums), {name: net for name, net in players.items() if net}, points)


def _add_payment(payment: Payment, sums: Counter[str], players: Counter[str]) -> None:
    payer, payee, amount = payment.payer, payment.payee, payment.amount
    if HOUSE in {payee, payer}:
        sums["fees"] += amount if payee == HOUSE else -amount
    elif payee == ROLLOVER:
        sums["rolled"] += amount
    elif payer == ROLLOVER:
        sums["drawn"] += amount
    elif payee == POT:
        sums["staked"] += amount
    elif payer == POT:
        sums["won"] += amount
    else:
        sums["between"] += amount
    for name, sign in ((payer, -1), (payee, 1)):
        if name not in {HOUSE, POT, ROLLOVER}:
            players[name] += sign * amount


Why = Literal[
    "opening", "refused", "choice", "chance", "round", "longer", "void", "purse", "rollover",
    "unreadable",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Undecided:
    """
    Where and why a game cannot be decided again.

    :param event: the number of the first recorded event that no longer fits; one more than the last
        event: the game would have gone on.
    :param why: a key of `summaries.WHY`.
    :param message: the sentence of the rules, if they refused the event; for ``unreadable`` the
        error; for ``rollover`` the id of the game that would have left another amount.
    """

    event: int
    why: Why
    message: str = ""


@dataclass(slots=True)
class Replayed:
    """
    A game as it was, and as it would have been.

    :param was: the result of the record; if the game cannot be decided again, up to that event.
    :param now: the same result under the change.
    :param changed: whether the opening would have been different.
    :param ended: the number of the recorded event before which the game would have been over; None:
        it would not have been over earlier.
    :param undecided: where and why it cannot be decided again; None: it can.
    :param whole: the result of the complete record.
    """

    was: Outcome = field(default_factory=Outcome)
    now: Outcome = field(default_factory=Outcome)
    changed: bool = False
    ended: int | None = None
    undecided: Undecided | None = None
    whole: Outcome = field(default_factory=Outcome)

    @property
    def differs(self) -> bool:
        return self.was != self.now or self.ended is not None


def replay(ruleset: Ruleset, record: Sequence[Recorded], opening: Callable[[Any], Any]) -> Replayed:
    """
    Replay a game.

    :param opening: changes the command that opened the game.
    """
    return Replaying(ruleset, opening).through(record)


class _Ends(Exception):  # noqa: N818 - names what happens: nothing of the record fits any more
    def __init__(self, why: Why, message: str = "") -> None:
        super().__init__(message)
        self.why, self.message = why, message


class Replaying:
    """
    A replay in progress.

    :ivar was: the state folded from the record.
    :ivar now: the game as the rules decide it under the change.
    """

    def __init__(self, ruleset: Ruleset, opening: Callable[[Any], Any]) -> None:
        self.ruleset, self.opening = ruleset, opening
        self.was: GameSession[Any] = ruleset.decider.initial
        self.now = regrade.Regrading(replace(ruleset, command_of=self.command_of), regrade.events)
        self.found: list[Fact] = []
        self.result = Replayed()

    def through(self, record: Sequence[Recorded]) -> Replayed:
        facts, unread = self.decode(record)
        number = 1
        while number <= len(facts) and self.result.ended is None:
            many = _command(facts, number)
            try:
                self.replay_command(number, record[number - 1].at, facts[number - 1 :][:many])
            except _Ends as end:
                self.ends(facts, number, end.why, end.message)
                return self.result
            number += many
        if self.result.ended is not None and _rewinds(facts, self.result.ended):
            self.ends(facts, self.result.ended, "void")
        elif unread is not None:
            self.ends(facts, unread.event, unread.why, unread.message)
        elif self.result.ended is None and self.over(self.was) and not self.over(self.now.state):
            self.ends(facts, len(facts) + 1, "longer")
        elif self.result.ended is None and self.was.round != self.now.state.round:
            self.ends(facts, len(facts) + 1, "round")  # the last round has begun without a throw
        else:
            self.compare(facts, facts)
        return self.result

    def decode(self, record: Sequence[Recorded]) -> tuple[list[Fact], Undecided | None]:
        facts: list[Fact] = []
        for number, event in enumerate(record, 1):
            try:
                facts.append(self.ruleset.decode(event.event_type, event.data))
            except Exception as error:  # noqa: BLE001 - what was forged may break anything
                message = f"{type(error).__name__}: {error}"
                return facts, Undecided(number, "unreadable", message)
        return facts, None

    def replay_command(self, number: int, at: int | None, found: Sequence[Fact]) -> None:
        """Decide one recorded command again, in the game as it would have been."""
        head = found[0]
        if number > 1 and not isinstance(head, Voided | TableEvent):
            if self.over(self.now.state):
                if not self.over(self.was):
                    self.result.ended = number
                    return
            else:
                self.fits(head)
        if not self.idle(head):
            try:
                self.now.decided(number, at, head)
            except Refused as refused:
                raise _Ends("opening" if number == 1 else "refused", str(refused)) from refused
            except (LookupError, TypeError, ValueError, AttributeError) as error:  # forged
                raise _Ends("unreadable", f"{type(error).__name__}: {error}") from error
        self.was = self.ruleset.decider.fold(found, self.was)
        self.found += found
        if number == 1:
            self.result.changed = self.now.result.decided != list(found)

    def fits(self, head: Fact) -> None:
        """
        Check that a recorded act fits the game as it would have been.

        :raises _Ends: if it belongs to another round, or was chosen in another situation.
        """
        was, now = self.was, self.now.state
        do = _do(self.ruleset, head)
        if do in PURSE:
            player = getattr(head, "player", "")
            if holds(was, player) != holds(now, player):
                raise _Ends("purse")
        chosen = is_choice(self.ruleset, do, now)
        if chosen and not is_choice(self.ruleset, do, was):
            raise _Ends("chance")
        if head.is_throw and was.round != now.round:
            raise _Ends("round")
        if chosen and sight(self.ruleset, was) != sight(self.ruleset, now):
            self.check_allowed(head)
            raise _Ends("choice")

    def check_allowed(self, head: Fact) -> None:
        """
        Check that the rules allow a recorded choice in the game as it would have been.

        :raises _Ends: if the rules refuse it.
        """
        try:
            self.ruleset.decider.decide(self.command_of(head), self.now.state)
        except Refused as refused:
            raise _Ends("refused", str(refused)) from refused

    def idle(self, head: Fact) -> bool:
        """
        Whether an act does not occur under the change: throws for a home throw that is now named,
        and a cash-out by a player who has no coins.
        """
        if isinstance(head, CashedOut):
            return self.purse(head) == 0
        homes = getattr(self.now.state.inner, "homes", None)
        return type(head).__name__ == HOME_DICE and homes is not None

    def command_of(self, fact: Fact) -> Any | None:
        """The command of a recorded fact, adapted to the change."""
        command = self.ruleset.command_of(fact)
        if command is None:
            return None
        if self.now.state == self.ruleset.decider.initial:
            return self.opening(command)
        if isinstance(fact, CashedOut):
            return replace(command, amount=self.purse(fact))
        return command

    def purse(self, fact: CashedOut) -> int:
        """The amount of a cash-out under the change: the whole stake if it was, else unchanged."""
        whole = fact.amount == holds(self.was, fact.player)
        return holds(self.now.state, fact.player) if whole else fact.amount

    def over(self, state: GameSession[Any]) -> bool:
        return self.ruleset.decider.is_terminal(state)

    def ends(self, facts: Sequence[Fact], number: int, why: Why, message: str = "") -> None:
        self.result.ended = None
        self.result.undecided = Undecided(number, why, message)
        self.compare(self.found, facts)

    def compare(self, upto: Sequence[Fact], whole: Sequence[Fact]) -> None:
        self.result.was = outcome(upto)
        self.result.now = outcome(self.now.result.decided)
        self.result.whole = outcome(whole)


HOME_DICE: Final = "HomeDiceThrown"


def _command(facts: Sequence[Fact], number: int) -> int:
    """The number of events of the command whose first event is `number`."""
    many = 1
    while number - 1 + many < len(facts) and facts[number - 1 + many].consequence:
        many += 1
    return many


def _rewinds(facts: Sequence[Fact], number: int) -> bool:
    """Whether this event or a later one voids back to before it, so that it may not stand."""
    later = facts[number - 1 :]
    return any(isinstance(fact, Voided) and fact.back_to < number for fact in later)


def _do(ruleset: Ruleset, head: Fact) -> str:
    """The name of a fact's command, as `offers` uses it."""
    command = ruleset.command_of(head)
    return WORDS.get(type(command).__name__, type(command).__name__.lower())


WORDS: Final = {
    "BringMoney": "buy_in", "StartRound": "start_round", "NoThrow": "no_throw",
    "ThrowHome": "throw_home", "BreakStart": "break_start", "CashOut": "cash_out",
}  # fmt: skip


# Which acts are choices of a player, and what players saw when they chose. Pure.
#
# A throw that has to be made is a fact, whoever makes it. A what-if keeps a choice only if the
# person who made it would have seen the same: the same dice and hands on the table, under the same
# rules of what beats what, with the same possibilities. The price of a hand, the size of pots and
# stakes, and the house's fee do not count, unless the registration of the game says so
# (`casino.words.presenters.registration.Chosen`), for example for a game in which people bid.


PURSE: Final = frozenset({"leave", "join", "buy_in"})
"""Acts with money between rounds: choices that depend on how much money a player has."""


def is_choice(ruleset: Ruleset, do: str, state: GameSession[Any]) -> bool:
    """Whether an act is a choice in this state: whether the player could do something else."""
    chosen = games()[ruleset.id].chosen
    if do in chosen.always:
        return True
    return do in chosen.either and len(possibilities(ruleset, state, chosen.either)) > 1


def possibilities(
    ruleset: Ruleset, state: GameSession[Any], among: frozenset[str]
) -> tuple[tuple[str, str], ...]:
    """Which of these acts may be done in this state, and by which player."""
    rows = ruleset.offers(replace(state, paused=False))
    return tuple((row["do"], row.get("player", "")) for row in rows if row["do"] in among)


def sight(ruleset: Ruleset, state: GameSession[Any]) -> tuple[Any, ...]:
    """What a player who chooses in this state sees; two equal situations have equal values."""
    inner: Any = state.inner
    chosen = games()[ruleset.id].chosen
    ranking = {
        name: value
        for name, value in asdict(inner.opened.options).items()
        if name in chosen.ranking
    }
    in_sight = tuple(getattr(inner, name, None) for name in chosen.sight)
    this = inner.round if chosen.money else _without_money(inner.round)
    return (ranking, this, in_sight)


def holds(state: GameSession[Any], player: str) -> int:
    """A player's stake in this state of the game."""
    stakes: Mapping[str, int] = getattr(state.inner, "stakes", {})
    return stakes.get(player, 0)


def _without_money(this: Any) -> Any:
    """The running round without the fees and antes that were paid for it."""
    if this is None or isinstance(this, int):
        return this
    money = {name: () for name in ("staked", "seat_fees") if hasattr(this, name)}
    return replace(this, **money) if money else this
