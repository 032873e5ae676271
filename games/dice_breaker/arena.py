"""Where the dice of a round are, and whose turn it is to throw one (DB2, DB3, DB8 to DB10)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from games.dice import Dice
from games.dice_breaker.hands import DICE
from games.dice_breaker.messages import DieThrown
from games.payments import Payment

TRUMP: Final = "trump"
LATENT: Final = ("latent1", "latent2", "latent3", "latent4")


@dataclass(frozen=True, slots=True)
class Lying:
    """
    A die that was thrown, until the round ends.

    :param owner: the player whose hand it belongs to; None: it belongs to every hand (DB9).
    :param face: None: it left the arena and is out (DB8).
    """

    owner: str | None
    face: int | None


@dataclass(frozen=True, slots=True)
class Round:
    """
    The running round.

    :param order: who throws, the first thrower first; in seat order until DB1 is settled.
    :param hands: the dice that each player still has to throw, caught ones included.
    :param corner: the latent dice that are at their corners.
    :param turn: who throws now; None: nobody has a die left, or DB1 is not settled.
    :param thrower: who last threw in turn.
    :param moving: the dice that the last throw in turn, and latent dice since, set in motion.
    :param spinning: whether the attendant said with the last throw in turn that a die spins.
    """

    number: int
    order: tuple[str, ...]
    battle: bool
    hands: Mapping[str, tuple[str, ...]]
    turn: str | None
    lying: Mapping[str, Lying]
    corner: tuple[str, ...] = ()
    thrower: str | None = None
    begun: bool = False
    moving: tuple[str, ...] = ()
    spinning: bool = False
    seat_fees: tuple[Payment, ...] = ()

    @property
    def over(self) -> bool:
        """Whether all dice are thrown and the last of them has come to rest (DB5)."""
        return self.begun and self.turn is None and not self.spinning


def own_dice(player: str) -> tuple[str, ...]:
    return tuple(f"{player}{number}" for number in range(1, DICE + 1))


def dealt(number: int, order: tuple[str, ...], *, battle: bool) -> Round:
    """A round before its first throw; in a battle its first thrower holds the trump (DB9)."""
    hands = {player: own_dice(player) for player in order}
    if battle:
        hands[order[0]] = (TRUMP, *hands[order[0]])
    corner = LATENT if battle else ()
    return Round(number, order, battle, hands, turn=order[0], lying={}, corner=corner)


def waiting(number: int, order: tuple[str, ...], *, battle: bool) -> Round:
    """The first round while it is not known who starts (DB1)."""
    return Round(number, order, battle, hands={}, turn=None, lying={})


def faces(this: Round, player: str) -> Dice:
    """The faces that count for a player, sorted: own, caught and latent dice, and the trump."""
    return _showing(this, {player, None})


def all_faces(this: Round) -> dict[str, Dice]:
    """The faces that count, as in `faces`, for every player of the round at once."""
    common = _showing(this, {None})
    counted = {player: list(common) for player in this.order}
    for each in this.lying.values():
        if each.face is not None and each.owner is not None:
            counted[each.owner].append(each.face)
    return {player: tuple(sorted(dice)) for player, dice in counted.items()}


def _showing(this: Round, owners: set[str | None]) -> Dice:
    lying = this.lying.values()
    return tuple(
        sorted(each.face for each in lying if each.face is not None and each.owner in owners)
    )


def exists(this: Round, die: str) -> bool:
    """Whether a die is in the round: a player's, or in a battle the trump or a latent die."""
    if die == TRUMP or die in LATENT:
        return this.battle
    owner = die[:-1]
    return owner in this.hands and die in own_dice(owner)


def in_arena(this: Round, die: str) -> bool:
    return die in this.lying and this.lying[die].face is not None


def may_hit(this: Round, player: str, die: str) -> bool:
    """
    Whether a player may hit a die (DB3): it lies in the arena, and in quick play belongs to the
    player.
    """
    return in_arena(this, die) and (this.battle or this.lying[die].owner == player)


def land(this: Round, thrown: DieThrown) -> Round:
    """The round after a throw; who throws a latent die from its corner uses no turn (DB10)."""
    if thrown.die in this.corner:
        return _from_corner(this, thrown)
    lying, hands = _move(this, thrown)
    return replace(
        this,
        lying=lying,
        hands=hands,
        turn=_turn(this, thrown.player, hands),
        thrower=thrown.player,
        begun=True,
        moving=_set_in_motion(thrown),
        spinning=thrown.spinning,
    )


def _from_corner(this: Round, thrown: DieThrown) -> Round:
    """
    The round after a throw from a corner (DB10): what was in motion stays in motion, with the dice
    that the throw set in motion; a die that has left the arena spins no more.
    """
    lying, hands = _move(this, thrown)
    left = {*thrown.out, *(each.die for each in thrown.caught)}
    moving = dict.fromkeys((*this.moving, *_set_in_motion(thrown)))
    still = tuple(die for die in moving if die not in left)
    return replace(
        this,
        lying=lying,
        hands=hands,
        turn=this.turn or _next(this, this.thrower or thrown.player, hands),
        corner=tuple(die for die in this.corner if die not in lying),
        moving=still,
        spinning=this.spinning and bool(still),
    )


def _set_in_motion(thrown: DieThrown) -> tuple[str, ...]:
    itself = (thrown.die,) if thrown.lies == "arena" else ()
    return (*itself, *(each.die for each in thrown.breaks))


def _move(this: Round, thrown: DieThrown) -> tuple[dict[str, Lying], dict[str, tuple[str, ...]]]:
    """The dice in the arena after a throw, and the dice in the hands."""
    lying, hands = dict(this.lying), dict(this.hands)
    player, die = thrown.player, thrown.die
    hands[player] = tuple(each for each in hands[player] if each != die)
    if thrown.lies in {"arena", "out"}:
        lying[die] = Lying(None if die == TRUMP and not this.begun else player, thrown.value)
    for broken in thrown.breaks:
        lying[broken.die] = Lying(lying[broken.die].owner, broken.value)
    for gone in thrown.out:
        if gone != die:
            lying[gone] = Lying(lying[gone].owner, None)
    for catch in thrown.caught:
        if catch.die != die or thrown.lies == "caught":
            lying.pop(catch.die, None)
            hands[catch.by] = (*hands[catch.by], catch.die)
    return lying, hands


def _turn(this: Round, player: str, hands: Mapping[str, tuple[str, ...]]) -> str | None:
    """Who throws next: in quick play and after the trump the same player (DB3, DB9)."""
    if hands[player] and (not this.battle or not this.begun):
        return player
    return _next(this, player, hands)


def _next(this: Round, player: str, hands: Mapping[str, tuple[str, ...]]) -> str | None:
    """The next in turn order who has a die to throw, the player themselves last."""
    after = this.order.index(player) + 1
    return next((each for each in this.order[after:] + this.order[:after] if hands[each]), None)
