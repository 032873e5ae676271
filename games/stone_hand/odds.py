"""The exact odds of stone hand: of a throw, of a turn, and of a round."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Final, Literal

from games import odds, stone
from games.dice import Dice, every_throw
from games.odds import (
    NEVER,
    SURE,
    Chances,
    Tied,
    chance,
    chances_of_ties,
    chances_of_view,
    count_chances,
    gather,
    greatest,
    only,
    place_in_group,
    scale,
)
from games.stone import Hand
from games.stone_hand.hands import badness, classify, coins_of_triad, coins_owed
from games.stone_hand.messages import Options

Owed = int | Literal["all"]  # "all": whatever stake is left
Policy = Literal["likelier", "never"]
POLICIES: Final[tuple[Policy, ...]] = ("likelier", "never")


@dataclass(frozen=True, slots=True)
class Landed:
    """The hand that lies on the table, and what it costs a player who loses with it."""

    hand: Hand
    owes: Owed = 0


@dataclass(frozen=True)
class Throws:
    """
    The throws of a game, and what becomes of them.

    :param homes: the home throws in force, sorted, whether named or thrown for; there may be none.
    :param policy: whether players who may throw a hand again (SH11) do so: ``likelier``, if a new
        valid throw is likelier to be better than to be worse; or ``never``.
    :param stake: the coins that each has left, the most that anybody pays (G2); None: always
        enough.
    """

    options: Options
    homes: tuple[Dice, ...]
    policy: Policy = "likelier"
    stake: int | None = None
    _turns: dict[int, dict[tuple[Landed, int], Fraction]] = field(
        default_factory=dict, compare=False
    )

    @cached_property
    def single(self) -> dict[Landed, Fraction]:
        """The chances of one throw: 512 ways."""
        return count_chances(self._landing(dice) for dice in every_throw(stone.DICE, stone.SIDES))

    def _landing(self, dice: Dice) -> Landed:
        hand = classify(dice, self.homes, self.options)
        match hand.name:
            case "home" | "empty":
                return Landed(hand)
            case "triad" if self.options.triad_pay == "all" and self.stake is None:
                return Landed(hand, "all")
            case "triad":
                return Landed(hand, self._pay(coins_of_triad(dice, self.options, self.stake or 0)))
            case _:
                return Landed(hand, self._pay(coins_owed(hand, self.options)))

    def _pay(self, coins: int) -> int:
        """The coins as far as the player has them (G2)."""
        return coins if self.stake is None else min(coins, self.stake)

    @cached_property
    def valid(self) -> dict[Landed, Fraction]:
        """The chances of a throw after all empties have been thrown again (SH2)."""
        return only(self.single, lambda landed: landed.hand.name != "empty")

    def falls(self, name: stone.HandName) -> Fraction:
        """The chance that a valid throw is this hand."""
        return chance(self.valid, lambda landed: landed.hand.name == name)

    @cached_property
    def ranked(self) -> tuple[Landed, ...]:
        """The hands with a score, best first (SH3)."""
        held = (landed for landed in self.valid if landed.hand.score is not None)
        return tuple(sorted(held, key=lambda landed: badness(landed.hand)))

    @cached_property
    def rank(self) -> Mapping[Landed, int]:
        return {landed: place for place, landed in enumerate(self.ranked)}

    @cached_property
    def thrown_again(self) -> frozenset[Landed]:
        """
        The hands that the policy throws again (SH11). Of hands without a score, only a home throw
        is better.
        """
        if self.policy == "never":
            return frozenset()
        better, again = self.falls("home"), set()
        for landed in self.ranked:
            worse = SURE - better - self.valid[landed]
            if better > worse:
                again.add(landed)
            better += self.valid[landed]
        return frozenset(again)

    def turn(self, allowed: int) -> dict[tuple[Landed, int], Fraction]:
        """What a player ends up with (SH11), and after how many throws again of those `allowed`."""
        if allowed not in self._turns:
            self._turns[allowed] = gather(self._turn(allowed, 0, SURE))
        return self._turns[allowed]

    def _turn(
        self, allowed: int, again: int, reached: Fraction
    ) -> Iterator[tuple[tuple[Landed, int], Fraction]]:
        for landed, likely in self.valid.items():
            if again < allowed and landed in self.thrown_again:
                continue
            yield (landed, again), reached * likely
        if again < allowed and self.thrown_again:
            on = sum((self.valid[landed] for landed in self.thrown_again), start=Fraction(0))
            yield from self._turn(allowed, again + 1, reached * on)


# The exact odds of a round of stone hand: how it ends, who loses it, and what that costs.
# A round is an absorbing chain. A home throw leads to the round of one player less (SH7), a tie to
# a play-off of the tied (SH5), and a play-off that settles nothing to itself. Players' hands are
# independent, so all groups of tied players of one size are equally likely.


How = Literal["worst", "tie", "triad", "tie_triad", "void"]
PLAYERS: Final = range(2, 9)
ESCAPED: Final = -1  # the rank of a home throw in a tie: better than any hand


@dataclass(frozen=True, slots=True)
class Ending:
    """
    How a round ended.

    :param how: by the worst hand, by a tie thrown off, by a triad, by a triad in a tie; or void.
    :param landed: the hand that the loser pays for; none in a void round.
    """

    how: How
    landed: Landed | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """
    The odds of a round.

    :param endings: the chances of all endings; they sum to one.
    :param places: by turn in the round's order, the chance to lose. The rest is the chance of a
        void round.
    :param tied: the chance that several share the worst hand and throw again.
    :param restarted: the chance that a home throw restarts the round at least once.
    :param scoring: how many players score a point in a scoreboard game (SH13).
    """

    endings: Chances[Ending]
    places: tuple[Fraction, ...]
    tied: Fraction
    restarted: Fraction
    scoring: Chances[int]


@dataclass(frozen=True, slots=True)
class PlayOff:
    """The odds of a tie among some players: how it ends and, by turn among them, who loses."""

    endings: Chances[Ending]
    places: tuple[Fraction, ...]


ALONE: Final = PlayOff({}, (SURE,))


@dataclass(frozen=True, slots=True)
class Held:
    """
    The deals in which everybody holds a hand and the first thrower threw again a given number of
    times.

    :param first, others: the chance of each hand, by rank; they sum to less than one.
    """

    first: Mapping[int, Fraction]
    others: Mapping[int, Fraction]


@dataclass(frozen=True)
class Rounds:
    throws: Throws
    _known: dict[int, Round] = field(default_factory=dict, compare=False)
    _play_offs: dict[int, PlayOff] = field(default_factory=dict, compare=False)

    def among(self, players: int) -> Round:
        """The odds of a round of so many players; a round of one is left by SH7 (option `sole`)."""
        if players not in self._known:
            alone_is_void = players == 1 and self.throws.options.sole == "void"
            nobody = players == 0 or alone_is_void
            self._known[players] = void(players) if nobody else self._dealt(players)
        return self._known[players]

    def _dealt(self, players: int) -> Round:
        triads, homes = self._stops(players)
        fewer, restarted = self.among(players - 1), sum(homes, NEVER)
        places = [NEVER] * players
        for place, likely in enumerate(homes):
            for other, each in enumerate(fewer.places):
                places[other + (other >= place)] += likely * each
        endings = scale(fewer.endings, restarted)
        scoring = scale(fewer.scoring, restarted)
        for place, landed, likely in triads:
            places[place] += likely
            endings.append((Ending("triad", landed), likely))
            scoring.append((0, likely))
        shared = restarted * fewer.tied
        for held in self._unstopped_deals():
            worst = chances_of_ties(held.first, held.others, players - 1)
            shared += odds.chance(worst, lambda end: end.size > 1)
            endings += self._loss(held, players)
            scoring += self._scoring(held, players)
            for end, likely in worst.items():
                for place, each in self._losing(end, players):
                    places[place] += likely * each
        return Round(gather(endings), tuple(places), shared, restarted, gather(scoring))

    def _stops(self, players: int) -> tuple[list[tuple[int, Landed, Fraction]], list[Fraction]]:
        """The chances that a deal is stopped: by triads, with place and hand; by home throws."""
        triads, homes = [], [NEVER] * players
        for place, landed, likely in self._at_once(players):
            if landed.hand.name == "triad":
                triads.append((place, landed, likely))
            else:
                homes[place] += likely
        return triads, homes

    def _at_once(self, players: int) -> Iterator[tuple[int, Landed, Fraction]]:
        rethrow = self.throws.options.rethrow
        reached = [NEVER] * (rethrow + 1)  # by how often the first threw again
        for (landed, again), likely in self.throws.turn(rethrow).items():
            if landed.hand.score is None:
                yield 0, landed, likely
            else:
                reached[again] += likely
        for again, begun in enumerate(reached):
            ends = chances_of_view(self.throws.turn(again), lambda turn: turn[0])
            stops = {landed: each for landed, each in ends.items() if landed.hand.score is None}
            goes_on = SURE - sum(stops.values(), NEVER)
            for place in range(1, players):
                for landed, likely in stops.items():
                    yield place, landed, begun * goes_on ** (place - 1) * likely

    def _unstopped_deals(self) -> Iterator[Held]:
        """The deals that nothing stopped, by how often the first thrower threw again (SH11)."""
        rank, rethrow = self.throws.rank, self.throws.options.rethrow
        for again in range(rethrow + 1):
            first = {
                rank[landed]: likely
                for (landed, so_often), likely in self.throws.turn(rethrow).items()
                if so_often == again and landed in rank
            }
            others = chances_of_view(
                self.throws.turn(again), lambda turn: rank.get(turn[0], ESCAPED)
            )
            others.pop(ESCAPED, None)
            if first:
                yield Held(first, others)

    def _loss(self, held: Held, players: int) -> Iterator[tuple[Ending, Fraction]]:
        """
        What the worst hand leads to (SH4, SH5); after a tie the loser owes for that hand, or for
        the one that loses the tie.
        """
        worst = greatest(held.first, held.others, players - 1)
        alike = chances_of_view(worst, lambda extreme: (extreme.rank, extreme.size))
        for (rank, size), likely in alike.items():
            landed = self.throws.ranked[rank]
            if size == 1:
                yield Ending("worst", landed), likely
                continue
            for ending, each in self.play_off(size).endings.items():
                owes = ending.landed or landed
                yield Ending(ending.how, owes), likely * each

    def _losing(self, worst: Tied, players: int) -> Iterator[tuple[int, Fraction]]:
        """
        The places that lose, with their chances, depending on whether the first thrower is among
        the worst.
        """
        by_turn = self.play_off(worst.size).places if worst.size > 1 else (SURE,)
        if worst.first:
            yield 0, by_turn[0]
            by_turn = by_turn[1:]
        for index, likely in enumerate(by_turn):
            for place, each in enumerate(place_in_group(index, len(by_turn), players - 1), 1):
                yield place, likely * each

    def _scoring(self, held: Held, players: int) -> Iterator[tuple[int, Fraction]]:
        """How many share the best hand (SH13), or the lowest score, whatever the hand."""
        ranked = self.throws.ranked
        lowest = self.throws.options.point_to == "lowest_score"

        def goodness(rank: int) -> int:
            return -(ranked[rank].hand.score or 0) if lowest else -rank

        best = chances_of_ties(
            chances_of_view(held.first, goodness),
            chances_of_view(held.others, goodness),
            players - 1,
        )
        return ((end.size, likely) for end, likely in best.items())

    def play_off(self, size: int) -> PlayOff:
        """
        The odds of a tie in which so many throw again to name the loser (SH5).

        A tie that settles nothing begins anew, so the chances are those given that it settles
        something.
        """
        if size not in self._play_offs:
            self._play_offs[size] = self._play_off(size)
        return self._play_offs[size]

    def _play_off(self, size: int) -> PlayOff:
        endings: list[tuple[Ending, Fraction]] = []
        places = [NEVER] * size
        for place, landed, likely in self._triads(size):
            endings.append((Ending("tie_triad", landed), likely))
            places[place] += likely
        worst = self._worst_of_tied(size)
        alone = ((rank, likely) for (rank, many), likely in worst.items() if many == 1)
        endings += ((self._loss_alone(rank), likely) for rank, likely in alone)
        for many, likely in chances_of_view(worst, lambda key: key[1]).items():
            on = self.play_off(many) if many > 1 else ALONE
            endings += scale(on.endings, likely)
            for index, each in enumerate(on.places):
                for place, here in enumerate(place_in_group(index, many, size)):
                    places[place] += likely * each * here
        decided = sum(places, NEVER)
        decisive = {ending: each / decided for ending, each in gather(endings).items()}
        return PlayOff(decisive, tuple(each / decided for each in places))

    def _triads(self, size: int) -> Iterator[tuple[int, Landed, Fraction]]:
        """The chances of triads in a tie: a triad loses at once, and a home throw stops nothing."""
        goes_on = SURE - self.throws.falls("triad")
        for landed, likely in self.throws.valid.items():
            if landed.hand.name == "triad":
                yield from ((place, landed, goes_on**place * likely) for place in range(size))

    def _worst_of_tied(self, size: int) -> dict[tuple[int, int], Fraction]:
        """
        The chances of the rank and number of the worst of so many, unless all of them are the
        worst.

        Home throws escape: they rank below every hand, and if all escape nothing is settled.
        """
        throws = self.throws
        hands = {throws.rank[landed]: throws.valid[landed] for landed in throws.ranked}
        hands[ESCAPED] = throws.falls("home")
        worst = chances_of_view(
            greatest(hands, hands, size - 1), lambda each: (each.rank, each.size)
        )
        return {key: likely for key, likely in worst.items() if key[1] < size}

    def _loss_alone(self, rank: int) -> Ending:
        """
        How a tie ends (SH5) that the hand of this rank loses: owed is what the original hand costs,
        or (option `tie_owes`) the one that lost the tie.
        """
        rethrown = self.throws.options.tie_owes == "rethrow"
        return Ending("tie", self.throws.ranked[rank] if rethrown else None)


def void(players: int) -> Round:
    """
    The odds of a round that is void because nobody, or with `sole` void only one, is left to throw
    (SH7).
    """
    return Round({Ending("void"): SURE}, (NEVER,) * players, NEVER, NEVER, {0: SURE})
